"""Why: conflicts, repairs, suspects, what is certain, why a code is out, how good guesses were.

Outcomes are values; the room `views` puts them into words. Used as an attribute of this
package, a file is imported when it is first needed.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from puzzlehunt.explanation import identification, repair, review, why

__all__ = ["identification", "repair", "review", "why"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
