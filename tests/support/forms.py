"""Answers and their schemas, all of whose keys are known."""

from typing import Any


def fits(schema: Any, value: Any) -> bool:
    """Return whether a value has a JSON schema, and no keys that the schema does not name."""
    match schema:
        case {"anyOf": several}:
            return any(fits(one, value) for one in several)
        case {"properties": known, "required": needed}:
            is_whole = isinstance(value, dict) and {*needed} <= value.keys() <= known.keys()
            return is_whole and all(fits(known[key], one) for key, one in value.items())
        case {"items": each}:
            return isinstance(value, list) and all(fits(each, one) for one in value)
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool,
             "object": dict, "null": type(None)}  # fmt: skip
    kind = schema["type"]
    return isinstance(value, kinds[kind]) and (kind == "boolean") == isinstance(value, bool)
