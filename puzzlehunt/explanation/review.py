"""What guesses and marks tell: how good guesses were, and what one more guess or mark is worth.

The expected bits of a guess follow from the candidates before it, whatever strategy the game uses.
The gained bits measure how far its turn changed the probabilities of the secrets.
"""

import math
import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from puzzlehunt.channel.likelihood import Counts, Likelihood
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, as_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.posterior import Posterior
from puzzlehunt.errors import NoCandidatesError, TooLargeError, check_type, counted
from puzzlehunt.explanation.remaining import Findings, open_boards
from puzzlehunt.game import meaning
from puzzlehunt.game.files.gamefile import GameLike
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Finding, ItemName, Rows, Tabled, Turn
from puzzlehunt.game.turn_notation import check_guess, with_text
from puzzlehunt.kernels.feedback_matrix import entropy_terms
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.rules.notation.clue_values import NotedClue
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.strategies.measures import (
    BITS,
    GUESSES_ON_AVERAGE,
    Values,
    expected_size,
    information_gain,
)
from puzzlehunt.strategies.position import NO_BUDGET, Budget
from puzzlehunt.strategies.registry import find_strategy

_NO_BITS = 1e-6
"""Bits below which a guess counts as one without information: rounding errors are smaller."""


@dataclass(frozen=True, repr=False)
class Partition(Tabled):
    """A guess, and the number of candidates (1 or more) for each feedback, the largest first.

    Iteration and `in` give the answers' texts, `len()` their number, and an index how many
    candidates an answer leaves, which need not be read in full.

    >>> parts = puzzlehunt.partition("2x3", guess="AB")
    >>> len(parts), parts["1b"], parts.total, round(parts.bits, 2)
    (5, 4, 9, 2.06)
    >>> [*parts]
    ['B', 'W', 'none', 'WW', 'BB']
    """

    game: Game
    guess: str
    code: Code
    counts: dict[Feedback, int] = field(hash=False)

    def __repr__(self) -> str:
        size = f"{len(self)} parts, {self.bits:.2f} bits"
        return f"<Partition of {self.total:,} by {self.guess}: {size}>"

    def __iter__(self) -> Iterator[str]:
        notation = self.game.rule.notation
        return (notation.format(notation.full_clue(one, self.code)) for one in self.counts)

    def __len__(self) -> int:
        return len(self.counts)

    def _columns(self) -> Mapping[str, Sequence[object]]:
        return {"answer": [*self], "count": [*self.counts.values()]}

    def __getitem__(self, answer: str) -> int:
        clue = self.game.rule.parse(answer, self.code)
        return sum(count for feedback, count in self.counts.items() if feedback in clue)

    @property
    def total(self) -> int:
        """The number of candidates."""
        return sum(self.counts.values())

    @property
    def average_left(self) -> float:
        """The expected number of candidates left, if all are equally likely."""
        return float(expected_size(np.array([*self.counts.values()])))

    @property
    def bits(self) -> float:
        """The entropy of the feedback in bits, if all candidates are equally likely."""
        return float(information_gain(np.array([*self.counts.values()])))


def partition(game: GameLike, rows: Rows | None = None, *, guess: Hashable) -> Partition:
    """Return the partition of the candidates by a guess (a code, its text or its value).

    `game` and `rows` are as in `candidates`. Raises InvalidCodeError, or TooLargeError if the
    engine does not list every code or the game has several boards.

    >>> puzzlehunt.partition("2x3", guess="AB").counts[(0, 1)]
    2
    """
    engine = as_engine(game, rows)
    game, rule = engine.game, engine.game.rule
    code, listing = game.parse_guess(guess), engine.listed
    if listing is None:
        raise TooLargeError("how a guess splits candidates is only known if all are listed")
    feedbacks = rule.feedbacks
    secrets = listing.secrets()[listing.candidate_places()]
    (answers,) = rule.table(rule.rows_of([code]), secrets)
    numbers, sizes = np.unique(answers, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    counts = {feedbacks[int(numbers[place])]: int(sizes[place]) for place in order}
    return Partition(game, game.format_code(code), code, counts)


# The guesses of a history.


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """How good the guess of one turn was, judged by what was known before it.

    `guess` and `best` are texts. `expected_bits` is the expected information of the guess,
    `best_bits` that of the best one: the guess itself if no other has more, and on the first turn
    the game's opening, if it has one. `gained_bits` is the information that the turn brought, and
    `candidates_left` the number of candidates after it; both are None if unknown. `counts_as_best`
    is true if the guess was certain to find a secret, or if no better guess is known. `exact` is
    false if only samples were evaluated.

    >>> (turn,) = puzzlehunt.review("3x4", ["AAB 1b"])
    >>> turn.candidates_left, round(turn.expected_bits, 2), round(turn.best_bits, 2)
    (27, 2.67, 2.74)
    """

    row: int
    guess: str
    best: str
    expected_bits: float
    gained_bits: float | None
    best_bits: float
    candidates_left: int | None
    counts_as_best: bool
    exact: bool
    turn: Turn
    best_code: Code


@dataclass(frozen=True, slots=True, repr=False)
class Review(Finding, Tabled):
    """A review of the guesses of a history, up to the first contradiction.

    `contradiction` is the item that left no candidate, a turn's number (from 1) or a fact; None if
    every item left some. `complete` is false if time ran out before the last turns.

    >>> puzzlehunt.review("3x4", ["ABB 1b", "CBD none"])
    <Review of 2 guesses, skill 0.99, luck +0.4 bits>
    """

    _row_type = ReviewedTurn

    turns: tuple[ReviewedTurn, ...]
    contradiction: ItemName | None = None
    complete: bool = True

    def __repr__(self) -> str:
        skill = "" if self.skill is None else f", skill {self.skill:.2f}"
        luck = "" if self.luck is None else f", luck {self.luck:+.1f} bits"
        return f"<Review of {counted(len(self), 'guess')}{skill}{luck}>"

    def __iter__(self) -> Iterator[ReviewedTurn]:
        return iter(self.turns)

    def __len__(self) -> int:
        return len(self.turns)

    @property
    def exact(self) -> bool:
        """Whether every guess was judged without samples."""
        return all(turn.exact for turn in self.turns)

    @property
    def skill(self) -> float | None:
        """The expected bits of all guesses, divided by those of the best guesses (0 to 1).

        A guess that `counts_as_best` earns the bits of the best guess. If even the best guess has
        no expected bits, it counts as 1 bit, so that any other guess scores lower. None if there
        are no guesses.
        """
        if not self.turns:
            return None
        possible = [turn.best_bits if turn.best_bits > _NO_BITS else 1.0 for turn in self.turns]
        earned = [
            best if turn.counts_as_best else min(best, turn.expected_bits)
            for turn, best in zip(self.turns, possible, strict=True)
        ]
        return sum(earned) / sum(possible)

    @property
    def luck(self) -> float | None:
        """The gained bits minus the expected bits, summed over all turns with known gained bits.

        None if no turn's gained bits are known.
        """
        more = [t.gained_bits - t.expected_bits for t in self.turns if t.gained_bits is not None]
        return sum(more) if more else None


def review(
    game: GameLike,
    rows: Rows | None = None,
    *,
    budget: Budget = NO_BUDGET,
    total_seconds: float | None = None,
) -> Review:
    """Return a review of the guesses of the rows.

    `game` and `rows` are as in `candidates`. The review ends with the turn that finds every secret,
    or that leaves no candidate. `budget` is for one guess, `total_seconds` for all; without a limit
    of time, the same rows always get the same review.

    >>> judged = puzzlehunt.review("mastermind", ["RRGG 1b", "RYBO 1b 1w"])
    >>> [round(turn.expected_bits, 1) for turn in judged]
    [2.9, 3.1]
    """
    check_type("budget", budget, Budget, "a Budget such as Budget(seconds=1)")
    engine = as_engine(game, rows)
    history, adviser = engine.history, Adviser(engine.game, find_strategy("entropy"))
    end = math.inf if total_seconds is None else time.monotonic() + total_seconds
    judged, contradiction, complete = list[ReviewedTurn](), None, True
    try:
        engine.follow(())
        for place, item in enumerate(history):
            if isinstance(item, Turn):
                seconds = (end - time.monotonic()) / (len(history.turns) - len(judged))
                if seconds < 0:
                    complete = False
                    break
                if budget.seconds is not None:
                    seconds = min(seconds, budget.seconds)
                # Half of a turn's seconds are for the best guess, half for the player's.
                half = replace(budget, seconds=None if seconds == math.inf else seconds / 2)
                judged.append(_judged(adviser, engine, item, half))
            else:
                engine.push(item)
            agrees, is_over = _outcome(engine)
            if not agrees:
                contradiction = history.names[place]
            if is_over or not agrees:
                break
    finally:
        engine.follow(history)
    return Review(engine.game, history, tuple(judged), contradiction, complete)


def _outcome(engine: Engine) -> tuple[bool, bool]:
    """Return whether the items agree, and whether all secrets are found or known."""
    game, history = engine.game, engine.history
    if meaning.all_found(game, history):
        return meaning.is_won(game, history), True  # even if the secret is in no list
    return engine.satisfiable(), engine.known_secret() is not None


def _judged(adviser: Adviser, engine: Engine, turn: Turn, budget: Budget) -> ReviewedTurn:
    """Judge the guess of the next turn, and push the turn."""
    boards = [board for _, board in open_boards(engine)]
    chances_before = [_chances(board) for board in boards]
    advice = adviser.advise(engine, 1, budget=budget)
    # Where no guess is needed, the player's is the best.
    nothing = Suggestion(turn.code, 0.0, None, False, guess=engine.game.format_code(turn.code))
    players = best = next(iter(advice), nothing)
    if turn.code != best.code:
        players = adviser.rate(engine, turn.code, budget=budget).suggestions[0]
    expected_bits, best_bits = players.value or 0.0, best.value or 0.0
    if expected_bits > best_bits:
        best, best_bits = players, expected_bits
    nothing_better = advice.count is None and best_bits <= _NO_BITS
    finds_a_secret = not engine.game.channel.misread and any(
        board.count(quickly=True).exact == 1 and turn.code in board for board in boards
    )
    engine.push(turn)
    agrees, is_over = _outcome(engine)
    left = engine.count(quickly=True).exact
    gained_bits = _divergence(chances_before, map(_chances, boards))
    return ReviewedTurn(
        row=len(engine.history.turns),
        turn=turn,
        expected_bits=expected_bits,
        gained_bits=gained_bits if agrees else None,
        best=best.guess,
        best_code=best.code,
        best_bits=best_bits,
        candidates_left=0 if not agrees else 1 if is_over else left,
        counts_as_best=players is best or nothing_better or finds_a_secret,
        exact=advice.exact,
        guess=nothing.guess,
    )


def _chances(engine: Engine) -> Values | None:
    chances = None if engine.listed is None else engine.listed.posterior.probabilities
    return None if chances is None or not chances.any() else chances


def _divergence(before: Iterable[Values | None], after: Iterable[Values | None]) -> float | None:
    """Return the bits that a turn brought: the divergence of new probabilities (S,) from the old.

    It is added over all boards, and None if unknown (Kullback and Leibler, 1951).
    """
    bits = 0.0
    for old, new in zip(before, after, strict=True):
        if old is None or new is None:
            return None
        likely = (new > 0) & (old > 0)
        bits += float((new[likely] * np.log2(new[likely] / old[likely])).sum())
    return max(0.0, round(bits, 9))


# A guess that is not made yet.


@dataclass(frozen=True, slots=True)
class TriedGuess:
    """The value of a guess and the best guess, both by the game's strategy.

    `rated` suggests the guess alone; the first suggestion of `best`, if any, is the best guess, to
    be named if `names_best`.
    """

    rated: Advice
    best: Advice
    names_best: bool = True

    @property
    def is_best(self) -> bool:
        """Whether no guess is known to be better."""
        if not self.best.suggestions:
            return True
        guess, best = self.rated.suggestions[0], self.best.suggestions[0]
        more = self.rated.measure == BITS and (guess.value or 0) > (best.value or 0)
        return guess.guess == best.guess or guess.value == best.value or more


def try_guess(
    adviser: Adviser, engine: Engine, guess: Code, budget: Budget = NO_BUDGET
) -> TriedGuess:
    """Return the present value of a guess, and the best guess.

    Raises NoCandidatesError, and IllegalGuessError for a guess that hard mode forbids.
    """
    check_guess(engine.game, guess, engine.history)
    rated = adviser.rate(engine, guess, budget=budget)
    (suggestion,) = rated.suggestions
    best = adviser.advise(engine, 1, budget=budget)
    if best.suggestions and best.measure == rated.measure == GUESSES_ON_AVERAGE:
        first = best.suggestions[0]
        same_way = adviser.rate(engine, first.code, budget=budget).suggestions[0]
        if None not in (suggestion.value, first.value, same_way.value):
            # The best guess is evaluated further than one that is asked about. So their difference,
            # by estimates of one kind, is added to the value of the best guess.
            more = max(0.0, (suggestion.value or 0.0) - (same_way.value or 0.0))
            suggestion = replace(suggestion, value=round((first.value or 0.0) + more, 4))
    return TriedGuess(replace(rated, suggestions=(suggestion,)), best)


# The expected information of reading each unread mark (bits).

# A clue leaves some marks of its turn open. To read one of them is to learn its kind: that of a
# given tile or, if marks have no order, of a random one. Its value is the mutual information
# (Shannon, 1948) between the secret, given the turns, and the kind of the mark.


@dataclass(frozen=True, slots=True)
class UnreadMark(Finding):
    """An unread mark, and the bits that reading it is expected to give.

    The mark belongs to `row` (from 1), on `board` (from 0; None in a game of one board).
    `position` (from 0) is the place of its tile. It is None if marks have no order; then the mark
    is any of the `count` marks that the turn leaves open. `turn_bits` is the expected information
    of reading all of these.

    >>> best = puzzlehunt.unread_marks("heart-2018")[0]
    >>> best.row, best.count, round(best.bits, 2)
    (24, 3, 0.68)
    """

    row: int
    turn: Turn
    position: int | None
    bits: float
    count: int
    turn_bits: float
    board: int | None = None


class UnreadMarks(Findings[UnreadMark]):
    """Unread marks, the most informative first; equal ones in the order of their turns."""

    _row_type = UnreadMark


def unread_marks(game: GameLike, rows: Rows | None = None) -> UnreadMarks:
    """Return the expected information of reading each unread mark of the turns.

    `game` and `rows` are as in `candidates`.
    The marks of a wrong turn (misread, a lie, or rightly doubted) give no information. Raises
    NoCandidatesError if the turns contradict each other, and TooLargeError if there are unread
    marks and the candidates are too many to be listed.

    >>> puzzlehunt.unread_marks("heart-2018")[0].turn
    <Turn: PRATE BR___>
    """
    engine = as_engine(game, rows)
    found = UnreadMarks(engine)
    for number, board in open_boards(engine):
        clues = [cast(NotedClue, turn.clue) for turn in board.history.turns]
        if board.listed is not None:
            found += _marks(board.listed, number, found)
        elif any(clue.open_marks() for clue in clues):
            raise TooLargeError("which mark tells most is only known if all candidates are listed")
    found.sort(key=lambda mark: -round(mark.bits, 9))
    return found


def _marks(listing: ExplicitEngine, board: int | None, found: UnreadMarks) -> Iterator[UnreadMark]:
    posterior, likelihood = listing.posterior, meaning.likelihood(listing.game)
    if not posterior.probabilities.any():
        raise NoCandidatesError("the turns contradict each other: no candidate is left")
    for place, scored in enumerate(posterior.turns):
        turn, clue = with_text(listing.game, scored.turn), cast(NotedClue, scored.turn.clue)
        positions = clue.open_marks()
        if not positions or listing.game.rule.wins(turn.clue):
            continue
        truth_chances, feedbacks, shown_chances = _shown(likelihood, posterior, place)
        if not len(feedbacks):
            continue
        turn_bits, count = _mutual_information(truth_chances, shown_chances), len(positions)
        # Marks without an order are one: any of those that the turn leaves open.
        for position in dict.fromkeys(positions):
            kinds = clue.open_kinds(feedbacks, position)
            kind_chances = shown_chances @ (kinds / kinds.sum(axis=1, keepdims=True))
            bits = _mutual_information(truth_chances, kind_chances)
            what = turn, position, bits, count, turn_bits, board
            yield UnreadMark(found.game, found.history, place + 1, *what)


def _mutual_information(truth_chances: Values, shown_chances: Values) -> float:
    """Return the bits that what is shown tells about the truth, 0 or more.

    `truth_chances` (T,) are the probabilities of T truths, `shown_chances` (T, V) those of what is
    shown of each.
    """
    entropy = entropy_terms(truth_chances @ shown_chances).sum()
    noise = truth_chances @ entropy_terms(shown_chances).sum(axis=1)
    return max(0.0, float(entropy - noise))


def _shown(
    likelihood: Likelihood, posterior: Posterior, place: int
) -> tuple[Values, Counts, Values]:
    """Return what the turn at a place may show, whether its clue is right or wrong.

    That is the probability of each true feedback (T,), the feedbacks that may be shown (V, parts),
    and the probability of each of these, given each true one (T, V).
    """
    scored, probabilities = posterior.turns[place], posterior.probabilities
    clue, size = cast(NotedClue, scored.turn.clue), len(scored.feedbacks)
    truth_chances = np.bincount(scored.places, probabilities, size).astype(np.float64)
    wrong_and = np.bincount(scored.places, probabilities * posterior.wrong_given(place), size)
    possible = np.flatnonzero(truth_chances)
    truth_chances, wrong_and = truth_chances[possible], wrong_and[possible]
    # A right clue shows what may be read of the truth, a wrong one any losing feedback of some
    # secret that fits.
    truths, if_right, read_chances = likelihood.shown(clue, scored.feedbacks[possible])
    may_lose = np.bincount(scored.places, minlength=size) > 0
    may_lose &= ~likelihood.rule.win_mask(scored.feedbacks)
    if_wrong = scored.feedbacks[may_lose & clue.mask(scored.feedbacks)]
    every = np.concatenate((if_wrong, if_right))
    feedbacks, numbers = np.unique(every, axis=0, return_inverse=True)
    wrong_numbers, right_numbers = np.split(numbers, [len(if_wrong)])
    wrong_chances = np.zeros(len(feedbacks))
    wrong_chances[wrong_numbers] = np.exp(likelihood.log_read(clue, if_wrong))
    wrong_chances /= wrong_chances.sum() or 1.0
    is_right = np.zeros(len(possible))
    is_right[truths] = 1 - (wrong_and / truth_chances)[truths]
    shown_chances = (1 - is_right)[:, None] * wrong_chances
    np.add.at(shown_chances, (truths, right_numbers), is_right[truths] * read_chances)
    return truth_chances, feedbacks, shown_chances
