"""Columns: each column of a table compares the guess's row with the secret's, by its own kind.

The secrets and guesses are the rows of a table (`NamedRows`). A guess wins if its row is the
secret; another row may be equal to it in all columns.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Code
from puzzlehunt.codes.constraints import AllOf, Constraint
from puzzlehunt.codes.named_rows import NamedRows
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.errors import RuleError, did_you_mean
from puzzlehunt.rules.base import OwnNotation, is_not_secret
from puzzlehunt.rules.column_kinds import OrderColumn, column_kind
from puzzlehunt.rules.notation.cells_clue import CellsClue, CellsFeedbacks
from puzzlehunt.rules.notation.clue import UNREAD, UNREAD_SQUARE, UNREAD_WORDS, Cell, Clue, Parts
from puzzlehunt.rules.notation.column_texts import read_cells
from puzzlehunt.rules.notation.edits import CellsEdits

if TYPE_CHECKING:
    from puzzlehunt.kernels.feedback_matrix import Table
    from puzzlehunt.kernels.packed_codes import CodeArray, PackedCodes
    from puzzlehunt.rules.base import Indices
    from puzzlehunt.rules.column_kinds import Numbers
    from puzzlehunt.rules.notation.clue import FeedbackArray

_MOST_FEEDBACKS = 1 << 62
"""Cap on the number of feedbacks, whose numbers have 64 bits."""
_MOST_LISTED_ROWS = 1_000
"""Up to this many rows, all scores are computed once, and only feedbacks that occur are listed."""
_BLOCK = 1 << 20
"""Size of a block of feedbacks (cells) that are computed together."""
_PLAIN_NAMES = {"<": "lower", ">": "higher", "~<": "nearly lower", "~>": "nearly higher"}
_MOST_CLAIMED = 4
"""Most values of a column that are listed as those that are left."""
_MOST_FALSE = 10_000
"""Most answers that false marks may make of one."""


class ColumnsRule(OwnNotation):
    """The rule `columns` with the settings of one game.

    A feedback has a digit for each column, and last 1 if the guess is the secret, otherwise 0.
    Until `for_codes` gives it a table, the rule knows its columns, but no values.
    """

    name: ClassVar[str] = "columns"
    summary = "for each column: equal, lower, higher, how far"
    option_names: ClassVar[tuple[str, ...]] = ("columns",)
    only_listed: ClassVar[bool] = True
    none_words: tuple[str, ...] = ()

    def prepare(self) -> None:
        given = self.options.get("columns")
        if not isinstance(given, Mapping) or not given:
            raise ValueError("columns: say how each column answers, as in {year: order}")
        self.columns = tuple(column_kind(title, kind) for title, kind in given.items())
        self.column_names = tuple(column.title for column in self.columns)
        self.kinds = [(title, title) for title in self.column_names]
        self.rows_of_table = NamedRows(())
        """The rows that are scored."""

    def for_codes(self, secrets: CodeSpace, guesses: CodeSpace, wins: bool = True) -> Self:
        """Return the rule for the rows of a table. Raises RuleError for cells of a wrong kind."""
        rows = secrets.alphabet
        if self.rows_of_table is rows:
            return self
        if not isinstance(rows, NamedRows) or not rows.columns:
            raise RuleError("rule columns: the secrets are the rows of a table (secret.table)")
        made = type(self)(rows.length, len(rows), options=self.options)
        made._fill(rows)
        if math.prod(made._sizes) > _MOST_FEEDBACKS:
            raise RuleError("columns: their answers are too many to number; round the distances")
        return made

    def _fill(self, rows: NamedRows) -> None:
        for title in (title for column in self.columns for title in column.sources):
            if title not in rows.columns:
                hint = did_you_mean(title, rows.columns)
                raise RuleError(f"columns: the table has no column {title!r:.40}{hint}")
        self.rows_of_table = rows
        for column in self.columns:
            try:
                column.fill(rows)
            except ValueError as error:
                raise RuleError(f"column {column.title}: {error}") from None

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        return tuple(column.size for column in self.columns)

    @cached_property
    def edits(self) -> CellsEdits:
        return CellsEdits([(type(column), column.size) for column in self.columns])

    @cached_property
    def most_false_marks(self) -> int:
        others = [size - 1 for size in self._sizes]
        ways = (sum(map(math.prod, combinations(others, n + 1))) for n in range(len(others)))
        return next((n for n, number in enumerate(ways) if number > _MOST_FALSE), len(others))

    @property
    def settings(self) -> tuple[object, ...]:
        return (self.column_names, self.digest, self.options)

    @cached_property
    def digest(self) -> str:
        rows = self.rows_of_table
        cells = [rows.columns.get(title) for column in self.columns for title in column.sources]
        return hashlib.blake2b(repr(cells).encode(), digest_size=16).hexdigest()

    # The specification.

    def score(self, guess: Code, secret: Code) -> Parts:
        number_of = self.rows_of_table.number_of
        own, other = np.array([number_of(guess)]), np.array([number_of(secret)])
        digits = [int(column.answers(own, other)[0, 0]) for column in self.columns]
        return (*digits, int(guess == secret))

    @cached_property
    def feedbacks(self) -> CellsFeedbacks:
        """All losing feedbacks in ascending order, and the winning one, which is the last.

        Those of a small table are the feedbacks that occur.
        """
        if len(self.rows_of_table.values) > _MOST_LISTED_ROWS:
            return CellsFeedbacks(self._sizes, win_apart=True)
        return CellsFeedbacks(self._sizes, True, self._table[1].tolist()[:-1])

    @property
    def winning(self) -> Parts:
        return (0,) * len(self.columns) + (1,)

    # Arrays.

    def _feedback_numbers(self, guesses: "Numbers", secrets: "Numbers") -> "npt.NDArray[np.int64]":
        """Return the numbers of the feedbacks, (G, S), for the numbers of rows."""
        total = np.zeros((len(guesses), len(secrets)), dtype=np.int64)
        step = max(1, _BLOCK // max(1, len(secrets)))
        for start in range(0, len(guesses), step):
            block = slice(start, start + step)
            for column in self.columns:
                total[block] *= column.size
                total[block] += column.answers(guesses[block], secrets)
        total[guesses[:, None] == secrets] = math.prod(self._sizes)
        return total

    @cached_property
    def _table(self) -> "tuple[Table, npt.NDArray[np.int64]]":
        """The index of each score, (R, R), and the numbers of the feedbacks that occur."""
        from puzzlehunt.kernels.feedback_matrix import unsigned_type

        every = np.arange(len(self.rows_of_table.values))
        numbers = self._feedback_numbers(every, every)
        occurring, table = np.unique(numbers, return_inverse=True)
        return table.reshape(numbers.shape).astype(unsigned_type(len(occurring))), occurring

    def rows(self, codes: "CodeArray") -> "PackedCodes":
        """Return an array of codes with the number of each row."""
        from puzzlehunt.kernels.packed_codes import PackedCodes

        numbers = np.zeros((len(codes), 1), dtype=np.uint64)
        for digits in codes.T:
            numbers = numbers * np.uint64(MOST_SYMBOLS) + digits[:, None].astype(np.uint64)
        return PackedCodes(codes, numbers, numbers[:, :0])

    def table(self, guesses: "PackedCodes", secrets: "PackedCodes") -> "Table":
        from puzzlehunt.kernels.feedback_matrix import unsigned_type

        own, others = guesses.position_bits[:, 0], secrets.position_bits[:, 0]
        if len(self.rows_of_table.values) <= _MOST_LISTED_ROWS:
            return self._table[0][np.ix_(own, others)]
        numbers = self._feedback_numbers(own, others)
        return numbers.astype(unsigned_type(len(self.feedbacks)))

    def feedback_array(self, indices: "Indices") -> "FeedbackArray":
        numbers = np.asarray(indices).astype(np.int64)
        if not isinstance(self.feedbacks.numbers, range):
            numbers = np.array(self.feedbacks.numbers)[numbers]
        parts = np.empty((len(numbers), len(self._sizes) + 1), dtype=np.int64)
        for place in reversed(range(len(self._sizes))):
            numbers, parts[:, place] = np.divmod(numbers, self._sizes[place])
        parts[:, -1] = numbers  # the winning feedback has the number after the last losing one
        return parts

    # Bounds.

    def _fitting(self, guess: Code, place: int, cell: Cell) -> "npt.NDArray[np.bool_]":
        """Return (R,): whether each row gives one of a cell's answers in the column at a place."""
        own = np.array([self.rows_of_table.number_of(guess)])
        every = np.arange(len(self.rows_of_table.values))
        return np.isin(self.columns[place].answers(own, every)[0], cell)

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint that each column answers with a digit that the clue admits."""
        columns, rows = cast(CellsClue, clue), self.rows_of_table
        own = rows.number_of(guess)
        if columns.won:
            return rows.among([own])
        parts = [
            rows.among(np.flatnonzero(self._fitting(guess, place, cell)).tolist())
            for place, cell in enumerate(columns.cells)
            if cell
        ]
        return AllOf((*parts, *[is_not_secret(self, guess)] * (not columns.may_win)))

    # Notation.

    @property
    def clue_words(self) -> tuple[str, ...]:
        words = [word for column in self.columns for _, word in column.marks]
        return tuple(dict.fromkeys((*super().clue_words, *words)))

    def named_marks(self) -> list[tuple[str, str]]:
        """Return pairs (mark, its name) of all columns, each mark once.

        If columns have words of their own for lower and higher, these have their plain names.
        """
        names: dict[str, str] = {}
        for column in self.columns:
            for mark, word in column.marks:
                if names.setdefault(mark, word) != word:
                    names[mark] = _PLAIN_NAMES.get(mark, names[mark])
        return list(names.items())

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        rows = self.rows_of_table
        other = rows.codes[0 if guess != rows.codes[0] else 1]
        cells = self.full_clue(self.score(guess, other), guess).cells
        texts = [column.format_cell(cell) for column, cell in zip(self.columns, cells, strict=True)]
        return [
            (f"the columns are {', '.join(self.column_names)}", " ".join(texts)),
            ("_ is a column that was not read", " ".join([*texts[:-1], "_"])),
            ("some columns, by their names", f"{self.column_names[0]} {texts[0]}"),
        ]

    def read(self, text: str, guess: Code) -> CellsClue:
        cells, won = read_cells(self.columns, text)
        return CellsClue(tuple(cells), self._sizes, (int(won),))

    def refusal(self, guess: Code, clue: Clue) -> str:
        own = cast(CellsClue, clue)
        trouble = self.trouble(guess, own) or "it won" * own.won
        return trouble and f": {trouble}"

    def trouble(self, guess: Code, clue: CellsClue) -> str:
        """Return why no row gives a clue's answer in some column; "" if some row does in each."""
        if clue.won:
            return ""
        fits = [
            self._fitting(guess, place, cell) if cell else None
            for place, cell in enumerate(clue.cells)
        ]
        for column, cell, fit in zip(self.columns, clue.cells, fits, strict=True):
            if fit is not None and not fit.any():
                said = f"{column.describe_cell(cell)!r} in the column {column.title}"
                return f"no secret answers {said} to {self.rows_of_table.format(guess)}"
        is_equal = not clue.may_win and {*clue.cells} == {(0,)}
        if is_equal and sum(map(all, zip(*fits, strict=True))) < 2:
            return "no other row is equal in all columns"
        return ""

    def unread_clue(self, guess: Code) -> CellsClue:
        return CellsClue((UNREAD,) * len(self.columns), self._sizes, (0,))

    def format(self, clue: Clue) -> str:
        own = cast(CellsClue, clue)
        if own.nothing_read:
            return UNREAD_WORDS[0]
        cells = zip(self.columns, own.cells, strict=True)
        dot = [] if own.won or {*own.cells} != {(0,)} else ["."]
        return " ".join([column.format_cell(cell) for column, cell in cells] + dot)

    def describe(self, clue: Clue) -> str:
        own = cast(CellsClue, clue)
        if own.nothing_read:
            return "nothing read"
        if {*own.cells} == {(0,)}:
            return "equal in all columns" + ", but another row" * (not own.won)
        pairs = zip(self.columns, own.cells, strict=True)
        said = [f"{column.title} {column.describe_cell(cell)}" for column, cell in pairs if cell]
        unread = own.marks - len(said)
        return ", ".join(said + [f"{unread} unread"] * bool(unread))

    def full_clue(self, feedback: Parts, guess: Code) -> CellsClue:
        *digits, won = feedback
        return CellsClue(tuple((digit,) for digit in digits), self._sizes, (won,))

    def rows_with(self, place: int, text: str) -> list[int]:
        """Return the numbers of the rows with a value in the column at a place.

        In an order, the text may be a bound or a range, `1800-1900`; of a set, it is some members.
        Raises ValueError for a text that is no value of the column, or one that no row has.
        """
        column = self.columns[place]
        if text.casefold() == "missing":
            fits = [number == column.blank for number in range(len(column.values))]
        else:
            is_meant = column.meant(text)
            fits = [value is not None and is_meant(value) for value in column.values]
        rows = [row for row, number in enumerate(column.numbers) if fits[number]]
        if not rows:
            raise ValueError(f"no row has {text!r:.40} in the column {column.title}")
        return rows

    def claims(self, left: Sequence[int]) -> list[tuple[str, str, tuple[int, ...]]]:
        """Return what is true of the rows `left`, but not of all rows, in each column.

        A claim is the column's title, its values, and the numbers of all rows with these. The
        values of an order are a range. Others are listed if there are few; distances are not told.
        """
        claims = []
        for place, column in enumerate(self.columns):
            row_of = {int(column.numbers[row]): row for row in left}
            values = {column.values[number] for number in row_of}
            cell_of = {
                column.values[number]: self.cell_of(self.rows_of_table.codes[row], place)
                for number, row in row_of.items()
                if number != column.blank
            }
            shown = sorted(cell_of.values())
            if isinstance(column, OrderColumn) and len(cell_of) > 1:
                low, high = min(cell_of), max(cell_of)
                shown = [f"{cell_of[low]} to {cell_of[high]}"]
                values |= {v for v in column.values if v is not None and low <= v <= high}
            rows = tuple(row for row, n in enumerate(column.numbers) if column.values[n] in values)
            is_told = column.marks and len(shown) <= _MOST_CLAIMED
            if is_told and len(rows) < len(column.numbers):
                missing = ["missing"] * (column.blank in row_of)
                claims.append((column.title, " or ".join(shown + missing), rows))
        return claims

    def cell_of(self, guess: Code, place: int) -> str:
        """Return the cell of a guess's row in the column at a place, as the table has it."""
        rows = self.rows_of_table
        cells = [rows.columns[title] for title in self.columns[place].sources]
        return " ".join(each[rows.number_of(guess)] for each in cells)

    def shared_row(self, clue: Clue) -> str:
        """Return the sign of each column in a shared result: a square, an arrow, or a text."""
        cells = zip(self.columns, cast(CellsClue, clue).cells, strict=True)
        return " ".join(
            column.shared(cell[0]) if len(cell) == 1 else UNREAD_SQUARE for column, cell in cells
        )

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, Any]:
        """Return `columns`: what each column answers, in words, by its title."""
        digits = zip(self.columns, feedback, strict=False)
        words = [column.describe_cell((digit,)) for column, digit in digits]
        return {"columns": dict(zip(self.column_names, words, strict=True))}
