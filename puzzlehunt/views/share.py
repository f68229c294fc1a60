"""A game as a text to share: the answers without the letters.

`game.blocks.filled` reads the rows back.
"""

from typing import cast

from puzzlehunt.errors import counted
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue import UNREAD_SQUARE, Clue
from puzzlehunt.rules.notation.clue_values import CellsClue, CountClue
from puzzlehunt.rules.notation.counts import BLACK, sign_of


def share_lines(game: Game, history: History) -> list[str]:
    """Return a game's title with the number of guesses, then a row of signs for each guess.

    Each further board stands below an empty line; a board ends when it is solved.
    """
    lines = [_headline(game, history)]
    for board in range(game.boards):
        turns = (history if game.boards == 1 else meaning.on_board(game, history, board)).turns
        lines += [""] * (board > 0)
        lines += [_row(game.one_board.rule, turn) for turn in turns]
    return lines


def _headline(game: Game, history: History) -> str:
    """Return `Wordle 4/6`, `Wordle X/6` if attempts ran out, or `Jotto: 7 guesses`."""
    guesses, attempts = len(history.turns), game.play.attempts
    is_won = meaning.all_found(game, history)
    if attempts is not None and (is_won or guesses >= attempts):
        return f"{game.title} {guesses if is_won and guesses <= attempts else 'X'}/{attempts}"
    return f"{game.title}: {counted(guesses, 'guess')}"


def _row(rule: Rule, turn: Turn) -> str:
    if not rule.kinds:
        return rule.notation.format(turn.clue)
    if isinstance(rule, ColumnsRule):
        return rule.shared_row(turn.clue)
    if isinstance(rule, TileRule):
        squares = [(sign, digit) for sign, digit in rule.other_marks.items() if not sign.isascii()]
        signs = {digit: sign for sign, digit in reversed(squares)}
        cells = cast(CellsClue, turn.clue).cells
        return "".join(signs[cell[0]] if len(cell) == 1 else UNREAD_SQUARE for cell in cells)
    return _circles(cast(CountRule, rule), len(turn.code), turn.clue) or "-"


def _circles(rule: CountRule, marks: int, clue: Clue) -> str:
    """Return a sign for each mark: those read, then misses, then those unread."""
    if rule.wins(clue):
        return BLACK * rule.length
    counts = cast(CountClue, clue)
    signs = [sign_of(kind) for kind in rule.notation.kinds]
    *read_counts, misses = [low for low, _ in counts.ranges]
    shown = "".join(sign * count for sign, count in zip(signs, read_counts, strict=False))
    unread = UNREAD_SQUARE * (counts.marks - sum(read_counts) - misses)
    return shown + signs[-1] * min(misses, marks - len(shown) - len(unread)) + unread
