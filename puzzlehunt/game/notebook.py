"""What notebooks show: values of this package as HTML, and results as pandas frames."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from puzzlehunt.errors import missing_package

if TYPE_CHECKING:
    from pandas import DataFrame


class NotebookShown:
    """A value that notebooks display as HTML, which `views` generates."""

    __slots__ = ()

    html: ClassVar[Callable[[Any], str]] = repr
    """Returns a value as HTML. The package's `__init__` sets it: lower rooms import no views."""

    def _repr_html_(self) -> str:
        return NotebookShown.html(self)


def frame(columns: Mapping[str, Sequence[object]]) -> "DataFrame":
    """Return a pandas frame of columns. Raises PuzzlehuntError if pandas is not installed."""
    try:
        import pandas
    except ImportError:
        raise missing_package("a frame needs pandas", "frames") from None
    return pandas.DataFrame(dict(columns))
