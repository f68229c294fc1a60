"""Results that people share: a header, rows of squares, an address; they answer unread guesses."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidClueError, InvalidTurnError, PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import read_line
from puzzlehunt.rules.base import TileRule
from puzzlehunt.rules.notation.tiles import UNREAD_SQUARE, only_squares


@dataclass(frozen=True, slots=True)
class SharedResult:
    """A shared result: the guesses that stand before it, and its rows of squares.

    A blank line between rows begins another group: some games show their boards two by two.
    """

    guesses: tuple[Code, ...]
    groups: tuple[tuple[str, ...], ...]

    def fill(self, game: Game, history: History) -> History:
        """Return a history with the clues of its unread turns and of the guesses before the text.

        Raises InvalidTurnError where the rows are not those of these guesses, IllegalGuessError
        where a new guess breaks hard mode.
        """
        before_text = len(history.turns)
        history = history.add(*(Turn(guess, game.unread_clue(guess)) for guess in self.guesses))
        unread = [
            n for n, t in enumerate(history.turns, start=1) if t.clue == game.unread_clue(t.guess)
        ]
        rows = self._rows(game)
        if len(rows) != len(unread):
            raise InvalidTurnError(_mismatch(len(rows), len(unread)))
        for place, (number, row) in enumerate(zip(unread, rows, strict=True), start=1):
            turn = history.turn(number)
            before = History(history.turns[: number - 1])
            if number > before_text:
                game.check_guess(turn.guess, before)
            try:
                clue = game.parse_clue(_as_clue(game, row, before), turn.guess)
            except InvalidClueError as error:
                raise InvalidTurnError(f"row {place} of the text: {error}") from None
            history = history.replace(number, replace(turn, clue=clue))
        return history

    def _rows(self, game: Game) -> list[tuple[str, ...]]:
        """Return for each guess the squares of each board. Raises InvalidTurnError."""
        if game.boards == 1:
            return [(row,) for group in self.groups for row in group]
        width = game.one_board.length
        abreast = len(self.groups[0][0]) // width
        whole = abreast > 0 and game.boards % abreast == 0
        for place, row in enumerate((row for group in self.groups for row in group), start=1):
            if not whole or len(row) != abreast * width:
                raise InvalidTurnError(
                    f"row {place} of the text has {len(row)} squares; "
                    f"{game.boards} boards of {width} have {game.boards * width}"
                )
        groups = self.groups
        if abreast == game.boards:
            groups = (tuple(row for group in groups for row in group),)
        if len(groups) * abreast != game.boards:
            raise InvalidTurnError(
                f"the text shows {len(groups) * abreast} boards; the game has {game.boards}"
            )
        parts = [[_split(row, width) for row in group] for group in groups]
        nothing = ("*",) * abreast
        return [
            tuple(board for part in together for board in part)
            for together in zip_longest(*parts, fillvalue=nothing)
        ]


def _split(row: str, width: int) -> tuple[str, ...]:
    return tuple(row[start : start + width] for start in range(0, len(row), width))


def _as_clue(game: Game, row: tuple[str, ...], before: History) -> str:
    """Return the text of the clue in a row of squares; `*` for a board that was solved before."""
    if game.boards == 1:
        return row[0]
    solved = game.winning_guesses(before)
    return " ".join("*" if code else part for part, code in zip(row, solved, strict=True))


def _mismatch(rows: int, unread: int) -> str:
    count = f"{rows} row{'s' * (rows != 1)} of squares"
    if not unread:
        return f"{count}, but no guess is unread: type the guesses first, one a line"
    return f"{count}, but {unread} guess{'es are' if unread > 1 else ' is'} unread"


def read_shared(game: Game, lines: Sequence[str]) -> SharedResult | None:
    """Return the shared result in some lines, None where there is none, or turns beside it.

    Guesses alone may stand before it; one guess and one row are a turn on two lines, and no shared
    result. A header or an address is passed over. Raises InvalidTurnError for a word before squares
    that looks like a guess and cannot be one.
    """
    rule = game.one_board.rule
    if not isinstance(rule, TileRule):
        return None
    signs = {UNREAD_SQUARE, *(sign for sign in rule.other_marks if not sign.isascii())}
    guesses: list[Code] = []
    groups: list[list[str]] = [[]]
    mistyped = problem = ""
    for line in lines:
        row = _row_in(line, signs)
        if row is not None:
            problem = mistyped
            groups[-1].append(row)
        elif not line.strip():
            groups.append([])
        elif line.lstrip().startswith("/") or not signs.isdisjoint(line):
            return None
        elif not _NUMBERED_TITLE.fullmatch(line):
            try:
                turn = game.parse_turn(line)
            except PuzzlehuntError as error:
                if not mistyped and _meant_for_guess(game, line):
                    mistyped = f"{line.strip()} before the squares is no guess: {error}"
                continue
            if any(groups) or turn.clue != game.unread_clue(turn.guess):
                return None
            guesses.append(turn.guess)
    rows = tuple(tuple(group) for group in groups if group)
    if not rows or len(guesses) == sum(map(len, rows)) == 1:
        return None
    if problem:
        raise InvalidTurnError(problem)
    return SharedResult(tuple(guesses), rows)


_NUMBERED_TITLE = re.compile(r"\s*\S+\s+#\d\S*\s*")
"""A title such as `Peaks #123`, whose number would otherwise be a comment on a guess."""


def _row_in(line: str, signs: set[str]) -> str | None:
    """Return a line of squares, or of other signs for marks, without blanks; None for others."""
    text = re.sub(r"[\s\ufe0e\ufe0f\u200b\u200d]", "", line)
    return only_squares(line) or (text if text and set(text) <= signs else None)


def _meant_for_guess(game: Game, line: str) -> bool:
    """Return whether a line is one word, mostly of the game's symbols and almost long enough."""
    parts = read_line(game, line)
    if parts.clue:
        return False
    symbols = game.alphabet.tokens(parts.guess)
    symbols_known = sum(game.alphabet.number(symbol) is not None for symbol in symbols)
    lengths = game.guesses.lengths
    return 2 * symbols_known > len(symbols) and lengths[0] - 1 <= len(symbols) <= lengths[-1] + 1
