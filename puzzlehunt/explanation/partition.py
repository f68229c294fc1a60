"""How a guess splits the candidates, the chance that it wins, and how much it leaves otherwise."""

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.errors import NoCandidatesError, TooLargeError
from puzzlehunt.explanation.remaining import open_boards
from puzzlehunt.explanation.unread import listed_or_sampled
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Row
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.kernels.packed_codes import Indices, array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.measures import expected_size, information_gain
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.registry import find_strategy

_BUDGET = Budget(seconds=1.0)
"""For a sample of the candidates if they are not listed."""


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
    counts: dict[Feedback, int]

    def __repr__(self) -> str:
        guess = self.game.format_code(self.guess)
        return f"<Partition of {self.total:,} by {guess}: {self.parts} parts, {self.bits:.2f} bits>"

    def __hash__(self) -> int:
        return hash((self.game, self.guess))

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

    - `win`: the chance (0 to 1) that the guess is the secret, or one of several; None if unknown
    - `left`: how many candidates are left on average after the answer, if the guess does not win
      and every row is right; in a game of several secrets, how many combinations after any answer.
      None if that is unknown, or if there is no other candidate
    - `share`: the chance (0 to 1) that a candidate is left then, if it is neither the guess nor the
      secret; None if that is unknown, or in a game of several secrets
    - `attempts`: how many guesses the player has left, this one included; None without a limit
    """

    win: float | None
    left: float | None = None
    share: float | None = None
    attempts: int | None = None


def outlook(engine: Engine, advice: Advice) -> Outlook:
    """Return the outlook of the best guess of an advice for the position of an engine.

    If the candidates are too many to be listed, the share is estimated from a sample.
    """
    game, best = engine.game, advice.suggestions[0]
    made, attempts = len(History(engine.items).turns), game.play.attempts
    attempts = None if attempts is None or attempts <= made else attempts - made
    if advice.question:
        return Outlook(None, attempts=attempts)
    several, misread = game.boards > 1, game.channel.misread > 0
    missed, left, share, exact = 1.0, 1.0, None, True
    for _, board in open_boards(engine):
        try:
            listing, basis = listed_or_sampled(board, _BUDGET)
            position = Position.of(board.game, listing, pool=Pool())
        except NoCandidatesError:
            return Outlook(best.chance, attempts=attempts)
        exact = exact and not basis
        missed *= 1 - position.chance(best.guess)
        candidates = position.candidates if several else _not_found(position, best.guess)
        average = _average_left(position, best.guess, candidates)
        left *= math.nan if average is None else average
        if not several and average is not None and len(candidates) > 1:
            share = (average - 1) / (len(candidates) - 1)
    win = 1 - missed if exact else None if several or best.candidate else 0.0
    if misread and engine.listed is None:
        win = best.chance
    return Outlook(win, left if exact and left > 0 else None, share, attempts)


def _not_found(position: Position, guess: Code) -> Indices:
    if position.game.only_questions:
        return position.candidates
    codes = position.secrets.codes[position.candidates]
    found = codes == array_of([guess], position.game.length)[:, : codes.shape[1]]
    return np.asarray(position.candidates[~found.all(axis=1)])


def _average_left(position: Position, guess: Code, candidates: Indices) -> float | None:
    weights, observation = position.weights, position.observation
    if not len(candidates) or (observation is not None and not observation.complete):
        return None
    if weights is not None and not weights[candidates].any():
        weights = None
    among = replace(position, candidates=candidates, weights=weights, probabilities=None)
    return find_strategy("expected-size").rate(among, guess).value
