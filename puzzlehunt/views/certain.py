"""What is certain, in words, and by which turns and facts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from puzzlehunt.errors import in_number
from puzzlehunt.game.game import Game

if TYPE_CHECKING:
    from puzzlehunt.explanation.certainty import Certainty

NOTHING_CERTAIN = "nothing is certain yet"
_TIMES = {1: "once", 2: "twice"}


def certain_lines(game: Game, certainties: "Sequence[Certainty]") -> list[str]:
    """Return what is certain in words, one line for all that has the same proof.

    That a symbol occurs is left out where a line says in which position it stands.
    """
    boards = sorted({certainty.board for certainty in certainties if certainty.board is not None})
    lines = [
        f"board {board + 1}: {line}"
        for board in boards
        for line in _lines(
            game, [certainty for certainty in certainties if certainty.board == board]
        )
    ]
    return lines or _lines(game, certainties) or [NOTHING_CERTAIN]


def _lines(game: Game, certainties: "Sequence[Certainty]") -> list[str]:
    """Return what is certain of one board in words, one line for all that has the same proof."""
    placed = [certainty for certainty in certainties if certainty.position is not None]
    placed_symbols = [certainty.symbol for certainty in placed]
    if len(placed) == game.one_board.length:
        certainties = placed
    groups: dict[tuple[int | None, bool, str], list[Certainty]] = {}
    for certainty in certainties:
        count = certainty.count or 0
        if certainty.at_least and placed_symbols.count(certainty.symbol) >= count:
            continue
        key = (certainty.count, certainty.at_least, proof_text(certainty))
        groups.setdefault(key, []).append(certainty)
    return [f"{_text(game, group)} ({proof})" for (_, _, proof), group in groups.items()]


def certain_text(game: Game, certainty: "Certainty") -> str:
    """Return a certainty in words: `position 1 is H`, `no A`, `E occurs`, `E occurs just once`."""
    return _text(game, [certainty])


def _text(game: Game, group: "Sequence[Certainty]") -> str:
    """Return in words several positions, or several symbols that occur equally often."""
    first = group[0]
    names = [game.alphabet.symbols[certainty.symbol] for certainty in group]
    if first.position is not None:
        positions = (_position(game.one_board, certainty.position or 0) for certainty in group)
        return "position " + ", ".join(map("{} is {}".format, positions, names))
    if not first.count:
        return f"no {', '.join(names)}"
    verb = "occurs" if len(group) == 1 else "occur"
    times = _TIMES.get(first.count, f"{first.count} times")
    how_often = f" just {times}"
    if first.at_least:
        how_often = "" if first.count == 1 else f" at least {times}"
    return f"{', '.join(names)} {verb}{how_often}"


def _position(game: Game, position: int) -> str:
    """Return a position (from 0) as a person counts: from 1, in the secret that it belongs to."""
    length = game.length // game.secrets_at_once
    if game.secrets_at_once == 1:
        return f"{position + 1}"
    return f"{position % length + 1} of secret {position // length + 1}"


def proof_text(certainty: "Certainty") -> str:
    """Return the proof of a certainty in words: `rows 1, 4; fact: contains E`."""
    names = []
    if certainty.turns:
        noun = in_number("row", len(certainty.turns))
        names.append(f"{noun} {', '.join(map(str, certainty.turns))}")
    return "; ".join([*names, *(f"fact: {fact.text}" for fact in certainty.facts)])
