"""The engine of games with several boards: an engine a board, since no clue joins them."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from puzzlehunt.codes import Code
from puzzlehunt.constraints import TRUE
from puzzlehunt.engines.base import CountingEngine, Engine, Sample
from puzzlehunt.game import Game
from puzzlehunt.history import Fact, History, Item

_NOTHING = Fact("", TRUE)
"""Stands for what says nothing of a board."""


class BoardsEngine(Engine):
    """Holds an engine a board in `boards`; a candidate is a candidate of each board, in a row.

    What is played after a board was solved says nothing of it.
    """

    def __init__(self, game: Game, open_one: Callable[[Game], Engine]) -> None:
        super().__init__(game)
        self.boards = [open_one(game.one_board) for _ in range(game.boards)]

    def push(self, item: Item) -> None:
        self._items.append(item)
        history = History(self.items)
        for board, engine in enumerate(self.boards):
            said = self.game.on_board(history, board).items
            before = sum(known is not _NOTHING for known in engine.items)
            engine.push(said[-1] if len(said) > before else _NOTHING)

    def pop(self) -> None:
        self._items.pop()
        for engine in self.boards:
            engine.pop()

    def satisfiable(self, chosen: Sequence[int] | None = None) -> bool:
        return all(engine.satisfiable(chosen) for engine in self.boards)

    def candidates(self) -> Iterator[Code]:
        listed = [list(engine.candidates()) for engine in self.boards]
        return (tuple(s for secret in secrets for s in secret) for secrets in product(*listed))

    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        drawn = [engine.sample(size, rng, end) for engine in self.boards]
        if not all(sample.codes for sample in drawn):
            return Sample((), all(sample.complete for sample in drawn))
        ways = math.prod(len(sample.codes) for sample in drawn)
        complete = ways <= size and all(sample.complete for sample in drawn)
        chosen = range(ways) if ways <= size else _drawn(ways, size, rng)
        codes = tuple(_way([sample.codes for sample in drawn], place) for place in chosen)
        return Sample(codes, complete)

    def counts(self) -> list[int | None]:
        """Return how many candidates each board has, None where that is unknown."""
        return [e.count() if isinstance(e, CountingEngine) else None for e in self.boards]

    def count(self) -> int | None:
        """Return how many candidates there are together, None where that is unknown."""
        total = 1
        for count in self.counts():
            if count is None:
                return None
            total *= count
        return total


def _drawn(ways: int, size: int, rng: random.Random) -> list[int]:
    """Return so many different places of that many ways, ascending; `rng.sample` has a limit."""
    drawn: set[int] = set()
    while len(drawn) < size:
        drawn.add(rng.randrange(ways))
    return sorted(drawn)


def _way(codes: Sequence[Sequence[Code]], place: int) -> Code:
    """Return the code at a place among all ways to take one code of each board."""
    taken: list[Code] = []
    for some in reversed(codes):
        place, which = divmod(place, len(some))
        taken.append(some[which])
    return tuple(symbol for code in reversed(taken) for symbol in code)
