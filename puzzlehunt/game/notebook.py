"""The hook with which notebooks display values of this package."""

from collections.abc import Callable
from typing import Any, ClassVar


class NotebookShown:
    """A value that notebooks display as HTML, which `views` generates."""

    __slots__ = ()

    html: ClassVar[Callable[[Any], str]] = repr
    """Returns a value as HTML. The package's `__init__` sets it: lower rooms import no views."""

    def _repr_html_(self) -> str:
        return NotebookShown.html(self)
