"""Why some turns cannot all be right, in a sentence that a person can check by adding up."""

from collections.abc import Iterable, Sequence

from puzzlehunt.errors import counted
from puzzlehunt.explanation.counting_proof import (
    AtOnePosition,
    CountingProof,
    Excess,
    LeftOut,
    TooFew,
    TooMany,
)
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.views.names import name_places

_LATIN_LETTERS = 26
"""Letters in the Latin alphabet: a game with as many symbols is taken to be about letters."""


def proof_sentence(game: Game, history: History, proof: CountingProof | None) -> str:
    """Return a proof in words: `row 1 needs 2 of R, G; row 2 leaves none of them`; "" for none.

    It begins in lower case and has no full stop.
    """
    match proof:
        case TooMany(items, total):
            needs, least = _verb(items, "need"), counted(total, symbol_noun(game))
            rows = _rows(history, items)
            return f"{rows} {needs} at least {least}; a code has {game.length}"
        case TooFew(items, total):
            allow, most = _verb(items, "allow"), counted(total, symbol_noun(game))
            rows = _rows(history, items)
            return f"{rows} {allow} at most {most} in all; a code has {game.length}"
        case LeftOut(bound, others, kept):
            wanted, leave = _symbols(game, bound.symbols), _verb(others, "leave")
            rest = _symbols(game, kept) if kept else "none of them"
            row, rows = _rows(history, [bound.item]), _rows(history, others)
            return f"{row} needs {bound.low} of {wanted}; {rows} {leave} {rest}"
        case Excess(bound, limit):
            row, other = _rows(history, [bound.item]), _rows(history, [limit.item])
            wanted, allowed = _symbols(game, bound.symbols), _symbols(game, limit.symbols)
            needs = f"{row} needs {bound.low} of {wanted}"
            return f"{needs}; {other} allows at most {limit.high} of {allowed}"
        case AtOnePosition(first, second):
            row, other = _rows(history, [first.item]), _rows(history, [second.item])
            puts = "puts" if second.low else "rules out"
            wants = f"{row} puts {_symbols(game, first.symbols)}"
            there = f"{other} {puts} {_symbols(game, second.symbols)} there"
            return f"{wants} at position {(first.position or 0) + 1}; {there}"
        case None:
            return ""


def _rows(history: History, items: Iterable[int]) -> str:
    return name_places(history, items, last=" and ")


def _verb(items: Sequence[int], verb: str) -> str:
    return verb if len(items) > 1 else f"{verb}s"


def _symbols(game: Game, symbols: Iterable[int]) -> str:
    return ", ".join(game.format_code((symbol,)) for symbol in sorted(symbols))


def symbol_noun(game: Game) -> str:
    """Return what one of a game's symbols is called: letter or symbol."""
    all_letters = not game.alphabet.joiner and all(map(str.isalpha, game.alphabet.symbols))
    about_words = game.has_guess_list or len(game.alphabet) == _LATIN_LETTERS
    return "letter" if all_letters and about_words else "symbol"
