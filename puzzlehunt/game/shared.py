"""Shared results: texts with a row of squares or circles for each guess, as players post them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from puzzlehunt.errors import InvalidClueError, InvalidTurnError, PuzzlehuntError, counted
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import agreed_clue
from puzzlehunt.game.turn_notation import read_line, with_text
from puzzlehunt.rules.notation.clue import UNREAD_SQUARE


def filled(game: Game, history: History, shared: Sequence[Sequence[str]]) -> History:
    """Return a history with the rows of a shared result as clues.

    If there are as many rows as turns, the rows are the clues of all turns, otherwise of the unread
    ones, in order. Raises InvalidTurnError if the number of rows is wrong, or if a row is not a
    clue or contradicts its turn.
    """
    turns = list(enumerate(history.turns, start=1))
    if len(shared) != len(turns):
        turns = [(n, turn) for n, turn in turns if turn.clue == game.unread_clue(turn.guess)]
    if len(shared) != len(turns):
        trouble = f"{len(turns)} guess{'es are' if turns[1:] else ' is'} unread"
        typed = "no guess is unread: type the guesses first, one a line"
        count = f"{counted(len(shared), 'row')} of squares"
        raise InvalidTurnError(f"{count}, but {trouble if turns else typed}")
    for row_number, ((number, turn), row) in enumerate(zip(turns, shared, strict=True), start=1):
        earlier = History(history.turns[: number - 1])
        solved = game.winning_guesses(earlier) if game.boards > 1 else [None]
        squares = ["*" if code else each for each, code in zip(row, solved, strict=True)]
        try:
            clue = game.parse_clue(" ".join(squares), turn.guess)
        except InvalidClueError as error:
            raise InvalidTurnError(f"row {row_number} of the text: {error}") from None
        agreed = agreed_clue(game, turn.guess, turn.clue, clue)
        if agreed is None:
            row_text = f"row {number}, {game.format_turn(turn)}"
            raise InvalidTurnError(f"row {row_number} of the text contradicts {row_text}")
        history = history.replace(number, with_text(game, replace(turn, clue=agreed)))
    return history


def _rows(game: Game, groups: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return for each guess the squares of each board.

    Games of many boards show some boards at a time: all rows of the first two, a blank line, then
    all rows of the next two. Raises InvalidTurnError for squares that are not the game's boards.
    """
    rows, width = list(chain.from_iterable(groups)), game.one_board.length
    if game.boards == 1:
        return [(row,) for row in rows]
    shown = len(rows[0])
    for row_number, row in enumerate(rows, start=1):
        if len(row) != shown or shown % width or game.boards % (shown // width):
            raise InvalidTurnError(
                f"row {row_number} of the text has {counted(len(row), 'square')}; "
                f"{game.boards} boards of {width} have {game.boards * width}"
            )
    groups = [rows] if shown == game.boards * width else groups
    if len(groups) * shown != game.boards * width:
        boards = counted(len(groups) * shown // width, "board")
        raise InvalidTurnError(f"the text shows {boards}; the game has {game.boards}")
    return [
        tuple(row[start : start + width] or "*" for row in one for start in range(0, shown, width))
        for one in zip_longest(*groups, fillvalue="")
    ]


_NO_SIGNS = re.compile(r"[\s\ufe0e\ufe0f\u200b\u200d]")
_NUMBERED_TITLE = re.compile(r"\s*\S+\s+#\d\S*\s*")
"""A title such as `Peaks #123`, whose number would otherwise be a comment on a guess."""


def read_shared(game: Game, lines: Sequence[str]) -> list[tuple[str, ...]] | None:
    """Parse lines as a shared result; None if they are something else, or have guesses in them.

    For each guess the result has the squares of every board, `*` for a board without squares.
    Titles and addresses are skipped.
    """
    signs = _signs(game)
    groups: list[list[str]] = [[]]
    for line in lines:
        row = _NO_SIGNS.sub("", line)
        if row and signs.issuperset(row):
            groups[-1].append(row)
        elif not row:
            groups.append([])
        elif line.lstrip().startswith("/") or not signs.isdisjoint(line) or _guess(game, line):
            return None
    groups = [group for group in groups if group]
    return _rows(game, groups) if groups else None


def _signs(game: Game) -> set[str]:
    """Return the squares or circles that rows may have; none where they would be symbols, too."""
    rule = game.one_board.rule
    signs = {UNREAD_SQUARE}
    if rule.positional or game.boards == 1:
        signs |= rule.shared_signs
    return set() if any(map(game.alphabet.is_named, signs)) else signs


def _guess(game: Game, line: str) -> bool:
    """Return whether a line is a turn, or one word about as long as a guess."""
    if _NUMBERED_TITLE.fullmatch(line):
        return False
    word = read_line(game, line).text
    lengths = range(game.guesses.lengths[0] - 1, game.guesses.lengths[-1] + 2)
    if word.isalnum() and len(word) in lengths:
        return True
    try:
        game.parse_turn(line)
    except PuzzlehuntError:
        return False
    return True
