"""The cells of a table's columns: each distinct text once, and which of them each row has.

`cells_of_csv` finds them in a plain CSV file with arrays, many times faster than row by row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_LONGEST = 32
"""Longest cell (bytes) of a column that is read with arrays."""
_QUOTE, _RETURN, _NEWLINE = b'"\r\n'


@dataclass(frozen=True, slots=True, eq=False)
class Cells(Sequence[str]):
    """A column of N cells: the distinct `texts`, and `numbers` (N,), the place of each cell's text.

    The texts are in the order in which they first occur.
    """

    texts: tuple[str, ...]
    numbers: "npt.NDArray[np.int64]"

    @classmethod
    def of(cls, cells: Iterable[str]) -> "Cells":
        """Return a column of some cells."""
        import numpy as np

        number_of: dict[str, int] = {}
        numbers = [number_of.setdefault(cell, len(number_of)) for cell in cells]
        return cls(tuple(number_of), np.array(numbers, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "Cells": ...
    def __getitem__(self, place: int | slice) -> "str | Cells":
        if isinstance(place, slice):
            return Cells(self.texts, self.numbers[place])
        return self.texts[int(self.numbers[place])]

    def __iter__(self) -> Iterator[str]:
        return map(self.texts.__getitem__, self.numbers.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cells) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((len(self), self.texts[:3]))

    def stripped(self) -> "Cells":
        """Return the column without blanks around its texts; some of these may be equal then."""
        return Cells(tuple(map(str.strip, self.texts)), self.numbers)


def cells_of_csv(raw: bytes, separator: str) -> tuple[list[str], list[Cells]] | None:
    """Return the titles and the columns of a CSV file; None if the file is not plain.

    In a plain file each line is a row, and all rows have the same number of cells, two at least.
    Only whole cells are in quotes, and no quote is inside them.
    """
    import numpy as np

    if b"\0" in raw:
        return None
    buffer = np.frombuffer(raw if raw.endswith(b"\n") else raw + b"\n", dtype=np.uint8)
    newlines = np.flatnonzero(buffer == _NEWLINE)
    is_end = (buffer == ord(separator)) | (buffer == _NEWLINE)
    quotes = np.flatnonzero(buffer == _QUOTE)
    if len(quotes) % 2:
        return None
    if len(quotes):
        edges = np.zeros(len(buffer), dtype=np.int8)
        edges[quotes[::2]], edges[quotes[1::2]] = 1, -1
        is_end &= ~np.cumsum(edges, dtype=np.int8).view(np.bool_)
    ends = np.flatnonzero(is_end)
    width = len(ends) // len(newlines)
    if width < 2 or not np.array_equal(ends[width - 1 :: width], newlines):
        return None
    starts = np.concatenate(([0], ends[:-1] + 1))
    before = newlines - (buffer[newlines - 1] == _RETURN)
    ends[width - 1 :: width] = before
    quoted = buffer[starts] == _QUOTE
    if (
        np.count_nonzero(buffer == _RETURN) != np.count_nonzero(before < newlines)
        or len(quotes) != 2 * np.count_nonzero(quoted)
        or not np.all(buffer[ends[quoted] - 1] == _QUOTE)
    ):
        return None
    starts, ends = (each.reshape(-1, width).T for each in (starts + quoted, ends - quoted))
    titles = [raw[start:end].decode() for start, end in zip(starts[:, 0], ends[:, 0], strict=True)]
    return titles, [_column(buffer, *each) for each in zip(starts[:, 1:], ends[:, 1:], strict=True)]


def _column(buffer: "npt.NDArray[np.uint8]", starts: Any, ends: Any) -> Cells:
    """Return the cells of the bytes between starts and ends."""
    import numpy as np

    longest = max(1, int((ends - starts).max(initial=0)))
    if longest > _LONGEST:
        raw = buffer.tobytes()
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return Cells.of(raw[start:end].decode() for start, end in spans)
    size = -(-longest // 8) * 8
    places = np.arange(size)
    found = buffer[np.minimum(starts[:, None] + places, len(buffer) - 1)]
    found[places >= (ends - starts)[:, None]] = 0
    keys = found.view(np.uint64 if size == 8 else f"S{size}").ravel()
    distinct, firsts, numbers = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    texts = distinct[order].view(f"S{size}").tolist()
    return Cells(tuple(b"\n".join(texts).decode().split("\n")), rank[numbers])
