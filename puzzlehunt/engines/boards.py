"""The engine of games with several boards: an engine a board, since no clue joins them."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.base import CountingEngine, Engine, Sample
from puzzlehunt.errors import PuzzlehuntError, TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Item

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

    def solved(self, chosen: Sequence[int] | None = None) -> list[Code | None]:
        """Return the secrets of the boards that were solved, which may be in no list.

        With `chosen`, by those items alone; a secret that its own board's rows rule out is none.
        """
        items = self.items if chosen is None else tuple(self.items[place] for place in chosen)
        history = History(items)
        found = self.game.found(history)
        one = self.game.one_board
        return [
            code if code and one.fits(self.game.on_board(history, board), code) else None
            for board, code in enumerate(found)
        ]

    def satisfiable(self, chosen: Sequence[int] | None = None, also: Constraint = TRUE) -> bool:
        if also != TRUE:
            raise TooLargeError("what joins several boards is too much to ask about")
        boards = zip(self.solved(chosen), self.boards, strict=True)
        return all(code is not None or engine.satisfiable(chosen) for code, engine in boards)

    def candidates(self) -> Iterator[Code]:
        return self._from(0, self.solved())

    def _from(self, board: int, solved: list[Code | None]) -> Iterator[Code]:
        """Iterate over the candidates of the boards from one on, asking for one code at a time."""
        if board == len(self.boards):
            yield ()
            return
        code = solved[board]
        for first in [code] if code else self.boards[board].candidates():
            for rest in self._from(board + 1, solved):
                yield (*first, *rest)

    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        boards = zip(self.solved(), self.boards, strict=True)
        drawn = [
            Sample((code,), complete=True) if code else engine.sample(size, rng, end)
            for code, engine in boards
        ]
        if not all(sample.codes for sample in drawn):
            return Sample((), all(sample.complete for sample in drawn))
        ways = math.prod(len(sample.codes) for sample in drawn)
        complete = ways <= size and all(sample.complete for sample in drawn)
        chosen = range(ways) if ways <= size else _drawn(ways, size, rng)
        codes = tuple(_way([sample.codes for sample in drawn], place) for place in chosen)
        return Sample(codes, complete)

    def cheapest(self, costs: Mapping[int, int], limit: int) -> list[tuple[int, Code]]:
        raise PuzzlehuntError("what breaks the least is asked of one board at a time")

    def counts(self) -> list[int | None]:
        """Return how many candidates each board has, None where that is unknown."""
        return [
            1 if code else engine.count() if isinstance(engine, CountingEngine) else None
            for code, engine in zip(self.solved(), self.boards, strict=True)
        ]

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
