"""Shared results: texts with a row of squares or circles for each guess, as players post them.

Each row is the clue of a guess that is written before the squares, or of an unread turn.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidClueError, InvalidTurnError, PuzzlehuntError, counted
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import agreed_clue, merge
from puzzlehunt.game.turn_notation import read_line, with_text
from puzzlehunt.rules.notation.clue import UNREAD_SQUARE


@dataclass(frozen=True, slots=True)
class SharedResult:
    """A shared result: the guesses written before it, and its rows of squares in groups.

    A blank line begins a new group. Games of many boards show two boards at a time: all rows of the
    first two boards, then all rows of the next two.
    """

    guesses: tuple[Code, ...]
    groups: tuple[tuple[str, ...], ...]

    def fill(self, game: Game, history: History) -> History:
        """Return a history with this result's guesses added and its rows as their clues.

        If there are as many rows as turns, the rows are the clues of all turns. Otherwise they are,
        in order, the clues of this result's guesses and of all unread turns. Raises
        InvalidTurnError if the number of rows is wrong, or if a row is not a clue or contradicts
        its turn. Raises IllegalGuessError if a new guess breaks hard mode.
        """
        guessed = [Turn(guess, game.unread_clue(guess)) for guess in self.guesses]
        merged = merge(game, history, guessed, is_log=True)
        history, placed = merged.history, {p.number: p.effect for p in merged.placed}
        rows, turns = self._rows_by_guess(game), list(enumerate(history.turns, start=1))
        if len(rows) != len(turns):
            turns = [
                (number, turn)
                for number, turn in turns
                if number in placed or turn.clue == game.unread_clue(turn.guess)
            ]
        if len(rows) != len(turns):
            trouble = f"{len(turns)} guess{'es are' if turns[1:] else ' is'} unread"
            typed = "no guess is unread: type the guesses first, one a line"
            count = f"{counted(len(rows), 'row')} of squares"
            raise InvalidTurnError(f"{count}, but {trouble if turns else typed}")
        for row_number, ((number, turn), row) in enumerate(zip(turns, rows, strict=True), start=1):
            before = History(history.turns[: number - 1])
            if placed.get(number) == "new":
                game.check_guess(turn.guess, before)
            solved = game.winning_guesses(before) if game.boards > 1 else [None]
            squares = ["*" if code else each for each, code in zip(row, solved, strict=True)]
            try:
                clue = game.parse_clue(" ".join(squares), turn.guess)
            except InvalidClueError as error:
                raise InvalidTurnError(f"row {row_number} of the text: {error}") from None
            agreed = agreed_clue(game, turn.guess, turn.clue, clue)
            if agreed is None:
                raise InvalidTurnError(
                    f"row {row_number} of the text contradicts row {number}, "
                    f"{game.format_turn(turn)}"
                )
            history = history.replace(number, with_text(game, replace(turn, clue=agreed)))
        return history

    def _rows_by_guess(self, game: Game) -> list[tuple[str, ...]]:
        """Return for each guess the squares of each board, `*` for a board without squares.

        Raises InvalidTurnError if the width of a row or the number of boards is not the game's.
        """
        rows, width = tuple(chain.from_iterable(self.groups)), game.one_board.length
        if game.boards == 1:
            return [(row,) for row in rows]
        boards_in_row = len(rows[0]) // width
        fits_boards = boards_in_row > 0 and game.boards % boards_in_row == 0
        for row_number, row in enumerate(rows, start=1):
            if not fits_boards or len(row) != boards_in_row * width:
                raise InvalidTurnError(
                    f"row {row_number} of the text has {counted(len(row), 'square')}; "
                    f"{game.boards} boards of {width} have {game.boards * width}"
                )
        groups = (rows,) if boards_in_row == game.boards else self.groups
        if len(groups) * boards_in_row != game.boards:
            shown = counted(len(groups) * boards_in_row, "board")
            raise InvalidTurnError(f"the text shows {shown}; the game has {game.boards}")
        starts = range(0, boards_in_row * width, width)
        return [
            tuple(row[start : start + width] or "*" for row in guess_rows for start in starts)
            for guess_rows in zip_longest(*groups, fillvalue="")
        ]


_NO_SIGNS = re.compile(r"[\s\ufe0e\ufe0f\u200b\u200d]")
_NUMBERED_TITLE = re.compile(r"\s*\S+\s+#\d\S*\s*")
"""A title such as `Peaks #123`, whose number would otherwise be a comment on a guess."""


def read_shared(game: Game, lines: Sequence[str]) -> SharedResult | None:
    """Parse lines as a shared result; None if they are something else.

    Guesses without clues may precede the squares; titles and addresses are skipped. One guess with
    one row is a turn on two lines. Raises InvalidTurnError for a mistyped guess.
    """
    signs = _signs(game)
    guesses: list[Code] = []
    groups: list[list[str]] = [[]]
    mistyped = problem = ""  # the first word that cannot be a guess; reported if squares follow
    for line in lines:
        row = _NO_SIGNS.sub("", line)
        if row and signs.issuperset(row):
            problem = mistyped
            groups[-1].append(row)
        elif not row:
            groups.append([])
        elif line.lstrip().startswith("/") or not signs.isdisjoint(line):
            return None
        elif not _NUMBERED_TITLE.fullmatch(line):
            try:
                turn = game.parse_turn(line)
            except PuzzlehuntError as error:
                if not mistyped and _meant_for_guess(game, line):
                    mistyped = f"{line.strip()} before the squares is not a guess: {error}"
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


def _signs(game: Game) -> set[str]:
    """Return the squares or circles that rows may have; none where they would be symbols, too."""
    rule = game.one_board.rule
    signs = {UNREAD_SQUARE}
    if rule.positional or game.boards == 1:
        signs |= rule.shared_signs
    return set() if any(map(game.alphabet.is_named, signs)) else signs


def _meant_for_guess(game: Game, line: str) -> bool:
    """Return whether a line is one word about as long as a guess, which may be mistyped."""
    word = read_line(game, line).text
    lengths = range(game.guesses.lengths[0] - 1, game.guesses.lengths[-1] + 2)
    return len(word.split()) == 1 and word.isalnum() and len(word) in lengths
