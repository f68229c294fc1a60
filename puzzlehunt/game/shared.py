"""Shared results: texts with a row of squares or circles for each guess, as players post them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from puzzlehunt.codes.graphemes import one_spelling
from puzzlehunt.errors import InvalidClueError, InvalidTurnError, counted
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import agreed_clue
from puzzlehunt.game.turn_notation import read_line, tried, with_text
from puzzlehunt.rules.notation.clue import UNREAD_SQUARE


def filled(game: Game, history: History, shared: Sequence[str]) -> History:
    """Return a history with the rows of a shared result as clues.

    The rows are the clues of all turns if there are as many, else of the unread ones, in order.
    Raises InvalidTurnError for another number of rows, and for one that cannot be a turn's clue.
    """
    turns = list(enumerate(history.turns, start=1))
    if len(shared) != len(turns):
        turns = [(n, turn) for n, turn in turns if turn.clue == game.unread_clue(turn.guess)]
    if len(shared) != len(turns):
        raise InvalidTurnError(
            f"{counted(len(shared), 'row')} of squares, but {counted(len(turns), 'unread guess')}; "
            "type the guesses first, one a line"
        )
    for row_number, ((number, turn), row) in enumerate(zip(turns, shared, strict=True), start=1):
        earlier = History(history.turns[: number - 1])
        solved = game.winning_guesses(earlier) if game.boards > 1 else []
        squares = ["*" if any(solved[n : n + 1]) else each for n, each in enumerate(row.split())]
        try:
            clue = game.parse_clue(" ".join(squares), turn.guess)
        except InvalidClueError as error:
            raise InvalidTurnError(f"row {row_number} of the text: {error}") from None
        agreed = agreed_clue(game, turn, replace(turn, clue=clue))
        if agreed is None:
            row_text = f"row {number}, {game.format_turn(turn)}"
            raise InvalidTurnError(f"row {row_number} of the text contradicts {row_text}")
        history = history.replace(number, with_text(game, replace(turn, clue=agreed)))
    return history


_NO_SIGNS = re.compile(r"[\s\ufe0e\ufe0f\u200b\u200d]")
_NUMBERED_TITLE = re.compile(r"\s*\S+\s+#\d\S*\s*")
"""A title such as `Peaks #123`, whose number would otherwise be a comment on a guess."""


def read_shared(game: Game, lines: Sequence[str]) -> list[str] | None:
    """Parse lines as a shared result; None if they are something else, or have guesses in them.

    The result has a clue for each guess, in which `*` is a board without squares. Titles and
    addresses are skipped.
    """
    signs = {UNREAD_SQUARE, *game.one_board.rule.notation.shared_signs}
    if signs & {*map(one_spelling, (*game.alphabet, *game.alphabet.aliases))}:
        return None
    groups: list[list[str]] = [[]]
    for line in lines:
        row = _NO_SIGNS.sub("", line)
        if not row:
            groups.append([])
        elif signs.issuperset(row):
            groups[-1].append(row)
        elif line.lstrip().startswith("/") or not signs.isdisjoint(line) or _is_guess(game, line):
            return None
    groups = [group for group in groups if group]
    return _rows(game, groups) if groups else None


def _rows(game: Game, groups: Sequence[list[str]]) -> list[str]:
    """Return for each guess the squares of each board, with blanks between.

    Games of many boards show some boards at a time: all rows of the first two, a blank line, then
    all rows of the next two.
    """
    rows, width = list(chain.from_iterable(groups)), game.one_board.length
    if game.boards == 1:
        return rows
    groups = [rows] if len(rows[0]) == game.boards * width else groups
    return [
        " ".join(
            row[at : at + width] or "*"
            for row, group in zip(one, groups, strict=True)
            for at in range(0, len(row or group[0]), width)
        )
        for one in zip_longest(*groups, fillvalue="")
    ]


def _is_guess(game: Game, line: str) -> bool:
    """Return whether a line is a turn, or one word about as long as a guess."""
    if _NUMBERED_TITLE.fullmatch(line):
        return False
    word = read_line(game, line).text
    lengths = range(game.guesses.lengths[0] - 1, game.guesses.lengths[-1] + 2)
    is_word = word.isalnum() and len(word) in lengths
    return is_word or tried(game.parse_turn, line) is not None
