"""What programs hand over, as texts or as values: codes, answers, turns, whole histories.

A text is parsed; of a value it is checked whether it is one of the game, since a symbol number or a
clue of another game would silently leave nothing.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.constraints import At, literals
from puzzlehunt.codes.product_spaces import split
from puzzlehunt.errors import (
    ImpossibleClueError,
    InvalidClueError,
    InvalidCodeError,
    InvalidFactError,
    check_type,
)
from puzzlehunt.game.history import Fact, History, Item, Turn
from puzzlehunt.game.lines import with_text
from puzzlehunt.rules.notation.clue import Clue, Feedback

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game


def as_text(value: object) -> str:
    """Return a text as it is. Raises TypeError for anything else."""
    check_type("text", value, str, "a text")
    return cast(str, value)


def as_turn(turn: object) -> Turn:
    """Return a turn as it is. Raises TypeError for anything else."""
    check_type("turn", turn, Turn, "a Turn, as Game.turn makes it")
    return cast(Turn, turn)


def as_guess(game: "Game", guess: Code | str) -> Code:
    """Return a guess as it is, or the one that a text writes. Raises InvalidCodeError."""
    if isinstance(guess, str):
        return game.parse_guess(guess)
    if not game.is_code(guess):
        raise InvalidCodeError(_no_code(game, guess, "guess"))
    return guess


def as_secret(game: "Game", secret: Code | str) -> Code:
    """Return a secret as it is, or the one that a text writes. Raises InvalidCodeError."""
    if isinstance(secret, str):
        return game.parse_secret(secret)
    if not _is_secret(game, secret):
        raise InvalidCodeError(_no_code(game, secret, "secret"))
    return secret


def secrets_written(game: "Game", text: str) -> Code:
    """Return the code of several secrets in a text, joined. Raises InvalidCodeError."""
    parts = _parts_of(game, text)
    if len(parts) != game.secrets_at_once:
        raise InvalidCodeError(
            f"{text!r}: expected {game.secrets_at_once} secrets with / between them, "
            f"not {len(parts)}"
        )
    space = game.secrets.single
    codes = [game.alphabet.parse(part) for part in parts]
    for part, code in zip(parts, codes, strict=True):
        if len(code) not in space.lengths:
            raise InvalidCodeError(game.wrong_length(part, code, space, "secret"))
    if game.secrets.joint:
        codes.sort()
    return tuple(symbol for code in codes for symbol in code)


def _parts_of(game: "Game", text: str) -> list[str]:
    """Return the text of each secret in a text of several secrets with `/` between them.

    In a game with the symbol `/` the text is cut by the length of a secret, if `/` stands after
    each such piece; in all other cases every `/` separates two secrets.
    """
    length = game.length // game.secrets_at_once
    if game.alphabet.number("/") is None or {*text[length :: length + 1]} != {"/"}:
        return [part.strip() for part in text.split("/")]
    return [text[start : start + length] for start in range(0, len(text), length + 1)]


def _is_secret(game: "Game", secret: object) -> bool:
    """Return whether a value is a code as long as a secret, listed or not."""
    symbols = range(len(game.alphabet))
    is_long = isinstance(secret, tuple) and len(secret) in game.secrets.lengths
    return is_long and all(symbol in symbols for symbol in cast(Code, secret))


def _no_code(game: "Game", given: object, role: str) -> str:
    """Return the error message for a value that is no guess or secret (`role`) of a game."""
    first = FOREIGN if role == "guess" and game.ignore_foreign else 0
    space = game.guesses if role == "guess" else game.secrets
    return (
        f"{given!r:.60} is no {role} of {game.title}: a text such as "
        f"{game.format_code(next(iter(space)))}, or a tuple of symbol numbers from {first} to "
        f"{len(game.alphabet) - 1}"
    )


def turn_of(game: "Game", guess: Code | str, answer: str | Feedback | Clue, doubt: float) -> Turn:
    """Return what `Game.turn` does."""
    code = as_guess(game, guess)
    return with_text(game, Turn(code, _clue_of(game, code, answer), doubt))


def _clue_of(game: "Game", guess: Code, answer: str | Feedback | Clue) -> Clue:
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


def _is_feedback(game: "Game", answer: Feedback) -> bool:
    """Return whether a tuple is a feedback of a game; of several boards, of each."""
    if game.boards == 1:
        return answer in game.rule.feedbacks
    single = game.one_board.rule.feedbacks
    parts = split(answer, game.boards) if len(answer) % game.boards == 0 else []
    return bool(parts) and all(part in single for part in parts)


def check_item(game: "Game", item: object) -> Item:
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
    as_guess(game, item.guess)
    if not game.rule.is_clue(item.clue, item.guess):
        raise InvalidClueError(_no_clue(game, item.clue))
    return item


def _no_clue(game: "Game", clue: object) -> str:
    return f"{clue!r:.80} is no clue of {game.title}; game.turn takes an answer as text or feedback"


def as_history(game: "Game", history: Iterable[Item | str] | str) -> History:
    """Return a history as it is, or that of some lines, turns and facts.

    A text is a history of its lines. Raises what `Game.as_item` raises.
    """
    if isinstance(history, History):
        for item in history:
            check_item(game, item)
        return history
    lines = history.splitlines() if isinstance(history, str) else history
    check_type("history", lines, Iterable, "a History, or lines such as ['GUESS CLUE']")
    return History(tuple(map(game.as_item, lines)))
