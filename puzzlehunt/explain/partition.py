"""How a guess splits the candidates: how many give each feedback."""

from dataclasses import dataclass

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Listing
from puzzlehunt.game.game import Game
from puzzlehunt.game.viewed import Viewed
from puzzlehunt.kernels.codes import array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.measures import entropy, expected_size


@dataclass(frozen=True)
class Partition(Viewed):
    """A guess, and how many candidates (1 or more) give each feedback, most first."""

    game: Game
    guess: Code
    counts: dict[Feedback, int]

    @property
    def total(self) -> int:
        """How many candidates there are."""
        return sum(self.counts.values())

    @property
    def parts(self) -> int:
        """How many different feedbacks the guess can get."""
        return len(self.counts)

    @property
    def largest(self) -> int:
        """How many candidates may be left at worst."""
        return max(self.counts.values())

    @property
    def average_left(self) -> float:
        """How many candidates will be left on average, where all are equally likely."""
        return float(expected_size(np.array([*self.counts.values()])))

    @property
    def bits(self) -> float:
        """Entropy of the feedback in bits, where all candidates are equally likely."""
        return float(entropy(np.array([*self.counts.values()])))


def partition_of(engine: Listing, guess: Code) -> Partition:
    """Return how a guess splits an engine's candidates. Raises TooLargeError for several boards."""
    game, rule = engine.game, engine.game.rule
    feedbacks = rule.feedbacks
    rows = rule.rows(array_of([guess], game.length))
    answers = rule.table(rows, engine.secrets()[engine.candidate_places()])[0]
    numbers, sizes = np.unique(answers, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    counts = {feedbacks[int(numbers[place])]: int(sizes[place]) for place in order}
    return Partition(game, guess, counts)
