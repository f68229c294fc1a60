"""Columns: each column of a table compares the guess's row with the secret's, by its own kind.

The secrets and guesses are the rows of a table (`NamedRows`). A guess wins if its row is the
secret; another row may be equal to it in all columns.
"""

import hashlib
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, Constraint
from puzzlehunt.codes.named_rows import NamedRows
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.errors import ImpossibleClueError, RuleError, did_you_mean
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.column_kinds import (
    CellError,
    ColumnKind,
    MarkedColumn,
    OrderColumn,
    column_kind,
)
from puzzlehunt.rules.notation.cells_clue import CellsClue, CellsFeedbacks
from puzzlehunt.rules.notation.clue import UNREAD, UNREAD_WORDS, WON_WORDS, Cell, Clue, Parts
from puzzlehunt.rules.notation.column_texts import ColumnTexts
from puzzlehunt.rules.notation.edits import CellsEdits

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.kernels.feedback_matrix import Table
    from puzzlehunt.kernels.packed_codes import CodeArray, PackedCodes
    from puzzlehunt.rules.base import Indices
    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask

MOST_COLUMNS = 30
"""Cap on the columns that answer."""
_MOST_FEEDBACKS = 1 << 62
"""Cap on the number of feedbacks, whose numbers have 64 bits."""
_MOST_LISTED_ROWS = 1_000
"""Up to this many rows, all scores are computed once, and only feedbacks that occur are listed."""
_BLOCK = 1 << 17
"""Size of a block of feedbacks (cells) that are computed together."""
_CACHED = ("_table", "digest", "winning_index", "feedbacks")
"""What is computed from the table when it is needed."""
_BETWEEN_ENDS = re.compile(r"\s*(?:-|\u2013|\sto\s)\s*")
_BOUND = re.compile(r"(>=|<=|[<>≥≤])\s*(\S.*)")
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "≤": operator.le,
    "≥": operator.ge,
}  # fmt: skip
_PLAIN_NAMES = {"<": "lower", ">": "higher", "~<": "nearly lower", "~>": "nearly higher"}
_MOST_CLAIMED = 4
"""Most values of a column that are listed as those that are left."""
_MOST_FALSE = 10_000
"""Most answers that false marks may make of one."""


class ColumnTile(NamedTuple):
    """How the answer of one column is drawn.

    `text` is its cell as it is written, `words` is the cell in words, `look` says what its tile
    looks like, "" if it was not read in full. `may_be` has the marks and names that it may be then.
    """

    title: str
    text: str
    words: str
    look: str
    may_be: tuple[tuple[str, str], ...]


class ColumnClaim(NamedTuple):
    """What is true of some rows: the title of a column, what its values are, and all such rows."""

    title: str
    values: str
    rows: tuple[int, ...]


class ColumnsRule(Rule):
    """The rule `columns` with the settings of one game.

    A feedback has a digit for each column, and last 1 if the guess is the secret, otherwise 0.
    Until `for_codes` gives it a table, the rule knows its columns, but no values.
    """

    name: ClassVar[str] = "columns"
    summary = "for each column: equal, lower, higher, how far"
    option_names: ClassVar[tuple[str, ...]] = ("columns",)
    only_listed: ClassVar[bool] = True
    columns: tuple[ColumnKind, ...]

    def prepare(self) -> None:
        given = self.options.get("columns")
        if not isinstance(given, Mapping) or not given:
            raise ValueError("columns: say how each column answers, as in {year: order}")
        if len(given) > MOST_COLUMNS:
            raise ValueError(f"columns: {len(given)} are too many; at most {MOST_COLUMNS}")
        self.columns = tuple(column_kind(title, kind) for title, kind in given.items())
        self.column_names = tuple(column.title for column in self.columns)
        self.kinds = [(title, title) for title in self.column_names]
        self._rows: NamedRows | None = None
        self._set_texts()

    def _set_texts(self) -> None:
        self._sizes = tuple(column.size for column in self.columns)
        self._texts = ColumnTexts(self.columns)
        self.edits = CellsEdits([(type(column), column.size) for column in self.columns])
        self.most_false_marks = next(
            (n - 1 for n in range(1, len(self._sizes) + 1) if self._false(n) > _MOST_FALSE),
            len(self._sizes),
        )

    def _false(self, count: int) -> int:
        """Return how many answers differ from a given one in `count` columns."""
        ways = [1] + [0] * count
        for size in self._sizes:
            for place in range(count, 0, -1):
                ways[place] += ways[place - 1] * (size - 1)
        return ways[count]

    def for_codes(self, secrets: CodeSpace, guesses: CodeSpace, wins: bool = True) -> Self:
        """Return the rule for the rows of a table. Raises RuleError for cells of a wrong kind."""
        rows = secrets.alphabet
        if self._rows is rows:
            return self
        if not isinstance(rows, NamedRows) or not rows.columns:
            raise RuleError("rule columns: the secrets are the rows of a table (secret.table)")
        made = copy(self)
        made._rows, made.length, made.symbols = rows, rows.length, len(rows)
        made._fill(rows)
        made._set_texts()
        for name in _CACHED:
            vars(made).pop(name, None)
        if math.prod(made._sizes) > _MOST_FEEDBACKS:
            raise RuleError("columns: their answers are too many to number; round the distances")
        return made

    def _fill(self, rows: NamedRows) -> None:
        columns, numbers = [], []
        for column in self.columns:
            for title in column.sources:
                if title not in rows.columns:
                    hint = did_you_mean(title, rows.columns)
                    raise RuleError(f"columns: the table has no column {title!r:.40}{hint}")
            cells = column.cells_of(rows.columns)
            try:
                filled, own = column.filled(cells)
            except CellError as error:
                number = cells.index(error.cell)
                place = f"{rows.places.of(number)} ({rows.values[number]})"
                raise RuleError(f"{place}, column {column.title}: {error}") from None
            columns.append(filled)
            numbers.append(own)
        self.columns = tuple(columns)
        self._numbers = numbers
        """For each column, the number of each row's value."""

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, without what can be computed again."""
        return {name: value for name, value in vars(self).items() if name not in _CACHED}

    @property
    def settings(self) -> tuple[object, ...]:
        return (self.column_names, self.digest, self.options)

    @cached_property
    def digest(self) -> str:
        if self._rows is None:
            return ""
        hashed = hashlib.blake2b(digest_size=16)
        for column, numbers in zip(self.columns, self._numbers, strict=True):
            hashed.update(repr((column.kind, *map(_shown, column.values))).encode())
            hashed.update(numbers.tobytes())
        return hashed.hexdigest()

    @property
    def rows_of_table(self) -> NamedRows:
        """The rows that are scored."""
        assert self._rows is not None, "a rule of a game knows its rows"
        return self._rows

    def values(self, place: int) -> list[Any]:
        """Return the value of each row in the column at a place."""
        column = self.columns[place]
        return [column.values[number] for number in self._numbers[place]]

    # The specification.

    def score(self, guess: Code, secret: Code) -> Parts:
        rows = self.rows_of_table
        one, other = rows.number_of(guess), rows.number_of(secret)
        digits = [
            column.digit(column.values[numbers[one]], column.values[numbers[other]])
            for column, numbers in zip(self.columns, self._numbers, strict=True)
        ]
        return (*digits, int(guess == secret))

    @cached_property
    def feedbacks(self) -> CellsFeedbacks:
        """All losing feedbacks in ascending order, and the winning one, which is the last.

        Those of a small table are the feedbacks that occur.
        """
        if self._rows is None or len(self._rows.values) > _MOST_LISTED_ROWS:
            return CellsFeedbacks(self._sizes, win_apart=True)
        return CellsFeedbacks(self._sizes, True, self._table[1].tolist())

    @property
    def winning(self) -> Parts:
        return (0,) * len(self.columns) + (1,)

    # Arrays.

    def _summed(
        self, guesses: "npt.NDArray[np.int64]", secrets: "npt.NDArray[np.int64]"
    ) -> "npt.NDArray[np.int64]":
        """Return the numbers of the losing feedbacks, (G, S), for the numbers of rows."""
        import numpy as np

        total = np.zeros((len(guesses), len(secrets)), dtype=np.int64)
        step = max(1, _BLOCK // max(1, len(secrets)))
        for start in range(0, len(guesses), step):
            block = total[start : start + step]
            for column, numbers in zip(self.columns, self._numbers, strict=True):
                own, others = numbers[guesses[start : start + step]], numbers[secrets]
                block *= column.size
                if len(column.values) > len(secrets):
                    block += column.answers(own, others)
                else:
                    block += column.answers(own, np.arange(len(column.values))).take(others, axis=1)
        return total

    @cached_property
    def _table(self) -> "tuple[Table, npt.NDArray[np.int64]]":
        """The index of each score, (R, R), and the numbers of the losing feedbacks that occur."""
        import numpy as np

        from puzzlehunt.kernels.feedback_matrix import unsigned_type

        every = np.arange(len(self.rows_of_table.values))
        summed = self._summed(every, every)
        apart = ~np.eye(len(every), dtype=np.bool_)
        occurring = np.unique(summed[apart])
        table = np.searchsorted(occurring, summed).astype(unsigned_type(len(occurring) + 1))
        table[every, every] = len(occurring)
        return table, occurring

    def rows(self, codes: "CodeArray") -> "PackedCodes":
        """Return an array of codes with the number of each row."""
        import numpy as np

        from puzzlehunt.codes.alphabet import MOST_SYMBOLS
        from puzzlehunt.kernels.packed_codes import PackedCodes

        numbers = np.zeros((len(codes), 1), dtype=np.uint64)
        for digits in codes.T:
            numbers = numbers * np.uint64(MOST_SYMBOLS) + digits[:, None].astype(np.uint64)
        return PackedCodes(codes, numbers, numbers[:, :0])

    def table(self, guesses: "PackedCodes", secrets: "PackedCodes") -> "Table":
        import numpy as np

        from puzzlehunt.kernels.feedback_matrix import unsigned_type

        own = guesses.position_bits[:, 0].astype(np.int64)
        others = secrets.position_bits[:, 0].astype(np.int64)
        if len(self.rows_of_table.values) <= _MOST_LISTED_ROWS:
            return self._table[0][np.ix_(own, others)]
        summed = self._summed(own, others)
        summed[own[:, None] == others] = len(self.feedbacks) - 1
        return summed.astype(unsigned_type(len(self.feedbacks)))

    def feedback_array(self, indices: "Indices") -> "FeedbackArray":
        import numpy as np

        feedbacks = self.feedbacks
        found = np.asarray(indices).astype(np.int64)
        won = found == len(feedbacks) - 1
        if isinstance(feedbacks.numbers, range):
            numbers = found.copy()
        else:
            numbers = np.append(self._table[1], 0)[found]
        numbers[won] = 0
        parts = np.zeros((len(found), len(self._sizes) + 1), dtype=np.int64)
        for place in reversed(range(len(self._sizes))):
            numbers, parts[:, place] = np.divmod(numbers, self._sizes[place])
        parts[:, -1] = won
        return parts

    def mask(self, clue: Clue, feedbacks: "FeedbackArray") -> "Mask":
        return cast(CellsClue, clue).mask(feedbacks)

    # Bounds.

    def _fitting(self, guess: Code, place: int, cell: Cell) -> "npt.NDArray[np.bool_]":
        """Return (R,): whether each row gives one of a cell's answers in the column at a place."""
        import numpy as np

        column, numbers = self.columns[place], self._numbers[place]
        own = numbers[[self.rows_of_table.number_of(guess)]]
        (answers,) = column.answers(own, np.arange(len(column.values)))
        return np.asarray(np.isin(answers, cell)[numbers])

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint that each column answers with a digit that the clue admits."""
        import numpy as np

        columns, rows = cast(CellsClue, clue), self.rows_of_table
        own = rows.number_of(guess)
        if columns.won:
            return rows.among([own])
        parts = [
            rows.among(np.flatnonzero(self._fitting(guess, place, cell)).tolist())
            for place, cell in enumerate(columns.cells)
            if cell
        ]
        return AllOf((*parts, *[self.is_not_secret(guess)] * (not columns.may_win)))

    # Notation.

    @property
    def unread_words(self) -> tuple[str, ...]:
        return UNREAD_WORDS

    @property
    def none_words(self) -> tuple[str, ...]:
        return ()

    @property
    def clue_words(self) -> tuple[str, ...]:
        words = [word for column in self._marked() for _, word in column.marks]
        return tuple(dict.fromkeys((*UNREAD_WORDS, *WON_WORDS, *words)))

    def _marked(self) -> list[MarkedColumn]:
        return [column for column in self.columns if isinstance(column, MarkedColumn)]

    def named_marks(self) -> list[tuple[str, str]]:
        """Return pairs (mark, its name) of all columns, each mark once.

        If columns have words of their own for lower and higher, these have their plain names.
        """
        names: dict[str, str] = {}
        for column in self._marked():
            for mark, word in column.marks:
                if names.setdefault(mark, word) != word:
                    names[mark] = _PLAIN_NAMES.get(mark, names[mark])
        return list(names.items())

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        rows = self.rows_of_table
        other = rows.codes[0 if guess != rows.codes[0] else 1]
        cells = self.full_clue(self.score(guess, other), guess).cells
        texts = [self._texts.format_cell(place, cell) for place, cell in enumerate(cells)]
        columns = f"the columns are {', '.join(self.column_names)}"
        return [
            (columns, " ".join(texts)),
            ("_ is a column that was not read", " ".join([*texts[:-1], "_"])),
            ("some columns, by their names", f"{self.column_names[0]} {texts[0]}"),
        ]

    def parse(self, text: str, guess: Code) -> CellsClue:
        clue = self.parse_unchecked(text, guess)
        if trouble := self.trouble(guess, clue):
            raise ImpossibleClueError(f"{text.strip()!r:.60} cannot happen: {trouble}")
        return clue

    def parse_unchecked(self, text: str, guess: Code) -> CellsClue:
        if self.says_won(text):
            return self.full_clue(self.winning, guess)
        return self._texts.parse(text)

    def trouble(self, guess: Code, clue: CellsClue) -> str:
        """Return why no row gives a clue's answer in some column; "" if some row does in each."""
        if clue.won:
            return ""
        for place, cell in enumerate(clue.cells):
            if cell and not self._fitting(guess, place, cell).any():
                title, said = self.column_names[place], self._texts.describe_cell(place, cell)
                name = self.rows_of_table.format(guess)
                return f"no secret answers {said!r} in the column {title} to {name}"
        if not clue.may_win and {*clue.cells} == {(0,)} and not self._has_twin(guess):
            return "no other row is equal in all columns"
        return ""

    def _has_twin(self, guess: Code) -> bool:
        import numpy as np

        fits = [self._fitting(guess, place, (0,)) for place in range(len(self.columns))]
        return int(np.logical_and.reduce(fits).sum()) > 1

    def unread_clue(self, guess: Code) -> CellsClue:
        return self._texts.clue([UNREAD] * len(self.columns))

    def is_clue(self, clue: object, guess: Code) -> bool:
        is_own = isinstance(clue, CellsClue) and bool(clue.rest)
        return is_own and cast(CellsClue, clue).sizes == self._sizes

    def is_possible(self, guess: Code, clue: Clue) -> bool:
        return not self.trouble(guess, cast(CellsClue, clue))

    def may_lose(self, guess: Code, clue: Clue) -> bool:
        own = cast(CellsClue, clue)
        return not own.won and not self.trouble(guess, own)

    def _format(self, clue: Clue) -> str:
        return self._texts.format(cast(CellsClue, clue))

    def describe(self, clue: Clue) -> str:
        return self._texts.describe(cast(CellsClue, clue))

    def full_clue(self, feedback: Parts, guess: Code) -> CellsClue:
        *digits, won = feedback
        return CellsClue(tuple((digit,) for digit in digits), self._sizes, (won,))

    def column_tiles(self, clue: Clue) -> list[ColumnTile]:
        """Return how each column of a clue is drawn."""
        cells, tiles = cast(CellsClue, clue).cells, []
        for place, (column, cell) in enumerate(zip(self.columns, cells, strict=True)):
            marks: tuple[tuple[str, str], ...] = ()
            if isinstance(column, MarkedColumn) and len(cell) != 1:
                marks = tuple(column.marks[digit] for digit in cell or range(column.size))
            look = column.look(cell[0]) if len(cell) == 1 else ""
            text = self._texts.format_cell(place, cell)
            words = self._texts.describe_cell(place, cell)
            tiles.append(ColumnTile(column.title, text, words, look, marks))
        return tiles

    def rows_with(self, place: int, text: str) -> list[int]:
        """Return the numbers of the rows with a value in the column at a place.

        In an order, the text may be a range, `1800-1900`; of a set, it is some members. Raises
        ValueError for a text that is no value of the column, or one that no row has.
        """
        column, numbers = self.columns[place], self._numbers[place]
        if text.casefold() == "missing":
            fits = [number == column.blank for number in range(len(column.values))]
        elif isinstance(column, OrderColumn):
            is_asked = _asked_of(column, text)
            fits = [value is not None and is_asked(value) for value in column.values]
        else:
            asked = column.asked(text)
            is_set = isinstance(asked, frozenset)
            fits = [asked <= value if is_set else asked == value for value in column.values]
        rows = [row for row, number in enumerate(numbers) if fits[number]]
        if not rows:
            raise ValueError(f"no row has {text!r:.40} in the column {column.title}")
        return rows

    def claims(self, left: Sequence[int]) -> list[ColumnClaim]:
        """Return what is true of the rows `left`, but not of all rows, in each column.

        The values of an order are a range. Other values are listed if there are few; distances are
        not told.
        """
        claims = []
        for place, column in enumerate(self.columns):
            if not isinstance(column, MarkedColumn):
                continue
            numbers = self._numbers[place]
            values = {column.values[numbers[row]] for row in left}
            if isinstance(column, OrderColumn):
                known = [value for value in values if value is not None]
                low, high = min(known, default=0.0), max(known, default=0.0)
                among = {v for v in column.values if v is not None and known and low <= v <= high}
                values |= among
            rows = tuple(row for row, n in enumerate(numbers) if column.values[n] in values)
            shown = self._shown_values(place, left, isinstance(column, OrderColumn))
            if shown and len(rows) < len(numbers):
                claims.append(ColumnClaim(column.title, shown, rows))
        return claims

    def _shown_values(self, place: int, left: Sequence[int], in_order: bool) -> str:
        """Return the values of some rows as the table writes them; "" if they are too many."""
        column, numbers = self.columns[place], self._numbers[place]
        row_of = {int(numbers[row]): row for row in left}
        cell_of = {
            column.values[number]: self.cell_of(self.rows_of_table.codes[row], place)
            for number, row in row_of.items()
            if number != column.blank
        }
        missing = ["missing"] * (column.blank in row_of)
        if in_order and len(cell_of) > 1:
            return " or ".join([f"{cell_of[min(cell_of)]} to {cell_of[max(cell_of)]}", *missing])
        listed = sorted(cell_of.values())
        return "" if len(listed) > _MOST_CLAIMED else " or ".join([*listed, *missing])

    def cell_of(self, guess: Code, place: int) -> str:
        """Return the cell of a guess's row in the column at a place, as the table has it."""
        rows = self.rows_of_table
        cells = [rows.columns[title] for title in self.columns[place].sources]
        return " ".join(each[rows.number_of(guess)] for each in cells)

    def shared_row(self, clue: Clue) -> str:
        """Return the sign of each column in a shared result: a square, an arrow, or a text."""
        return self._texts.shared(cast(CellsClue, clue))

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, Any]:
        """Return `columns`: what each column answers, in words, by its title."""
        words = [
            self._texts.describe_cell(place, (digit,)) for place, digit in enumerate(feedback[:-1])
        ]
        return {"columns": dict(zip(self.column_names, words, strict=True))}

    def intersect(self, old: Clue, new: Clue) -> Clue | None:
        return cast(CellsClue, old) & cast(CellsClue, new)


def _asked_of(column: OrderColumn, text: str) -> Callable[[float], bool]:
    """Return which values a text means: `-40`, `> -40`, or the range `-40 - 100`.

    A number may have a sign and a date has dashes, so a range is what is no bound and no value, and
    is between two values. Raises ValueError.
    """
    if bound := _BOUND.fullmatch(text):
        end, compared = column.asked(bound[2]), _COMPARED[bound[1]]
        return lambda value: compared(value, end)
    try:
        only = column.asked(text)
        return lambda value: value == only
    except ValueError:
        for dash in _BETWEEN_ENDS.finditer(text, 1):
            with suppress(ValueError):
                low, high = column.asked(text[: dash.start()]), column.asked(text[dash.end() :])
                return lambda value: low <= value <= high
        raise


def _shown(value: Any) -> object:
    """Return a value in a form whose text is the same in every process."""
    return sorted(value) if isinstance(value, frozenset) else value
