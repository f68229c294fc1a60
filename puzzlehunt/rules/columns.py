"""Columns: each column of a table compares the guess's row with the secret's, by its own kind.

The secrets and guesses are the rows of a table (`NamedRows`). A guess wins if its row is the
secret; another row may be equal to it in all columns.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import Self

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import Constraint, one_of
from puzzlehunt.codes.named_codes import NamedRows
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.errors import ImpossibleClueError, InvalidClueError, RuleError
from puzzlehunt.kernels.feedback_matrix import BLOCK, Table, table_blocks, unsigned_type
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.column_kinds import UNREAD_CELLS, ColumnKind, column_kind
from puzzlehunt.rules.notation.clue import UNREAD, UNREAD_WORDS, Cell, Notation, Parts, with_blanks
from puzzlehunt.rules.notation.clue_values import CellsClue, CellsFeedbacks
from puzzlehunt.rules.notation.synonyms import plain

_SIGN = "[\u2190-\U0010ffff]"
"""A square or an arrow; nothing need stand before or behind it."""
_THOUSANDS = re.compile(r"(?<![\d.,])(\d\d?)[, ](\d{3})(?=\s?km)", re.IGNORECASE)
_END_OF_CELL = re.compile(rf"(?<={_SIGN})|{_SIGN}|[\s,;|]|$")


class ColumnsRule(Rule, Notation):
    """The rule `columns`: each column of a table answers in its own way.

    A feedback has a digit for each column; all are 0 for another row that is equal to the guess's.
    Until `for_codes` gives it a table, the rule knows its columns, but no values.
    """

    name = "columns"
    option_names = ("columns",)
    only_listed = True
    none_words = ()

    def prepare(self) -> None:
        given = self.options.get("columns")
        if not isinstance(given, Mapping) or not given:
            raise ValueError("columns: say how each column answers, as in {year: order}")
        self.columns = tuple(column_kind(title, kind) for title, kind in given.items())
        self.column_names = tuple(column.title for column in self.columns)
        self.kinds = [(title, title) for title in self.column_names]
        self.rows_of_table = NamedRows(())

    def for_codes(self, secrets: CodeSpace, guesses: CodeSpace) -> Self:
        """Return the rule for the rows of a table. Raises RuleError for cells of a wrong kind."""
        rows = secrets.alphabet
        if self.rows_of_table is rows:
            return self
        if not isinstance(rows, NamedRows) or not rows.columns:
            raise RuleError("rule columns: the secrets are the rows of a table (secret.table)")
        rule = type(self)(rows.length, len(rows), options=self.options)
        rule.rows_of_table = rows
        for column in rule.columns:
            try:
                column.fill(rows)
            except KeyError as error:
                raise RuleError(f"columns: the table has no column {error!s:.40}") from None
            except ValueError as error:
                raise RuleError(f"column {column.title}: {error}") from None
        if rule.feedbacks.total >> 62:  # their numbers have 64 bits
            raise RuleError("columns: their answers are too many to number; round the distances")
        cells = [rows.columns[title] for column in rule.columns for title in column.sources]
        rule.digest = hashlib.blake2b(repr(cells).encode(), digest_size=16).hexdigest()
        return rule

    # The specification.

    def score(self, guess: Code, secret: Code) -> Parts:
        guessed, hidden = (np.array([self.rows_of_table.number_of(c)]) for c in (guess, secret))
        digits = [int(column.answers(guessed, hidden)[0, 0]) for column in self.columns]
        return self.winning if guess == secret else tuple(digits)

    @cached_property
    def feedbacks(self) -> CellsFeedbacks:
        """All losing feedbacks in ascending order, and the winning one, which is the last."""
        return CellsFeedbacks([column.size for column in self.columns], win_apart=True)

    @cached_property
    def winning(self) -> Parts:
        return (self.columns[0].size, *[0] * (len(self.columns) - 1))

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        codes = (tuple(each.codes.T.astype(np.int64)) for each in (guesses, secrets))
        guessed, hidden = (np.asarray(self.rows_of_table.number_of(each)) for each in codes)
        table: Table = np.zeros((len(guessed), len(hidden)), unsigned_type(len(self.feedbacks)))
        # The index of a losing feedback is the number that its digits write (`CellsFeedbacks`).
        for block in table_blocks(len(guessed), len(hidden), BLOCK):
            for column in self.columns:
                table[block] *= table.dtype.type(column.size)
                table[block] += column.answers(guessed[block], hidden).astype(table.dtype)
        table[guessed[:, None] == hidden] = self.winning_index
        return table

    def constraint(self, guess: Code, clue: CellsClue) -> Constraint:
        rows = self.rows_of_table
        guessed, every = rows.number_of(guess), np.arange(len(rows.values))
        digits = [column.answers(every[[guessed]], every)[0] for column in self.columns]
        answers = np.array(digits).T
        answers[guessed] = self.winning
        return one_of(rows.codes[n] for n in np.flatnonzero(clue.mask(answers)).tolist())

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
        codes = self.rows_of_table.codes
        other = codes[0] if guess != codes[0] else codes[1]
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
        line = _THOUSANDS.sub(r"\1\2", plain(text)).strip(" \r\n|")
        columns = self.columns
        if line.casefold() in UNREAD_CELLS:
            return self._clue([UNREAD] * len(columns))
        rest, cells = with_blanks(line), dict[int, Cell]()
        is_named, titles = self.column_named(rest) is not None, ", ".join(self.column_names)
        while rest and (is_named or len(cells) < len(columns)):
            named = self.column_named(rest) if is_named else (len(cells), rest)
            if named is None or named[0] in cells:
                raise InvalidClueError(f"{rest!r:.60} names no column, or one twice: {titles}")
            cells[named[0]], rest = _first_cell(columns[named[0]], named[1])
        are_equal = len(cells) == len(columns) and {*cells.values()} == {(0,)}
        says_lost = are_equal and rest == "."
        if not is_named and (len(cells) < len(columns) or (rest and not says_lost)):
            wanted = f"an answer for each column, {titles}; _ for one that was not read"
            raise ImpossibleClueError(f"{text!r:.60} is not {wanted}")
        if are_equal and not says_lost:
            return self.full_clue(self.winning, guess)
        return self._clue(cells.get(place, UNREAD) for place in range(len(columns)))

    def column_named(self, text: str) -> tuple[int, str] | None:
        """Return the place of the column whose title begins a text, and the text behind it."""
        titles = "|".join(map(re.escape, sorted(self.column_names, key=len, reverse=True)))
        found = re.match(rf"({titles})(?![^\W\d_])\s*:?\s*", text, re.IGNORECASE)
        folded = [title.casefold() for title in self.column_names]
        return (folded.index(found[1].casefold()), text[found.end() :]) if found else None

    def format(self, clue: CellsClue) -> str:
        if clue.nothing_read:
            return UNREAD_WORDS[0]
        cells = zip(self.columns, clue.lost_cells, strict=True)
        texts = [column.format_cell(cell) for column, cell in cells]
        if {*clue.cells} == {(0,)}:
            texts.append(".")
        return " ".join(texts)

    def describe(self, clue: CellsClue) -> str:
        if clue.nothing_read:
            return "nothing read"
        if self.wins(clue):
            return "equal in all columns"
        if {*clue.cells} == {(0,)}:
            return "equal in all columns, but another row"
        pairs = zip(self.columns, clue.cells, strict=True)
        words = [f"{column.title} {column.describe_cell(cell)}" for column, cell in pairs if cell]
        if unread := clue.cells.count(UNREAD):
            words.append(f"{unread} unread")
        return ", ".join(words)

    def full_clue(self, feedback: Parts, guess: Code) -> CellsClue:
        return self._clue((digit,) for digit in feedback)

    def _clue(self, cells: Iterable[Cell]) -> CellsClue:
        types = tuple((type(column), column.size) for column in self.columns)
        return CellsClue(tuple(cells), self.feedbacks.sizes, types)

    def rows_with(self, place: int, text: str) -> list[int]:
        """Return the numbers of the rows with a value in the column at a place.

        In an order, the text may be a bound or a range, `1800-1900`; of a set, it is some members.
        Raises ValueError for a text that is no value of the column, or one that no row has.
        """
        column = self.columns[place]
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

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, dict[str, str]]:
        """Return `columns`: what each column answers, in words, by its title."""
        cells = zip(self.columns, self.full_clue(feedback, guess).lost_cells, strict=True)
        words = [column.describe_cell(cell) for column, cell in cells]
        return {"columns": dict(zip(self.column_names, words, strict=True))}


def _first_cell(column: ColumnKind, text: str) -> tuple[Cell, str]:
    part = re.findall(r"^\[[^\]]*\]|^[^,;|\t]*", text)[0]
    for end in range(len(part), 0, -1):
        if _END_OF_CELL.match(text, end) and (cell := column.read(text[:end])) is not None:
            return cell, re.sub(r"^\s*[,;|]?\s*", "", text[end:])
    raise InvalidClueError(
        f"{part.strip()!r:.60} is no answer of the column {column.title}: {column.legend()}"
    )
