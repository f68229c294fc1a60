"""What is printed of values, what notebooks show of them, and results as pandas frames."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from puzzlehunt.errors import missing_package

if TYPE_CHECKING:
    from pandas import DataFrame


class Shown:
    """A value whose text is what a terminal prints of it; notebooks show this text, too."""

    __slots__ = ()

    def __str__(self) -> str:
        text: str = import_module("puzzlehunt.views.shown").value_text(self)  # when it is printed
        return text

    def _repr_html_(self) -> str:
        from html import escape  # which starts slowly

        return f"<pre>{escape(str(self))}</pre>"


class Tabled(Shown):
    """Values, such as suggestions or turns, that are the rows of a frame."""

    __slots__ = ()

    def to_frame(self) -> "DataFrame":
        """Return a pandas frame, a row for each value. Raises PuzzlehuntError without pandas."""
        try:
            import pandas
        except ImportError:
            raise missing_package("a frame needs pandas", "frames") from None
        return pandas.DataFrame(dict(self._columns()))

    def _columns(self) -> Mapping[str, Sequence[object]]:
        """Return the columns by name: the fields of the values, but no codes beside their texts."""
        rows: list[Any] = [*cast(Iterable[Any], self)]
        names = rows[0].__dataclass_fields__ if rows else ()
        names = [name for name in names if name not in ("game", "history", "code", "best_code")]
        return {name: [getattr(row, name) for row in rows] for name in names}
