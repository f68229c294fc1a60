"""The engine of games with several boards: one engine per board, since no clue joins boards."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, product

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.base import UNKNOWN, BoardState, Count, Engine, Sample
from puzzlehunt.errors import TooLargeError
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item, Turn

_NO_FACT = Fact("", TRUE)
"""What an item says of a board that it is not about, so that each board has as many items."""


class ProductEngine(Engine):
    """An engine of engines, one for each board; a candidate joins one candidate of each board."""

    def __init__(self, game: Game, open_one: Callable[[Game], Engine]) -> None:
        super().__init__(game, open_one)
        self._engines = [open_one(game.one_board) for _ in range(game.boards)]
        self.proves = all(engine.proves for engine in self._engines)

    def boards(self) -> tuple[BoardState, ...]:
        return self._boards_after(range(len(self._items)))

    def _items_of(self, board: int) -> Iterator[Item]:
        about = iter(meaning.on_board(self.game, self.history, board))
        for item in self._items:
            is_about = isinstance(item, Turn) or item.board == board
            yield next(about, _NO_FACT) if is_about else _NO_FACT

    def _boards_after(self, chosen: Sequence[int]) -> tuple[BoardState, ...]:
        """Return the boards after the chosen items; a guess solves a board only if it fits them."""
        history, boards = self._history(chosen), list[BoardState]()
        found = meaning.winning_guesses(self.game, history)
        for number, (engine, code) in enumerate(zip(self._engines, found, strict=True)):
            engine.follow(self._items_of(number))
            about = meaning.on_board(self.game, history, number)
            solved = code is not None and meaning.fits(self.game.one_board, about, code)
            boards.append(BoardState(engine, code if solved else None))
        return tuple(boards)

    def _witness(self, chosen: Sequence[int], also: Constraint = TRUE) -> Code | None:
        raise TooLargeError("questions that join several boards are too large")

    def satisfiable(self, chosen: Sequence[int] | None = None, *, also: Constraint = TRUE) -> bool:
        if also != TRUE:
            return super().satisfiable(chosen, also=also)
        boards = self._boards_after(self._places(chosen))
        return all(board.secret or board.engine.satisfiable(chosen) for board in boards)

    def in_code_order(self) -> Iterator[Code]:
        return _candidates(self.boards())

    def _sample(self, size: int, rng: random.Random, end: float) -> Sample:
        samples = [
            Sample((board.secret,), complete=True)
            if board.secret
            else board.engine.sample(size, rng, end=end)
            for board in self.boards()
        ]
        of_boards = [sample.codes for sample in samples]
        few = math.prod(map(len, of_boards)) <= size
        joined = {tuple(chain(*codes)) for codes in product(*of_boards)} if few else set[Code]()
        while len(joined) < size and not few:
            joined.add(tuple(chain(*map(rng.choice, of_boards))))
        complete = few and all(sample.complete for sample in samples)
        return Sample(tuple(sorted(joined)), complete, all(sample.even for sample in samples))

    def count(self, *, quickly: bool = False) -> Count:
        """Return the exact number of candidates; unknown if a board is not counted quickly."""
        counts = [board.count(quickly=True).exact for board in self.boards()]
        known = [count for count in counts if count is not None]
        return Count.of(math.prod(known)) if len(known) == len(counts) else UNKNOWN


def _candidates(boards: Sequence[BoardState]) -> Iterator[Code]:
    if not boards:
        yield ()
        return
    board, *others = boards
    for first in [board.secret] if board.secret else board.engine.in_code_order():
        for rest in _candidates(others):
            yield (*first, *rest)
