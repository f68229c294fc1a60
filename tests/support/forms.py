"""The forms of answers, all of whose keys are known."""

from typing import Any

from pydantic import ConfigDict, TypeAdapter
from typing_extensions import is_typeddict

from puzzlehunt.web import schemas


def strict(form: Any) -> TypeAdapter[Any]:
    """Return what checks a form, all of whose keys are known."""
    for known in vars(schemas).values():
        if is_typeddict(known):
            known.__pydantic_config__ = ConfigDict(extra="forbid")
    return TypeAdapter(form)
