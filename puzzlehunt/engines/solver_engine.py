"""The base of engines that get one code after another from a solver.

Such an engine provides a `SolverModel`, which finds codes with a prefix that answer a question.
Candidates in code order and samples are derived from it.
"""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint, holds
from puzzlehunt.engines.base import Engine, Sample, check_literals, check_sample
from puzzlehunt.engines.prefixes import Prefixes
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn


@dataclass(frozen=True, slots=True)
class Question:
    """Which secrets satisfy all `constraints`, and violate at most `lies` of the `clues`?"""

    constraints: tuple[Constraint, ...]
    clues: tuple[Constraint, ...]
    lies: int

    def admits(self, code: Code) -> bool:
        """Return whether a code answers the question."""
        broken = sum(not holds(clue, code) for clue in self.clues)
        return broken <= self.lies and all(holds(each, code) for each in self.constraints)


class SolverModel(ABC):
    """A solver's model of the secrets of a game, and of one question about them."""

    @abstractmethod
    def ask(self, question: Question) -> None:
        """Replace the question by another."""

    @abstractmethod
    def find(self, prefix: Code, most: int, end: float | None) -> list[Code]:
        """Return `most` different codes that answer the question, or all such codes if fewer.

        The codes begin with `prefix`. The search stops at the moment `end` (seconds of
        `time.monotonic`).
        """


class SolverEngine(Engine):
    """An engine whose solver finds codes; candidates do not depend on which it finds first.

    Walks along prefixes list the candidates in code order; random walks draw samples. Every code
    that the solver finds is checked against the rules of the game.
    """

    name: ClassVar[str]
    batch_size: ClassVar[int]
    """How many codes a walk along prefixes asks the solver for at a time; 2 or more."""
    largest_sample: ClassVar[int]
    """A sample has at most this many codes, since the solver takes some time for each."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        check_literals(game)
        self._prefixes = Prefixes(game.secrets, game.length)
        self._required: list[tuple[Constraint, Constraint]] = []
        """For each item: what a secret must satisfy, and the clue if it may be a lie, or `TRUE`."""
        self._model: SolverModel | None = None
        self._asked: Question | None = None
        """The question of the model."""

    @abstractmethod
    def new_model(self) -> SolverModel:
        """Return a model of the game alone, without a question."""

    def _push(self, item: Item) -> None:
        if not isinstance(item, Turn):
            self._required.append((item.constraint, TRUE))
        elif self.game.may_lie(item):
            losing = self.game.losing_guess_constraint(item)
            self._required.append((losing, self.game.clue_constraint(item)))
        else:
            self._required.append((self.game.constraint(item), TRUE))
        self._items.append(item)

    def _keep(self, height: int) -> None:
        del self._items[height:], self._required[height:]

    def _question(self, chosen: Sequence[int] | None = None, also: Constraint = TRUE) -> Question:
        required = [self._required[place] for place in self._places(chosen)]
        clues = tuple(clue for _, clue in required if clue != TRUE)
        constraints = (*(each for each, _ in required), also)
        return Question(constraints, clues, self.game.channel.lies.at_most)

    def _find(
        self, question: Question, prefix: Code, most: int, end: float | None = None
    ) -> list[Code]:
        """Return codes as `SolverModel.find` does. Raises PuzzlehuntError if one is wrong."""
        try:
            if self._model is None:
                self._model = self.new_model()
            if self._asked != question:
                self._asked = None
                self._model.ask(question)
                self._asked = question
            codes = self._model.find(prefix, most, end)
        except BaseException:  # a player may interrupt: the model may be half changed
            self._model = self._asked = None
            raise
        for code in codes:
            if code not in self.game.secrets or not question.admits(code):
                shown = self.game.format_code(code)
                raise PuzzlehuntError(f"engine {self.name}'s solver found {shown}, which is wrong")
        return codes

    def _witness(self, chosen: Sequence[int], also: Constraint = TRUE) -> Code | None:
        return next(iter(self._find(self._question(chosen, also), (), 1)), None)

    def in_code_order(self) -> Iterator[Code]:
        if not self._items:
            return iter(self.game.secrets)
        return self._prefixes.walk(partial(self._find, self._question()), self.batch_size)

    def sample(self, size: int, rng: random.Random, *, end: float | None = None) -> Sample:
        check_sample(size, rng)
        if not self._items:
            return self._sample_of_all(size, rng)
        size, question = min(size, self.largest_sample), self._question()
        # Half of the time is for finding out whether `size` or fewer candidates are left.
        half_time = None if end is None else (time.monotonic() + end) / 2
        codes = self._find(question, (), size + 1, half_time)
        interrupted = half_time is not None and time.monotonic() >= half_time
        if len(codes) <= size and not interrupted:
            return Sample(tuple(sorted(codes)), complete=True)
        drawn: set[Code] = set()
        for _ in range(2 * size):
            code = self._prefixes.draw(partial(self._find, question), codes, rng)
            drawn |= set() if code is None else {code}
            if len(drawn) == size or (end is not None and time.monotonic() >= end):
                break
        return Sample(tuple(sorted(drawn)), complete=False, even=False)

    def _sample_of_all(self, size: int, rng: random.Random) -> Sample:
        if self.game.secrets.size <= size:
            return Sample(tuple(self.game.secrets), complete=True)
        drawn: set[Code] = set()
        while len(drawn) < size:
            drawn.add(self.game.secrets.random(rng))
        return Sample(tuple(sorted(drawn)), complete=False)
