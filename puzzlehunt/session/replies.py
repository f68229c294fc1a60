"""Replies: a program's question answered by one value, where a conversation yields outcomes.

Commands print them, and with `--json` as the HTTP API sends them.
"""

from dataclasses import dataclass
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import TooLargeError
from puzzlehunt.explanation import review as reviews
from puzzlehunt.explanation import why
from puzzlehunt.explanation.certainty import Certainty, certain
from puzzlehunt.explanation.remaining import (
    Remaining,
    WiderList,
    remaining,
    remaining_on_boards,
)
from puzzlehunt.explanation.repair import Repair, repairs
from puzzlehunt.explanation.suspects import NearMiss, Suspect, near_misses, suspects
from puzzlehunt.explanation.unread import UnreadMarks, unread_marks
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.questions import LISTED_CANDIDATES
from puzzlehunt.strategies.adviser import Advice


@dataclass(frozen=True, slots=True)
class SuggestReply:
    """The best next guesses, or what one guess is worth; no suggestion where nothing `fits`.

    `boards` is what each of several boards has left. `wider` is the first wider word list with
    other candidates, where the best guess is the only one, and with any, where nothing fits.
    """

    engine: Engine
    advice: Advice
    boards: tuple[Remaining, ...]
    fits: bool
    wider: WiderList | None
    rates: bool
    """Whether a guess was to be rated, even if there was nothing to rate it by."""
    tried: reviews.TriedGuess | None


@dataclass(frozen=True, slots=True)
class UnreadReply:
    """What reading each unread mark is expected to tell, of which `top` are to be shown."""

    engine: Engine
    ranked: UnreadMarks
    top: int


@dataclass(frozen=True, slots=True)
class CandidatesReply:
    """What is still possible, on all boards together and on each; and what nearly fits."""

    engine: Engine
    remaining: Remaining
    boards: tuple[Remaining, ...]
    near: tuple[NearMiss, ...]
    wider: WiderList | None

    @property
    def fits(self) -> bool:
        """Whether there is a candidate."""
        return bool(self.remaining.codes or self.remaining.more)

    @property
    def stopped(self) -> bool:
        """Whether a limit ended the listing."""
        return self.remaining.stopped or any(board.stopped for board in self.boards)


@dataclass(frozen=True, slots=True)
class ExplainReply:
    """Conflicts, repairs, suspects and what is certain; and what rules a code out.

    A section that is not known is None; `stopped` is what ended the search for it.
    """

    engine: Engine
    explanation: why.Explanation
    wider: WiderList | None
    repairs: list[Repair] | None
    suspects: list[Suspect] | None
    certain: list[Certainty] | None
    stopped: TooLargeError | KeyboardInterrupt | None = None


@dataclass(frozen=True, slots=True)
class ReviewReply:
    """How good each guess was; `wider` has candidates where a row left none."""

    engine: Engine
    review: reviews.Review
    wider: WiderList | None


Reply: TypeAlias = SuggestReply | UnreadReply | CandidatesReply | ExplainReply | ReviewReply


def suggest(
    answers: Answers, top: int, rated: Code | None = None, *, listed: int = LISTED_CANDIDATES
) -> SuggestReply:
    """Return the `top` best next guesses, or what the guess `rated` is worth.

    `listed` candidates of each of several boards are named.
    """
    engine, game = answers.engine, answers.game
    boards, tried = tuple(remaining_on_boards(engine, listed)), None
    fits, rates = engine.satisfiable(), rated is not None
    if not fits:
        advice, wider = answers.adviser.no_advice(0, engine.proves), answers.wider()
        return SuggestReply(engine, advice, boards, fits, wider, rates, None)
    if None not in game.winning_guesses(answers.history):
        advice = answers.adviser.no_advice(1)
    elif rated is None:
        advice = answers.advise(top, answers.budget)
    else:
        tried = reviews.try_guess(answers.adviser, engine, rated, answers.budget)
        advice = tried.rated
    only = answers.only_one(advice)
    wider = None if only is None else only.wider
    return SuggestReply(engine, advice, boards, fits, wider, rates, tried)


def unread(answers: Answers, top: int) -> UnreadReply:
    """Return which unread marks tell most; none where all is found, or nothing fits."""
    engine, game = answers.engine, answers.game
    is_over = None not in game.winning_guesses(answers.history) or not engine.satisfiable()
    ranked = UnreadMarks(game, ()) if is_over else unread_marks(engine, answers.budget)
    return UnreadReply(engine, ranked, top)


def candidates(
    answers: Answers, limit: int, near: int, near_chance: float = 0.0
) -> CandidatesReply:
    """Return up to `limit` candidates, and up to `near` codes that nearly fit.

    Those have a chance of at least `near_chance`; there are none where a limit ends the listing.
    """
    engine = answers.engine
    left, boards = remaining(engine, limit), tuple(remaining_on_boards(engine, limit))
    if left.stopped or any(board.stopped for board in boards):
        return CandidatesReply(engine, left, boards, (), None)
    missed = near_misses(engine, near, near_chance)
    wider = None if left.codes or left.more else answers.wider()
    return CandidatesReply(engine, left, boards, tuple(missed), wider)


def explain(
    answers: Answers,
    question: tuple[Code | None, int | None] = (None, None),
    limit: int = 1,
    *,
    everything: bool = True,
    in_parts: bool = False,
) -> ExplainReply:
    """Return up to `limit` conflicts, and why the code and board of a question are out.

    Without `everything` neither suspects nor certainties are looked for. With `in_parts`, what is
    too large or stopped leaves the sections that were found before.
    """
    engine = answers.engine
    explanation = why.explain(answers.game, engine, *question, limit)
    wider = answers.wider() if explanation.conflict else None
    found_repairs, found_suspects, found_certain, stopped = None, None, None, None
    try:
        found_repairs = list(repairs(engine))
        found_suspects = suspects(engine) if everything else []
        found_certain = certain(engine) if everything else []
    except (TooLargeError, KeyboardInterrupt) as error:
        if not in_parts:
            raise
        stopped = error
    return ExplainReply(
        engine, explanation, wider, found_repairs, found_suspects, found_certain, stopped
    )


def review(answers: Answers) -> ReviewReply:
    """Return how good each guess was, up to a row that leaves no candidate."""
    engine, history = answers.engine, answers.history
    outcome = reviews.review(answers.game, history, answers.budget, engine)
    engine.follow(history)
    wider = None if outcome.contradiction is None else answers.wider()
    return ReviewReply(engine, outcome, wider)
