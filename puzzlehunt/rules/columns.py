"""Columns: each column of a table compares the guess's row with the secret's, by its own kind.

The secrets and guesses are the rows of a table (`NamedRows`). A guess wins if its row is the
secret; another row may be equal to it in all columns.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from itertools import chain
from typing import ClassVar, Self, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import Constraint
from puzzlehunt.codes.named_codes import NamedRows
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.errors import ImpossibleClueError, InvalidClueError, RuleError
from puzzlehunt.kernels.feedback_matrix import BLOCK, Table, table_blocks, unsigned_type
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.rules.base import Indices, OwnNotation
from puzzlehunt.rules.column_kinds import UNREAD_CELLS, ColumnKind, column_kind
from puzzlehunt.rules.notation.cells import with_blanks
from puzzlehunt.rules.notation.cells_clue import CellsClue, CellsFeedbacks
from puzzlehunt.rules.notation.clue import (
    UNREAD,
    UNREAD_SQUARE,
    UNREAD_WORDS,
    Cell,
    Clue,
    FeedbackArray,
    Parts,
)
from puzzlehunt.rules.notation.edits import CellsEdits
from puzzlehunt.rules.notation.synonyms import plain

_SIGN = "\u2190-\U0010ffff"
"""Squares and arrows, between which nothing need stand."""


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
        made.rows_of_table = rows
        for column in made.columns:
            try:
                column.fill(rows)
            except KeyError as error:
                raise RuleError(f"columns: the table has no column {error!s:.40}") from None
            except ValueError as error:
                raise RuleError(f"column {column.title}: {error}") from None
        if made.feedbacks.total >> 62:  # their numbers have 64 bits
            raise RuleError("columns: their answers are too many to number; round the distances")
        return made

    @cached_property
    def edits(self) -> CellsEdits:
        return CellsEdits([(type(column), column.size) for column in self.columns])

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
        """All losing feedbacks in ascending order, and the winning one, which is the last."""
        return CellsFeedbacks([column.size for column in self.columns], win_apart=True)

    @property
    def winning(self) -> Parts:
        return (0,) * len(self.columns) + (1,)

    # Arrays.

    def _numbers_of(self, codes: PackedCodes) -> npt.NDArray[np.int64]:
        digits = cast(Code, tuple(codes.codes.T.astype(np.int64)))
        return np.asarray(self.rows_of_table.number_of(digits))

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        own, others = self._numbers_of(guesses), self._numbers_of(secrets)
        table: Table = np.zeros((len(own), len(others)), unsigned_type(len(self.feedbacks)))
        for block in table_blocks(len(own), len(others), BLOCK):
            for column in self.columns:
                table[block] *= table.dtype.type(column.size)
                table[block] += column.answers(own[block], others).astype(table.dtype)
        table[own[:, None] == others] = self.feedbacks.total
        return table

    def feedback_array(self, indices: Indices) -> FeedbackArray:
        return self.feedbacks.array(indices)

    # Bounds.

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint that each column answers with a digit that the clue admits."""
        columns, rows = cast(CellsClue, clue), self.rows_of_table
        own, every = rows.number_of(guess), np.arange(len(rows.values))
        if columns.won:
            return rows.among([own])
        fits = every != own if not columns.may_win else every >= 0
        for place, column in enumerate(self.columns):
            fits &= np.isin(column.answers(every[[own]], every)[0], columns.choices(place))
        return rows.among(np.flatnonzero(fits).tolist())

    # Notation.

    @property
    def clue_words(self) -> tuple[str, ...]:
        words = [word for column in self.columns for _, word in column.marks]
        return tuple(dict.fromkeys((*super().clue_words, *words)))

    def named_marks(self) -> list[tuple[str, str]]:
        """Return pairs (mark, its name) of all columns, each mark once, by its first name."""
        names: dict[str, str] = {}
        for mark, name in chain.from_iterable(column.marks for column in self.columns):
            names.setdefault(mark, name)
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
        """Return the clue of cells in the order of the columns, or each behind its column's title.

        Between cells are blanks, commas or signs. A guess wins if all columns are equal, unless a
        dot follows them.
        """
        rest, titles = plain(text).strip(" \r\n|"), ", ".join(self.column_names)
        if rest.casefold() in UNREAD_CELLS:
            return self.unread_clue(guess)
        rest, cells = with_blanks(rest), dict[int, Cell]()
        is_named, count = self.column_named(rest) is not None, len(self.columns)
        while rest and (is_named or len(cells) < count):
            named = self.column_named(rest) if is_named else (len(cells), rest)
            if named is None:
                raise InvalidClueError(f"{rest!r:.60} names no column: {titles}")
            place, rest = named
            if place in cells:
                raise InvalidClueError(f"{self.column_names[place]} is told twice")
            cells[place], rest = _first_cell(self.columns[place], rest)
        are_equal = {*cells.values()} == {(0,)}
        if not is_named and (len(cells) < count or rest not in ("", "." * are_equal)):
            wanted = f"an answer for each column, {titles}; _ for one that was not read"
            raise ImpossibleClueError(f"{text!r:.60} is not {wanted}")
        listed = tuple(cells.get(place, UNREAD) for place in range(count))
        return CellsClue(listed, self.feedbacks.sizes, are_equal and not (is_named or rest))

    def column_named(self, text: str) -> tuple[int, str] | None:
        """Return the place of the column whose title begins a text, and the text behind it."""
        titles = "|".join(map(re.escape, sorted(self.column_names, key=len, reverse=True)))
        found = re.match(rf"({titles})(?![^\W\d_])\s*:?\s*", text, re.IGNORECASE)
        folded = [title.casefold() for title in self.column_names]
        return (folded.index(found[1].casefold()), text[found.end() :]) if found else None

    def refusal(self, guess: Code, clue: Clue) -> str:
        return ": it won" if cast(CellsClue, clue).won else ""

    def unread_clue(self, guess: Code) -> CellsClue:
        return CellsClue((UNREAD,) * len(self.columns), self.feedbacks.sizes, won=False)

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
        return CellsClue(tuple((digit,) for digit in digits), self.feedbacks.sizes, bool(won))

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

    def cell_of(self, guess: Code, place: int) -> str:
        """Return the cell of a guess's row in the column at a place, as the table has it."""
        rows = self.rows_of_table
        cells = [rows.columns[title] for title in self.columns[place].sources]
        return " ".join(each[rows.number_of(guess)] for each in cells)

    def shared_row(self, clue: Clue) -> str:
        """Return the sign of each column in a shared result: a square, an arrow, or a text."""
        cells = zip(self.columns, cast(CellsClue, clue).cells, strict=True)
        return " ".join(
            column.drawn(cell[0])[1] if len(cell) == 1 else UNREAD_SQUARE for column, cell in cells
        )

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, dict[str, str]]:
        """Return `columns`: what each column answers, in words, by its title."""
        digits = zip(self.columns, feedback, strict=False)
        words = [column.describe_cell((digit,)) for column, digit in digits]
        return {"columns": dict(zip(self.column_names, words, strict=True))}


def _first_cell(column: ColumnKind, text: str) -> tuple[Cell, str]:
    """Return the cell of the longest answer at the beginning of a text, and the text behind it."""
    part = re.findall(r"^\[[^\]]*\]|^[^,;|\t]*", text)[0]
    for end in range(len(part), 0, -1):
        behind = text[end:]
        is_end = not behind or re.match(rf"[\s,;|{_SIGN}]", behind) or text[end - 1] >= _SIGN[0]
        if is_end and (cell := column.read(part[:end])) is not None:
            return cell, re.sub(r"^\s*[,;|]?\s*", "", behind)
    raise InvalidClueError(
        f"{part.strip()!r:.60} is no answer of the column {column.title}: {column.legend()}"
    )
