"""The engine of games with several boards: an engine a board, since no clue joins them."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.base import UNKNOWN, Board, Count, Engine, Sample
from puzzlehunt.errors import PuzzlehuntError, TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Item

_NOTHING = Fact("", TRUE)
"""Stands for what says nothing of a board."""


class BoardsEngine(Engine):
    """Holds an engine a board; a candidate is a candidate of each board, one after the other.

    What is played after a board was solved says nothing of it.
    """

    def __init__(self, game: Game, open_one: Callable[[Game], Engine]) -> None:
        super().__init__(game)
        self._engines = [open_one(game.one_board) for _ in range(game.boards)]

    def push(self, item: Item) -> None:
        self._items.append(item)
        history = History(self.items)
        for board, engine in enumerate(self._engines):
            said = self.game.on_board(history, board).items
            before = sum(other is not _NOTHING for other in engine.items)
            engine.push(said[-1] if len(said) > before else _NOTHING)

    def pop(self) -> None:
        self._items.pop()
        for engine in self._engines:
            engine.pop()

    def boards(self) -> tuple[Board, ...]:
        return self._boards_after(range(len(self._items)))

    def _boards_after(self, chosen: Sequence[int]) -> tuple[Board, ...]:
        """Return the boards, solved or not by some items alone.

        A secret that the rows of its own board rule out does not solve it.
        """
        history = History(tuple(self._items[place] for place in chosen))
        one = self.game.one_board
        boards = []
        for number, (engine, code) in enumerate(
            zip(self._engines, self.game.winning_guesses(history), strict=True)
        ):
            solved = code is not None and one.fits(self.game.on_board(history, number), code)
            boards.append(Board(engine, code if solved else None))
        return tuple(boards)

    def satisfiable(self, chosen: Sequence[int] | None = None, also: Constraint = TRUE) -> bool:
        if also != TRUE:
            raise TooLargeError("what joins several boards is too much to ask about")
        places = range(len(self._items)) if chosen is None else chosen
        return all(
            board.secret is not None or board.engine.satisfiable(chosen)
            for board in self._boards_after(places)
        )

    def candidates(self) -> Iterator[Code]:
        return _joined(self.boards())

    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        samples = [
            Sample((board.secret,), complete=True)
            if board.secret
            else board.engine.sample(size, rng, end)
            for board in self.boards()
        ]
        if not all(sample.codes for sample in samples):
            return Sample((), all(sample.complete for sample in samples))
        ways = math.prod(len(sample.codes) for sample in samples)
        complete = ways <= size and all(sample.complete for sample in samples)
        chosen = range(ways) if ways <= size else _drawn(ways, size, rng)
        codes = tuple(_way([sample.codes for sample in samples], place) for place in chosen)
        return Sample(codes, complete)

    def cheapest(self, costs: Mapping[int, int], limit: int) -> list[tuple[int, Code]]:
        raise PuzzlehuntError("what breaks the least is asked of one board at a time")

    def count(self, quickly: bool = False) -> Count:
        """Return how many candidates there are; unknown where one board would have to draw some.

        Drawing takes about a second, and that for each board.
        """
        total = 1
        for board in self.boards():
            count = board.count(quickly=True).exact
            if count is None:
                return UNKNOWN
            total *= count
        return Count.exactly(total)


def _joined(boards: Sequence[Board]) -> Iterator[Code]:
    """Iterate over the candidates of some boards, asking each engine for one code at a time."""
    if not boards:
        yield ()
        return
    board, *others = boards
    for first in [board.secret] if board.secret else board.engine.candidates():
        for rest in _joined(others):
            yield (*first, *rest)


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
