"""Guesses half remembered: `RR?GB 2b` has the clue of one of six guesses.

`?` stands for a forgotten symbol, whose number is `FORGOTTEN`. All guesses that fit are equally
likely to be meant. The clue is true of one of them, and that one is not the secret.
"""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import FORGOTTEN, FORGOTTEN_SIGN, Code
from puzzlehunt.errors import ImpossibleClueError, InvalidCodeError, counted
from puzzlehunt.game.history import Turn
from puzzlehunt.rules.notation.clue import Clue

if TYPE_CHECKING:
    from puzzlehunt.game.spec import GameSpec

MOST_MEANT = 200
"""Cap on the guesses that one half remembered may have been."""
_LARGEST_SPACE = 1 << 21
"""Cap on the secrets of a game with such guesses: chances are weighed one by one."""


def half_guess(game: "GameSpec", text: str) -> Code | None:
    """Return the code of a guess half remembered, such as `RR?GB`; None for any other text.

    Raises InvalidCodeError if no guess of the game fits it, if too many do, or if the game has no
    place for it: several secrets, or too many to list.
    """
    alphabet, lengths = game.alphabet, game.guesses.lengths
    is_sign = alphabet.number(FORGOTTEN_SIGN) is not None or game.ignore_foreign
    if FORGOTTEN_SIGN not in text or is_sign or game.names_codes or len(lengths) > 1:
        return None
    names = alphabet.tokens(text)
    code = [FORGOTTEN if name == FORGOTTEN_SIGN else alphabet.number(name) for name in names]
    known = tuple(number for number in code if number is not None)
    if len(known) < len(code) or len(code) != lengths[0] or set(known) == {FORGOTTEN}:
        return None
    if game.secrets_at_once > 1 or game.formula or game.secrets.size > _LARGEST_SPACE:
        raise InvalidCodeError(f"{text}: in this game a guess must be known in full")
    game.meant_guesses(known)
    return known


def meant_guesses(game: "GameSpec", guess: Code) -> tuple[Code, ...]:
    """Return the guesses that one half remembered may have been, in code order.

    Where guesses come from a list, they are those of the list, and secrets. Raises
    InvalidCodeError for none, and for more than `MOST_MEANT`.
    """
    text, places = game.format_code(guess), [p for p, s in enumerate(guess) if s != FORGOTTEN]
    if game.guesses.listed:
        listed = {*game.guesses, *game.secrets}
        found = sorted(code for code in listed if all(code[p] == guess[p] for p in places))
        size = len(found)
    else:
        size = len(game.alphabet) ** (len(guess) - len(places))
        found = [] if size > MOST_MEANT else list(_filled(game, guess))
    if size > MOST_MEANT:
        raise InvalidCodeError(
            f"{text} may be {counted(size, 'guess')}; at most {MOST_MEANT} can be weighed"
        )
    if not found:
        raise InvalidCodeError(f"{text}: no guess of this game fits it")
    return tuple(found)


def _filled(game: "GameSpec", guess: Code) -> Iterator[Code]:
    symbols = range(len(game.alphabet))
    for code in product(*(symbols if s == FORGOTTEN else (s,) for s in guess)):
        if code in game.guesses:
            yield code


def parse_half_clue(game: "GameSpec", text: str, guess: Code) -> Clue:
    """Return the clue of a text about a guess half remembered, as `GameSpec.parse_clue` does.

    Raises ImpossibleClueError if no guess that fits can have lost with this clue.
    """
    problem = f"{text.strip()!r}: a guess that won is the secret; write it in full"
    for code in game.meant_guesses(guess):
        try:
            clue = game.parse_clue(text, code)
        except ImpossibleClueError as error:
            problem = str(error)
        else:
            if not game.rule.wins(clue):
                return clue
    raise ImpossibleClueError(problem)


def describe_half(game: "GameSpec", turn: Turn) -> str:
    """Return in words how many guesses may be meant, given the clue: `one of 6`."""
    may_lose = game.support.may_be_shown if game.channel.weighs else game.rule.may_lose
    possible = [code for code in game.meant_guesses(turn.guess) if may_lose(code, turn.clue)]
    named = game.format_code(possible[0]) if len(possible) == 1 else f"one of {len(possible)}"
    return f"guess half remembered: {named}"
