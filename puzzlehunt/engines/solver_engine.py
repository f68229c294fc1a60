"""The base of engines that get one code after another from a solver.

Such an engine has a class of models, each of one question. Candidates in code order and samples
come from walks along prefixes: the solver is asked for codes that begin with a prefix. The result
depends only on whether such codes exist, not on which of them the solver finds first.
"""

import math
import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache, partial
from importlib import import_module
from itertools import islice
from typing import ClassVar, Protocol, TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.base import Engine, Sample, check_literals
from puzzlehunt.errors import PuzzlehuntError, missing_package
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History

Find: TypeAlias = Callable[[Code, int], list[Code]]
"""A function of a prefix and a number n: returns n codes with the prefix, or all if fewer."""


class SolverModel(Protocol):
    """A solver's model of the secrets that satisfy some constraints.

    Of the `forgivable` ones, as many may fail as turns of the game may lie.
    """

    def __init__(
        self, game: Game, certain: Sequence[Constraint], forgivable: Sequence[Constraint]
    ) -> None: ...

    def codes(self, prefix: Code) -> Generator[Code]:
        """Find all these secrets that begin with a prefix, one after another, in any order.

        The iterator has to be closed before another is opened.
        """


class SolverEngine(Engine):
    """An engine whose solver finds codes; candidates do not depend on which it finds first.

    Walks along prefixes list the candidates in code order; random walks draw samples. Every code
    that it finds is checked against the rules. Raises PuzzlehuntError without the solver.
    """

    name: ClassVar[str]
    solver: ClassVar[str]
    package: ClassVar[str]
    model: ClassVar[type[SolverModel]]
    largest_sample: ClassVar[int]
    """A sample has at most this many codes, since the solver takes some time for each."""

    def __init__(self, game: Game) -> None:
        try:
            import_module(self.package)
        except ImportError:
            raise missing_package(f"engine {self.name} needs {self.solver}", self.name) from None
        super().__init__(game)
        check_literals(game)
        self._model_of = lru_cache(maxsize=1)(self._new_model)

    def _new_model(self, history: History, also: Constraint) -> SolverModel:
        space, certain, forgivable = self.game.secrets, [also], list[Constraint]()
        if not space.listed:
            certain.append(space.constraint())
        for item in history:
            certain.append(meaning.losing_guess_constraint(self.game, item))
            clues = forgivable if meaning.may_lie(self.game, item) else certain
            clues.append(meaning.clue_constraint(self.game, item))
        return self.model(self.game, certain, forgivable)

    def _find(
        self, history: History, also: Constraint, prefix: Code, most: int, end: float = math.inf
    ) -> list[Code]:
        """Return `most` codes with a prefix that fit a history and `also`, or all if fewer.

        The search stops at the moment `end` (seconds of `time.monotonic`) with at least one code.
        Raises PuzzlehuntError if the solver finds a wrong code.
        """
        codes: list[Code] = []
        try:
            with closing(self._model_of(history, also).codes(prefix)) as found:
                for code in islice(found, most):
                    if not self._is_right(code, history, also):
                        shown = f"{self.solver} found {self.game.format_code(code)}"
                        raise PuzzlehuntError(f"engine {self.name}: {shown}, which is wrong")
                    codes.append(code)
                    if time.monotonic() >= end:
                        break
        except BaseException:  # a player may interrupt: the model may be half changed
            self._model_of.cache_clear()
            raise
        return codes

    def _witness(self, chosen: Sequence[int], also: Constraint = TRUE) -> Code | None:
        return next(iter(self._find(self._history(chosen), also, (), 1)), None)

    def in_code_order(self) -> Iterator[Code]:
        if not self._items:
            return iter(self.game.secrets)
        return walk(self.game, partial(self._find, self.history, TRUE), batch_size=16)

    def _sample(self, size: int, rng: random.Random, end: float) -> Sample:
        space, drawn = self.game.secrets, set[Code]()
        if not self._items:
            if space.size <= size:
                return Sample(tuple(space), complete=True)
            while len(drawn) < size:
                drawn.add(space.random(rng))
            return Sample(tuple(sorted(drawn)), complete=False)
        size, find = min(size, self.largest_sample), partial(self._find, self.history, TRUE)
        # Half of the time is for finding out whether `size` or fewer candidates are left.
        half_time = (time.monotonic() + end) / 2
        codes = find((), size + 1, half_time)
        if len(codes) <= size and time.monotonic() < half_time:
            return Sample(tuple(sorted(codes)), complete=True)
        for _ in range(2 * size):
            drawn.update(islice(walk(self.game, find, 1, codes, rng), 1))
            if len(drawn) == size or time.monotonic() >= end:
                break
        return Sample(tuple(sorted(drawn)), complete=False, even=False)


def walk(
    game: Game, find: Find, batch_size: int = 1, known_codes: Iterable[Code] = (),
    rng: random.Random | None = None, prefix: Code = (),
) -> Iterator[Code]:  # fmt: skip
    """Yield the codes that begin with `prefix`, in code order, or with `rng` in a random order.

    If fewer than `batch_size` codes begin with a prefix, they are sorted and yielded; otherwise the
    prefix is extended. `known_codes` are codes with `prefix` that are known to fit.
    """
    codes, size = list(known_codes), len(prefix)
    if len(codes) < batch_size:
        codes = find(prefix, batch_size)
    if len(codes) < batch_size or size == game.length:
        yield from sorted(codes)
        return
    symbols = list(range(len(game.secrets.alphabet)))
    if game.secrets.listed:
        symbols = sorted({code[size] for code in game.secrets if code[:size] == prefix})
    if rng is not None:
        symbols.sort(key=lambda _: rng.random())
    for symbol in symbols:
        longer = (*prefix, symbol)
        codes_with_it = [code for code in codes if code[: size + 1] == longer]
        yield from walk(game, find, batch_size, codes_with_it, rng, longer)
