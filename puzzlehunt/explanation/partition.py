"""How a guess splits the candidates."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.errors import TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Row
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.measures import expected_size, information_gain


@dataclass(frozen=True, repr=False)
class Partition(NotebookShown):
    """A guess, and the number of candidates (1 or more) for each feedback, the largest first.

    >>> import puzzlehunt
    >>> parts = puzzlehunt.partition(puzzlehunt.open_engine("2x3"), "AB")
    >>> parts.parts, parts.largest, round(parts.bits, 2)
    (5, 4, 2.06)
    """

    game: Game
    guess: Code
    counts: dict[Feedback, int] = field(hash=False)

    def __repr__(self) -> str:
        guess = self.game.format_code(self.guess)
        return f"<Partition of {self.total:,} by {guess}: {self.parts} parts, {self.bits:.2f} bits>"

    @property
    def total(self) -> int:
        """The number of candidates."""
        return sum(self.counts.values())

    @property
    def parts(self) -> int:
        """The number of different feedbacks that the guess can get."""
        return len(self.counts)

    @property
    def largest(self) -> int:
        """The number of candidates left in the worst case."""
        return max(self.counts.values())

    @property
    def average_left(self) -> float:
        """The expected number of candidates left, if all are equally likely."""
        return float(expected_size(np.array([*self.counts.values()])))

    @property
    def bits(self) -> float:
        """The entropy of the feedback in bits, if all candidates are equally likely."""
        return float(information_gain(np.array([*self.counts.values()])))


def partition(engine: EngineLike, guess: Hashable, *, turns: Iterable[Row] = ()) -> Partition:
    """Return the partition of an engine's candidates by a guess (a code, its text or its value).

    `engine` may be a game, its name or its file, with the `turns` after its own. Raises
    InvalidCodeError, or TooLargeError if the engine does not list every code or the game has
    several boards.

    >>> import puzzlehunt
    >>> puzzlehunt.partition(puzzlehunt.open_engine("2x3"), "AB").counts[(0, 1)]
    2
    """
    engine = as_engine(engine, turns)
    game, rule = engine.game, engine.game.rule
    guess, listing = game.as_guess(guess), engine.listed
    if listing is None:
        raise TooLargeError("how a guess splits candidates is only known if all are listed")
    feedbacks = rule.feedbacks
    rows = rule.rows(array_of([guess], game.length))
    answers = rule.table(rows, listing.secrets()[listing.candidate_places()])[0]
    numbers, sizes = np.unique(answers, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    counts = {feedbacks[int(numbers[place])]: int(sizes[place]) for place in order}
    return Partition(game, guess, counts)
