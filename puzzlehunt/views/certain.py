"""What is certain, in words, and by which turns and facts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from puzzlehunt.game.game import Game

if TYPE_CHECKING:
    from puzzlehunt.explain.certainty import Certain

NOTHING_CERTAIN = "nothing is certain yet"
_TIMES = {1: "once", 2: "twice"}


def certain_lines(game: Game, certain: "Sequence[Certain]") -> list[str]:
    """Return what is certain in words, one line for all that has the same proof.

    That a symbol occurs is left out where a line says in which position it stands.
    """
    boards = sorted({one.board for one in certain if one.board is not None})
    lines = [
        f"board {board + 1}: {line}"
        for board in boards
        for line in _lines(game, [one for one in certain if one.board == board])
    ]
    return lines or _lines(game, certain) or [NOTHING_CERTAIN]


def _lines(game: Game, certain: "Sequence[Certain]") -> list[str]:
    placed = [one.symbol for one in certain if one.position is not None]
    if len(placed) == game.one_board.length:
        certain = [one for one in certain if one.position is not None]
    groups: dict[tuple[int | None, bool, str], list[Certain]] = {}
    for one in certain:
        if one.at_least and placed.count(one.symbol) >= (one.count or 0):
            continue
        groups.setdefault((one.count, one.at_least, proof_text(one)), []).append(one)
    return [f"{_text(game, some)} ({proof})" for (_, _, proof), some in groups.items()]


def certain_text(game: Game, one: "Certain") -> str:
    """Return a certainty in words: `position 1 is H`, `no A`, `E occurs`, `E occurs just once`."""
    return _text(game, [one])


def _text(game: Game, alike: "Sequence[Certain]") -> str:
    """Return in words several positions, or several symbols that occur equally often."""
    one = alike[0]
    names = [game.alphabet.symbols[other.symbol] for other in alike]
    if one.position is not None:
        places = (_place(game.one_board, other.position or 0) for other in alike)
        return "position " + ", ".join(map("{} is {}".format, places, names))
    if not one.count:
        return f"no {', '.join(names)}"
    occur = "occurs" if len(alike) == 1 else "occur"
    times = _TIMES.get(one.count, f"{one.count} times")
    how = f" just {times}"
    if one.at_least:
        how = "" if one.count == 1 else f" at least {times}"
    return f"{', '.join(names)} {occur}{how}"


def _place(game: Game, position: int) -> str:
    length = game.length // game.secrets_at_once
    if game.secrets_at_once == 1:
        return f"{position + 1}"
    return f"{position % length + 1} of secret {position // length + 1}"


def proof_text(one: "Certain") -> str:
    """Return the proof of a certainty in words: `rows 1, 4; fact: contains E`."""
    names = []
    if one.turns:
        rows = "row" if len(one.turns) == 1 else "rows"
        names.append(f"{rows} {', '.join(map(str, one.turns))}")
    return "; ".join([*names, *(f"fact: {fact.text}" for fact in one.facts)])
