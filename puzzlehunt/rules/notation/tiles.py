"""How clues about tiles are written: a mark for each position of the guess, in its order.

Each tile gets a digit, 0, 1 or 2, whose meaning depends on the rule.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import ImpossibleClueError, counted
from puzzlehunt.rules.notation.clue import (
    UNREAD,
    UNREAD_SQUARE,
    UNREAD_WORDS,
    WON_WORDS,
    Cell,
    MarkNotation,
    Parts,
    check_marks,
    with_blanks,
)
from puzzlehunt.rules.notation.clue_values import CellsClue, whole
from puzzlehunt.rules.notation.synonyms import COLOUR_OF, UNREAD_SIGNS, plain, says_unread

DIGITS = (3,)
"""The number of digits of one tile, as the sizes of a clue have it."""

_OF_COLOURS = {
    "green": 2, "orange": 2, "yellow": 1, "blue": 1, "purple": 1, "black": 0, "white": 0,
}  # fmt: skip
"""The digits of the colours of shared results; of each digit, the first colour is written."""
_SIGNS = {sign: _OF_COLOURS[name] for sign, name in COLOUR_OF.items() if name in _OF_COLOURS}
SQUARES = {sign: n for sign, n in _SIGNS.items() if "CIRCLE" not in unicodedata.name(sign)}
"""Maps the squares and hearts of shared results to digits."""


def tile_clue(cells: Iterable[Sequence[int]]) -> CellsClue:
    """Return the clue of the digits that each tile may have."""
    found = tuple(whole(digits, *DIGITS) for digits in cells)
    return CellsClue(found, DIGITS * len(found))


def only_squares(line: str) -> bool:
    """Return whether a line has squares and nothing else, apart from blanks."""
    return bool(line.strip()) and {*"".join(plain(line).split())} <= {*SQUARES, UNREAD_SQUARE}


class TileNotation(MarkNotation):
    """The notation of clues about tiles in one game.

    `labels` are the names of the digits 0, 1 and 2, `marks` their marks; `unread_mark` is the mark
    of an unread tile. `other_marks` maps further marks and words to the digits that they
    are read as. If guesses have any number of tiles up to `longest`, a win has to be said.
    Raises ValueError for a mark that is not allowed, or that has two meanings.
    """

    def __init__(
        self,
        labels: Sequence[str],
        marks: Sequence[str],
        unread_mark: str,
        other_marks: Mapping[str, int],
        longest: int = 0,
    ) -> None:
        digits = {COLOUR_OF[s]: digit for s, digit in other_marks.items() if s in COLOUR_OF}
        digits |= {word: digits["black"] for word in ("grey", "gray") if "black" in digits}
        digits |= {**_SIGNS, **other_marks, "0": 0, "1": 1, "2": 2}
        digits |= {label: digit for digit, label in enumerate(labels)}
        cells: dict[str, Cell] = {mark: (digit,) for mark, digit in digits.items()}
        cells |= dict.fromkeys((*UNREAD_SIGNS, *UNREAD_WORDS), UNREAD)
        super().__init__(marks, unread_mark, cells)
        self.labels, self.marks = labels, marks
        self.shared_signs = {s for s in (*SQUARES, *other_marks) if not s.isascii()}
        self.hidden_win = tile_clue([(2,)] * longest)
        check_marks([*self.named_marks()[:3], (unread_mark, "unread")], "*[]?/#,;|")

    def full_clue(self, feedback: Parts, guess: Code) -> CellsClue:
        shown = feedback if {*feedback} == {2} else feedback[: len(guess)]
        return tile_clue([digit] for digit in shown)

    def read(self, text: str, guess: Code) -> CellsClue:
        text, tiles = plain(text).strip(" \r\n"), len(guess)
        word = text.casefold().strip("\t,;|")
        if word in self.unread_words or says_unread(word):
            return tile_clue([UNREAD] * tiles)
        if word in WON_WORDS:
            return self.full_clue((2,) * tiles, guess)
        cells = self._cells(text, tiles)
        if len(cells) != tiles:
            has = f"{text!r} has {counted(len(cells), 'tile')}; the guess has {tiles}"
            raise ImpossibleClueError(f"{has}: a mark for each, {self.unread_mark} if unread")
        return tile_clue(cells)

    def _cells(self, text: str, tiles: int) -> list[Cell]:
        """Return the cells of a text, also if they are not as many as the tiles.

        A blank cell of a table is unread. Dashes are left out if there are as many other marks.
        """
        all_of = re.fullmatch(r"all\s+(\w+)", text, re.IGNORECASE)
        marks = all_of[1] * tiles if all_of else re.sub(r"[\s,;|/]", "", with_blanks(text))
        without_dashes = self.read_cells(marks.replace("-", ""), text)
        if "-" not in self._cell_of or len(without_dashes) == tiles:
            return without_dashes
        return self.read_cells(marks, text)

    def named_marks(self) -> list[tuple[str, str]]:
        """Return pairs (mark, name) for the digits 2, 1 and 0, and for a win that marks hide."""
        named = [(self.marks[digit], self.labels[digit]) for digit in (2, 1, 0)]
        return [*named, ("won", "if it is the secret")] if self.hidden_win.cells else named

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        first, rest = self.marks[2], self.marks[0] * (len(guess) - 1)
        said = [
            ("every tile has a mark, none is left out", first + rest),
            (f"{self.unread_mark} is any mark", self.unread_mark + rest),
            ("brackets hold the marks that one tile may have", f"[{first}{self.marks[1]}]{rest}"),
        ]
        return said if rest else []

    def format(self, clue: CellsClue) -> str:
        if clue == self.hidden_win:
            return WON_WORDS[0]
        return "*" if clue.nothing_read else "".join(map(self.format_cell, clue.cells))

    def describe(self, clue: CellsClue) -> str:
        """Return a clue as marks and in words: `GY._. (1 right, 1 elsewhere, 1 unread)`."""
        if clue.nothing_read or clue == self.hidden_win:
            return "nothing read" if clue.nothing_read else WON_WORDS[0]
        counts = [(clue.cells.count((digit,)), self.labels[digit]) for digit in (2, 1)]
        counts.append((sum(len(cell) == 2 for cell in clue.cells), "of two"))
        counts.append((clue.cells.count(UNREAD), "unread"))
        said = ", ".join(f"{n} {what}" for n, what in counts if n)
        return f"{self.format(clue)} ({said or f'all {self.labels[0]}'})"
