"""Turns and facts that programs hand over, as texts or as values.

A text is parsed; a value must be one of the game, since a clue of another game would silently leave
nothing.
"""

from typing import cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import At, literals
from puzzlehunt.codes.product_spaces import split
from puzzlehunt.errors import (
    ImpossibleClueError,
    InvalidClueError,
    InvalidFactError,
    check_type,
)
from puzzlehunt.game.history import Fact, Item, Turn
from puzzlehunt.game.lines import with_text
from puzzlehunt.game.spec import GameSpec
from puzzlehunt.rules.notation.clue import Clue, Feedback


def as_turn(turn: object) -> Turn:
    """Return a turn as it is. Raises TypeError for anything else."""
    check_type("turn", turn, Turn, "a Turn, as Game.turn makes it")
    return cast(Turn, turn)


def turn_of(game: GameSpec, guess: Code | str, answer: str | Feedback | Clue, doubt: float) -> Turn:
    """Return what `Game.turn` does."""
    code = game.as_guess(guess)
    return with_text(game, Turn(code, _clue_of(game, code, answer), doubt))


def _clue_of(game: GameSpec, guess: Code, answer: str | Feedback | Clue) -> Clue:
    if isinstance(answer, str):
        return game.parse_clue(answer, guess)
    if isinstance(answer, tuple):
        if not _is_feedback(game, answer):
            example = game.score(guess, next(iter(game.secrets)))
            raise InvalidClueError(
                f"{answer!r:.60} is no feedback of {game.title}; one is {example!r}"
            )
        answer = game.rule.full_clue(answer, guess)
    if not game.rule.is_clue(answer, guess):
        raise InvalidClueError(_no_clue(game, answer))
    if not game.channel.weighs and not game.rule.is_possible(guess, answer):
        raise ImpossibleClueError(
            f"{game.rule.describe(answer)} cannot happen with {game.format_code(guess)}"
        )
    return answer


def _is_feedback(game: GameSpec, answer: Feedback) -> bool:
    """Return whether a tuple is a feedback of a game; of several boards, of each."""
    if game.boards == 1:
        return answer in game.rule.feedbacks
    single = game.one_board.rule.feedbacks
    parts = split(answer, game.boards) if len(answer) % game.boards == 0 else []
    return bool(parts) and all(part in single for part in parts)


def check_item(game: GameSpec, item: object) -> Item:
    """Return a turn or a fact that belongs to a game.

    Raises TypeError for anything else, InvalidCodeError and InvalidClueError for another game's.
    """
    if isinstance(item, Fact):
        for literal in literals(item.constraint):
            symbols, positions = range(len(game.alphabet)), range(game.length)
            in_place = not isinstance(literal, At) or literal.position in positions
            if not (in_place and all(symbol in symbols for symbol in literal.symbols)):
                raise InvalidFactError(f"{item.text!r:.60} is no fact about {game.title}")
        return item
    if not isinstance(item, Turn):
        raise TypeError(f"expected a Turn, a Fact or a line such as 'GUESS CLUE', not {item!r:.60}")
    game.as_guess(item.guess)
    if not game.rule.is_clue(item.clue, item.guess):
        raise InvalidClueError(_no_clue(game, item.clue))
    return item


def _no_clue(game: GameSpec, clue: object) -> str:
    return f"{clue!r:.80} is no clue of {game.title}; game.turn takes an answer as text or feedback"
