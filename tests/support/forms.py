"""The forms of answers, all of whose keys are known."""

from typing import Any


def fits(form: Any, value: Any) -> bool:
    """Return whether a value has a form, and no keys that the form does not name."""
    match form:
        case dict():
            known = {key.rstrip("?"): one for key, one in form.items()}
            needed = {key for key in form if not key.endswith("?")}
            if not form or not isinstance(value, dict):
                return isinstance(value, dict)
            is_whole = needed <= value.keys() <= known.keys()
            return is_whole and all(fits(known[key], one) for key, one in value.items())
        case tuple():
            return any(fits(one, value) for one in form)
        case [each]:
            return isinstance(value, list) and all(fits(each, one) for one in value)
    kinds = {float: (int, float), None: type(None)}
    return isinstance(value, kinds.get(form, form)) and (form is bool) == isinstance(value, bool)
