"""What is printed of values, what notebooks show of them, and results as pandas frames."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

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

    _row_type: ClassVar[type[Any]]
    """The dataclass of the values."""

    def to_frame(self) -> "DataFrame":
        """Return a pandas frame with a row for each value, and a column for each of its attributes.

        Positions and boards count from 0, rows of the game from 1. Raises PuzzlehuntError without
        pandas.
        """
        try:
            import pandas
        except ImportError:
            raise missing_package("a frame needs pandas", "frames") from None
        columns = self._columns().items()
        whole = {name for name, column in columns if {*map(type, column)} == {int, type(None)}}
        frame = pandas.DataFrame(dict(columns))
        return frame.astype(dict.fromkeys(whole, "Int64"))  # else None makes them fractions

    def _columns(self) -> Mapping[str, Sequence[object]]:
        """Return the columns by name: the fields of the values, but no codes beside their texts."""
        rows, names = [*cast(Iterable[Any], self)], [each.name for each in fields(self._row_type)]
        names = [name for name in names if name not in ("game", "history", "code", "best_code")]
        return {name: [getattr(row, name) for row in rows] for name in names}
