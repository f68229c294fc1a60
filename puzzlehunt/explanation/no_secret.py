"""Why a code is no secret of a game, whatever its turns and facts say."""

from dataclasses import dataclass
from enum import Enum

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.product_spaces import PairSpace, split
from puzzlehunt.codes.spaces import SymbolSpace, WordSpace
from puzzlehunt.game.game import Game


class Cause(Enum):
    """A cause for which a game never hides a code. The values are names for programs."""

    REPEATED_SYMBOL = "repeated symbol"
    SHARED_SYMBOL = "shared symbol"
    SAME_TWICE = "same twice"
    FORMULA = "formula"
    WIDER_LIST = "wider list"
    GUESS_ONLY = "guess only"
    NO_LIST = "no list"


@dataclass(frozen=True, slots=True)
class NoSecret:
    """The cause for which a game never hides a code, and the part of the code that it is about.

    `symbols` are those that the code repeats, or that its two secrets share; `part` is the one of
    two secrets that is in no list, or the whole code; `list_name` is the narrowest of the wider
    lists that has the code.
    """

    cause: Cause
    part: Code
    symbols: tuple[int, ...] = ()
    list_name: str = ""


def no_secret(game: Game, code: Code) -> NoSecret | None:
    """Return why a code of the right length is no secret of a game of one board; None if it is."""
    if code in game.secrets:
        return None
    if isinstance(game.secrets, PairSpace):
        return _no_pair(game, game.secrets, code)
    repeated = _repeated(code)
    if repeated and _repeats_no_symbol(game):
        return NoSecret(Cause.REPEATED_SYMBOL, code, repeated)
    if game.formula is not None:
        wrong = game.formula.trouble(game.format_code(code)) is not None
        return NoSecret(Cause.FORMULA if wrong else Cause.GUESS_ONLY, code)
    for name, wider in game.wider_games():
        if code in wider.one_board.secrets:
            return NoSecret(Cause.WIDER_LIST, code, list_name=name)
    return NoSecret(Cause.GUESS_ONLY if code in game.guesses else Cause.NO_LIST, code)


def _no_pair(game: Game, pairs: PairSpace, code: Code) -> NoSecret:
    """Return why two secrets do not share a board: wider lists are too long to pair their words."""
    first, second = split(code, 2)
    if first == second:
        return NoSecret(Cause.SAME_TWICE, code)
    for part in (first, second):
        if part not in pairs.single_space:
            return NoSecret(Cause.GUESS_ONLY if part in game.guesses else Cause.NO_LIST, part)
    return NoSecret(Cause.SHARED_SYMBOL, code, tuple(sorted({*first} & {*second})))


def _repeated(code: Code) -> tuple[int, ...]:
    """Return the symbols that a code has more than once, in the order of the alphabet."""
    return tuple(sorted(symbol for symbol in {*code} if code.count(symbol) > 1))


def _repeats_no_symbol(game: Game) -> bool:
    """Return whether no secret of a game has a symbol more than once."""
    secrets = game.secrets
    if isinstance(secrets, SymbolSpace):
        return secrets.distinct
    return isinstance(secrets, WordSpace) and not any(map(_repeated, secrets))
