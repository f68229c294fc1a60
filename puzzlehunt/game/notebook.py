"""What is printed of values, what notebooks show of them, and results as pandas frames."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from puzzlehunt.errors import missing_package

if TYPE_CHECKING:
    from pandas import DataFrame


class Shown:
    """A value whose text is what a terminal prints of it; notebooks show this text, too."""

    __slots__ = ()

    _text: ClassVar[Callable[[Any], str]] = repr
    """Returns a value's text. The package's `__init__` sets it: lower rooms import no views."""

    def __str__(self) -> str:
        return Shown._text(self)

    def _repr_html_(self) -> str:
        from html import escape  # which starts slowly

        return f"<pre>{escape(str(self))}</pre>"


def frame(columns: Mapping[str, Sequence[object]]) -> "DataFrame":
    """Return a pandas frame of columns. Raises PuzzlehuntError if pandas is not installed."""
    try:
        import pandas
    except ImportError:
        raise missing_package("a frame needs pandas", "frames") from None
    return pandas.DataFrame(dict(columns))
