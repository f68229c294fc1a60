"""How a guess splits the candidates, the chance that it wins, and how much it leaves otherwise."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.errors import TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Row
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.measures import expected_size, information_gain
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Position


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


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a guess may do.

    - `win`: the chance (0 to 1) that the guess is the secret; None if unknown
    - `left`: how many candidates are left on average after the answer, if the guess does not win
      and every row is right; None if that is unknown, or if there is no other candidate
    - `attempts`: how many guesses the player has left, this one included; None without a limit
    """

    win: float | None
    left: float | None = None
    attempts: int | None = None


def outlook(engine: Engine, advice: Advice) -> Outlook:
    """Return the outlook of the best guess of an advice for the position of an engine."""
    game, best = engine.game, advice.suggestions[0]
    guessed, attempts = len(History(engine.items).turns), None
    if game.play.attempts is not None and game.play.attempts > guessed:
        attempts = game.play.attempts - guessed
    listing = engine.listed
    if advice.question or listing is None:
        return Outlook(best.chance, attempts=attempts)
    position = Position.of(game, listing, pool=Pool())
    return Outlook(position.chance(best.guess), _average_left(position, best.guess), attempts)


def _average_left(position: Position, guess: Code) -> float | None:
    """Return how many candidates other than a guess are left on average; None if unknown.

    That is the sum over all clues of the clue's chance times the candidates that may show it.
    """
    others, rule, seen = position.candidates, position.game.rule, position.observation
    row = array_of([guess], position.game.length)
    if not position.game.only_questions:
        codes = position.secrets.codes[others]
        others = others[(codes != row[:, : codes.shape[1]]).any(axis=1)]
    if not len(others):
        return None
    shares = replace(position, candidates=others).shares
    rows, secrets = rule.rows(row), position.secrets[others]
    if seen is None or not seen.differs:
        clue_chances = rule.partitions(rows, secrets, shares)
        return float((clue_chances * rule.partitions(rows, secrets)).sum())
    if not seen.complete or len(others) * seen.clues > 4_000_000:  # cells of a table (memory)
        return None
    answer_of_each = np.eye(len(rule.feedbacks))[rule.table(rows, secrets)[0]]
    clues_of_each, _ = seen.partitions(
        lambda weights: answer_of_each * weights[:, None], np.ones(len(others)), others
    )
    return float((shares @ clues_of_each * (clues_of_each > 0).sum(axis=0)).sum())
