"""Repairs: where nothing fits, the cheapest changes of one row after which something does.

What may have gone wrong, and how likely that is taken to be before the other rows are looked at:

- one mark is of another kind: 0.5
- the guess was mistyped, by one symbol or by two neighbours exchanged: 0.2
- two tiles, or the counts of two kinds, are exchanged: 0.15
- one mark was not read after all: 0.06
- anything at all, so that the row is to be doubted: 0.06
- two rows have each other's clues, the one after the other: 0.03

Each is shared among the ways in which it may have happened, and weighed by how likely the rows are
once it is mended. Where every secret is listed, all that leave something are found; where a solver
is asked, as many as there is time for, those of one mark first.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from puzzlehunt.channel.likelihood import log_sum
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DOUBT, History, Turn

PRIORS = {
    "mark": 0.5,
    "guess": 0.2,
    "swapped": 0.15,
    "unread": 0.06,
    "doubt": 0.06,
    "neighbour": 0.03,
}
"""The kinds of mistakes, each with how likely it is."""

_MOST_QUERIES = 600
_PATIENCE, _MARKS_PATIENCE = 2.0, 4.0
"""A solver is asked so often, and for so many seconds; then what was found must do."""


@dataclass(frozen=True, slots=True)
class Repair:
    """One way to mend a history: the new turns by their numbers (from 1), and of which kind it is.

    `count` is how many candidates it leaves (None: unknown), `probability` how likely it is among
    all repairs. Only rows that have each other's clues are two `turns`.
    """

    number: int
    turns: tuple[tuple[int, Turn], ...]
    kind: str
    count: int | None
    probability: float

    def mended(self, history: History) -> History:
        """Return a history with this repair."""
        for number, turn in self.turns:
            history = history.replace(number, turn)
        return history


@dataclass(frozen=True, slots=True)
class _Change:
    """New turns at some places of a history, and the logarithm of how likely that mistake is."""

    places: tuple[int, ...]
    turns: tuple[Turn, ...]
    kind: str
    chance: float


def repairs(engine: Engine) -> list[Repair]:
    """Return the repairs of what an engine knows, the likeliest first; [] where something fits.

    [] in games of several boards too, and where neither a single row is to blame nor two that have
    each other's clues.
    """
    if engine.game.boards > 1 or engine.satisfiable():
        return []
    game = engine.game
    turns = [(at, item) for at, item in enumerate(engine.items) if isinstance(item, Turn)]
    alone = _alone(engine, turns)
    changes = [change for at, turn in alone for change in _clues(game, at, turn)]
    changes += _neighbours(turns)
    changes += (change for at, turn in alone for change in _guesses(game, at, turn))
    changes = [change for change in changes if _goes_on(game, change, turns)]
    found: dict[tuple[tuple[int, Turn], ...], tuple[_Change, int | None, float]] = {}
    for change, count, weight in _weighed(engine, changes):
        key = tuple(zip(change.places, change.turns, strict=True))
        if key in found:
            change, weight = found[key][0], log_sum((weight, found[key][2]))
        found[key] = (change, count, weight)
    return _ranked(list(found.values()), {at: n for n, (at, _) in enumerate(turns, start=1)})


def _goes_on(game: Game, change: _Change, turns: Sequence[tuple[int, Turn]]) -> bool:
    """Return whether no row but the last has now won that had not: the game went on after it."""
    old, (last, _) = dict(turns), turns[-1]
    return not any(
        at != last and game.rule.wins(turn.clue) and not game.rule.wins(old[at].clue)
        for at, turn in zip(change.places, change.turns, strict=True)
    )


def _alone(engine: Engine, turns: Sequence[tuple[int, Turn]]) -> list[tuple[int, Turn]]:
    """Return the turns without each of which the others agree: they are in every conflict."""
    every = range(len(engine.items))
    last = engine.first_conflict() or 0
    suspected = set(engine.core(range(last + 1)) or every)
    alone = []
    for at, turn in turns:
        if at in suspected:
            conflict = engine.core([other for other in every if other != at])
            if conflict is None:
                alone.append((at, turn))
            else:
                suspected &= set(conflict)
    return alone


def _ranked(
    found: list[tuple[_Change, int | None, float]], numbers: dict[int, int]
) -> list[Repair]:
    most = max((weight for *_, weight in found), default=0.0)
    shares = [math.exp(weight - most) for *_, weight in found]
    total = sum(shares)
    order = sorted(range(len(found)), key=lambda n: (-round(shares[n] / total, 9), n))
    return [
        Repair(
            number,
            tuple((numbers[at], turn) for at, turn in zip(c.places, c.turns, strict=True)),
            c.kind,
            count,
            shares[n] / total,
        )
        for number, n in enumerate(order, start=1)
        for c, count, _ in [found[n]]
    ]


# What each change leaves.


def _weighed(
    engine: Engine, changes: Sequence[_Change]
) -> Iterator[tuple[_Change, int | None, float]]:
    """Yield the changes that leave something, how much, and the logarithm of how likely each is."""
    if (listing := engine.listed) is None:
        yield from _asked(engine, changes)
        return
    by_places: dict[tuple[int, ...], list[_Change]] = {}
    for change in changes:
        by_places.setdefault(change.places, []).append(change)
    for places, some in by_places.items():
        chosen = [at for at in range(len(engine.items)) if at not in places]
        left = listing.evidence(chosen, [change.turns for change in some])
        for change, (count, chance) in zip(some, left, strict=True):
            if count:
                yield change, count, change.chance + chance


def _asked(
    engine: Engine, changes: Sequence[_Change]
) -> Iterator[tuple[_Change, int | None, float]]:
    """Yield the changes that leave something by a solver that cannot count."""
    start = time.monotonic()
    every = len(engine.items)
    ordered = sorted(changes, key=lambda change: change.kind != "mark")
    for asked, change in enumerate(ordered):
        patience = _MARKS_PATIENCE if change.kind == "mark" else _PATIENCE
        if asked >= _MOST_QUERIES or time.monotonic() - start > patience:
            return
        chosen = [at for at in range(every) if at not in change.places]
        pushed = 0
        try:
            for turn in change.turns:
                engine.push(turn)
                pushed += 1
            if engine.core([*chosen, *range(every, every + pushed)]) is None:
                yield change, None, change.chance + _unweighed(engine.game, change)
        finally:
            for _ in range(pushed):
                engine.pop()


def _unweighed(game: Game, change: _Change) -> float:
    """Return the logarithm of how likely a row's clue is that may be anything, else nothing."""
    if change.kind != "doubt":
        return 0.0
    return math.log(DOUBT) + sum(game.likelihood.uniform_chance(turn.clue) for turn in change.turns)


# What may have gone wrong.


def _clues(game: Game, at: int, turn: Turn) -> Iterator[_Change]:
    """Iterate over the clues that a row may have had instead, those of one mark first."""
    likelihood = game.likelihood
    kinds = {
        "mark": likelihood.corrections,
        "swapped": likelihood.swapped,
        "unread": likelihood.blurred,
    }
    for kind, clues in kinds.items():
        for share, clue in clues(turn.clue):
            yield _Change((at,), (replace(turn, clue=clue),), kind, math.log(PRIORS[kind] * share))
    if not turn.doubted:
        chance = math.log(PRIORS["doubt"] / DOUBT)
        yield _Change((at,), (replace(turn, doubt=DOUBT),), "doubt", chance)


def _guesses(game: Game, at: int, turn: Turn) -> Iterator[_Change]:
    """Iterate over the guesses that a row may have been meant to have."""
    others = [code for code in dict.fromkeys(_mistyped(game, turn.guess)) if game.is_listed(code)]
    for code in others:
        chance = math.log(PRIORS["guess"] / len(others))
        yield _Change((at,), (replace(turn, guess=code),), "guess", chance)


def _mistyped(game: Game, guess: Code) -> Iterator[Code]:
    """Iterate over the codes that differ from one in a symbol, or by two neighbours exchanged."""
    for place in range(len(guess) - 1):
        if guess[place] != guess[place + 1]:
            yield (*guess[:place], guess[place + 1], guess[place], *guess[place + 2 :])
    for place, old in enumerate(guess):
        for symbol in range(len(game.alphabet)):
            if symbol != old:
                yield (*guess[:place], symbol, *guess[place + 1 :])


def _neighbours(turns: Sequence[tuple[int, Turn]]) -> Iterator[_Change]:
    """Iterate over the ways to exchange the clues of two rows that follow each other."""
    for (at, first), (after, second) in pairwise(turns):
        if first.clue != second.clue and len(first.guess) == len(second.guess):
            made = replace(first, clue=second.clue), replace(second, clue=first.clue)
            chance = math.log(PRIORS["neighbour"] / (len(turns) - 1))
            yield _Change((at, after), made, "neighbour", chance)
