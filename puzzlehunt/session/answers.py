"""Answers about a history; the engine and the adviser are kept between questions.

A reply is one value that answers a program's question. Commands print it, and `--json` and the HTTP
API write it as JSON. The module `responses` answers people instead, with outcomes.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from puzzlehunt import explanation
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import SessionError, TooLargeError
from puzzlehunt.explanation.remaining import (
    Remaining,
    WiderList,
    remaining,
    remaining_on_boards,
    wider_candidates,
)
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item
from puzzlehunt.session.limits import LISTED_CANDIDATES
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.measures import BITS
from puzzlehunt.strategies.pool import GUESS_SAMPLE
from puzzlehunt.strategies.position import NO_BUDGET, Budget

if TYPE_CHECKING:
    from puzzlehunt.explanation.certainty import Certainty
    from puzzlehunt.explanation.identification import Identification, Identifier
    from puzzlehunt.explanation.repair import NearMiss, Repair, Suspect
    from puzzlehunt.explanation.review import Review, TriedGuess
    from puzzlehunt.explanation.unread import UnreadMarks
    from puzzlehunt.explanation.why import Explanation


@dataclass(frozen=True, slots=True)
class SuggestReply:
    """The best next guesses, or the value of one guess; no suggestion if `fits` is false.

    `fits` says whether there is a candidate. `boards` are the candidates left on each board, in a
    game of several. `wider_list` is the first wider word list with a candidate if `fits` is false.
    """

    engine: Engine
    advice: Advice
    boards: tuple[Remaining, ...]
    fits: bool
    wider_list: WiderList | None
    rates: bool
    """Whether the question was the value of one guess; true even if it has no value now."""
    tried: "TriedGuess | None"


@dataclass(frozen=True, slots=True)
class UnreadReply:
    """The expected information of each unread mark; `top` is how many marks to show."""

    engine: Engine
    ranked: "UnreadMarks"
    top: int


@dataclass(frozen=True, slots=True)
class CandidatesReply:
    """The candidates, in all and on each board, and the codes that nearly fit."""

    engine: Engine
    remaining: Remaining
    boards: tuple[Remaining, ...]
    near: "tuple[NearMiss, ...]"
    wider_list: WiderList | None

    @property
    def fits(self) -> bool:
        """Whether there is a candidate."""
        return bool(self.remaining.codes or self.remaining.more)

    @property
    def stopped(self) -> bool:
        """Whether a limit of time or memory ended the list of candidates."""
        return self.remaining.stopped or any(board.stopped for board in self.boards)


@dataclass(frozen=True, slots=True)
class ExplainReply:
    """Conflicts, repairs, suspects and certainties, and the reasons why a code is ruled out.

    `stopped` is the error that ended the search early, None if none did. Sections that were not
    found by then are None.
    """

    engine: Engine
    explanation: "Explanation"
    wider_list: WiderList | None
    repairs: "list[Repair] | None"
    suspects: "list[Suspect] | None"
    certain: "list[Certainty] | None"
    stopped: TooLargeError | KeyboardInterrupt | None = None


@dataclass(frozen=True, slots=True)
class ReviewReply:
    """How good each guess was; `wider_list` is a wider word list, if a row left no candidate."""

    engine: Engine
    review: "Review"
    wider_list: WiderList | None


Reply: TypeAlias = SuggestReply | UnreadReply | CandidatesReply | ExplainReply | ReviewReply


class Answers:
    """Answers questions about a game's history."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.history = game.history
        self._engine: Engine | None = None
        self._adviser: Adviser | None = None
        self._advice_given: dict[tuple[History, int, Budget], Advice] = {}
        """The advice given by `_adviser`, by history, number of guesses and budget."""
        self._wider: tuple[tuple[Item, ...], WiderList | None] | None = None
        """The newest answer of `_wider_for`, with the items that it is for."""
        self._identifier: Identifier | None = None
        self._identified: Identification | None = None
        """The newest answer of `identified`."""
        self._repairs: tuple[History, list[Repair]] | None = None
        """The newest answer of `repairs`, with the history that it is for."""

    def take_play(self, game: Game) -> None:
        """Replace the game by one whose `play` settings differ, and nothing else."""
        self.game = game
        self._adviser = self._repairs = None

    @property
    def engine(self) -> Engine:
        """The game's engine, with the turns and facts of the history."""
        if self._engine is None:
            self._engine = open_engine(self.game)
        if self._engine.items != self.history.items:
            self._engine.follow(self.history)
        return self._engine

    @property
    def adviser(self) -> Adviser:
        """The adviser, which picks guesses by the game's strategy."""
        if self._adviser is None:
            self._adviser = Adviser(self.game)
            self._advice_given.clear()
        return self._adviser

    @property
    def budget(self) -> Budget:
        """The time limit for one suggestion, or for the review of one guess."""
        return Budget(seconds=self.game.play.budget)

    def advise(self, top: int = 1, budget: Budget = NO_BUDGET) -> Advice:
        """Return the `top` best next guesses. Raises NoCandidatesError if nothing is left."""
        if self.game.hidden is not None:
            found = self.identified.suggestions[:top]
            return Advice(found, None, False, "legends", BITS, GUESS_SAMPLE, game=self.game)
        adviser, key = self.adviser, (self.history, top, budget)
        if key not in self._advice_given:
            self._advice_given[key] = adviser.advise(self.engine, top, budget=budget)
        return self._advice_given[key]

    @property
    def identified(self) -> "Identification":
        """What the marks mean, in a game of which nobody knows that."""
        if self._identified is None or self._identified.history != self.history:
            if self._identifier is None:
                hidden = self.game.hidden
                own_rule = hidden is not None and hidden.rule is not None
                self._identifier = explanation.identification.Identifier(self.game, own_rule)
            self._identified = self._identifier.identify(self.history)
        return self._identified

    def remaining(self, limit: int) -> Remaining:
        """Return up to `limit` candidates; an interrupt ends the listing early."""
        if self.game.hidden is None or not self.history.turns:
            return remaining(self.engine, limit)
        listed = self.identified.candidates[:limit]
        codes, chances = tuple(code for code, _ in listed), tuple(chance for _, chance in listed)
        return Remaining(codes, None, bool(listed), chances)

    @property
    def repairs(self) -> "list[Repair]":
        """The repairs of the history, the likeliest first; [] if something fits."""
        if self._repairs is None or self._repairs[0] != self.history:
            self._repairs = self.history, explanation.repair.repairs(self.engine)
        return self._repairs[1]

    @property
    def is_won(self) -> bool:
        """Whether the newest turn found the last secret, and no turn or fact contradicts that.

        In a game of questions alone: whether the secret is known.
        """
        if self.game.only_questions:
            return self.engine.known_secret() is not None
        return self.game.is_won(self.history)

    def fits(self, history: History) -> bool:
        """Return whether some secret, perhaps of a wider word list, agrees with a history."""
        engine = self.engine
        engine.follow(history)
        if engine.satisfiable():
            return True
        return self._wider_for(engine) is not None

    def wider_list(self) -> WiderList | None:
        """Return the first wider word list with candidates; None if the own list has some."""
        return None if self.engine.satisfiable() else self._wider_for(self.engine)

    def _wider_for(self, engine: Engine) -> WiderList | None:
        if self._wider is None or self._wider[0] != engine.items:
            self._wider = engine.items, wider_candidates(engine)
        return self._wider[1]

    def wider_game(self, name: str) -> Game | None:
        """Return the game with a wider word list if `wider` was the last to build it, else None."""
        wider = None if self._wider is None else self._wider[1]
        return wider.game if wider and wider.name == name else None

    def review(self, seconds: float | None = None) -> "Review":
        """Return a review of the guesses, of as many as `seconds` allow (None: no limit)."""
        # The history is whole: the game's own rows may have been edited.
        game = replace(self.game, history=History())
        return explanation.review.review(
            game, self.history, budget=self.budget, engine=self.engine, total_seconds=seconds
        )

    def script(self) -> str:
        """Return the game and its history as an SMT-LIB 2 script."""
        from puzzlehunt.engines import smtlib

        return smtlib.script(self.game, self.history)

    # Replies.

    def suggest(
        self, top: int, rated: Code | None = None, *, listed: int = LISTED_CANDIDATES
    ) -> SuggestReply:
        """Return the `top` best guesses, or the value of the guess `rated`.

        In a game of several boards, up to `listed` candidates of each board are returned as well.
        """
        engine, game = self.engine, self.game
        boards, tried = tuple(remaining_on_boards(engine, listed)), None
        fits, rates = engine.satisfiable(), rated is not None
        if not fits:
            advice, wider = self.adviser.no_advice(0, proved=engine.proves), self.wider_list()
            return SuggestReply(engine, advice, boards, fits, wider, rates, None)
        if None not in game.winning_guesses(self.history):
            advice = self.adviser.no_advice(1)
        elif rated is None:
            advice = self.advise(top, self.budget)
        elif game.hidden is not None:
            raise SessionError("what a guess is worth depends on its marks; ask what they mean")
        else:
            tried = explanation.review.try_guess(self.adviser, engine, rated, self.budget)
            advice = tried.rated
        return SuggestReply(engine, advice, boards, fits, None, rates, tried)

    def unread(self, top: int) -> UnreadReply:
        """Return the unread marks, the most informative first; `top` is how many to show.

        There are none if every secret was found or no candidate is left.
        """
        engine, game, marks = self.engine, self.game, explanation.unread
        is_over = None not in game.winning_guesses(self.history) or not engine.satisfiable()
        if is_over:
            return UnreadReply(engine, marks.UnreadMarks("Unread marks", engine), top)
        return UnreadReply(engine, marks.unread_marks(engine), top)

    def candidates(self, limit: int, near: int) -> CandidatesReply:
        """Return up to `limit` candidates, and up to `near` codes that nearly fit.

        The codes that nearly fit are left out if a limit ended the list of candidates.
        """
        engine = self.engine
        left, boards = self.remaining(limit), tuple(remaining_on_boards(engine, limit))
        if left.stopped or any(board.stopped for board in boards):
            return CandidatesReply(engine, left, boards, (), None)
        missed = explanation.repair.near_misses(engine, near)
        wider = None if left.codes or left.more else self.wider_list()
        return CandidatesReply(engine, left, boards, tuple(missed), wider)

    def explain(
        self,
        question: tuple[Code | None, int | None] = (None, None),
        *,
        everything: bool = True,
        in_parts: bool = False,
    ) -> ExplainReply:
        """Return a conflict, the repairs, and why a code is ruled out.

        `question` is the code and the board that are asked about; both may be None. Suspects and
        certainties are found only if `everything` is true. If `in_parts` is true, a search that is
        stopped, or too large, keeps the sections found before it; otherwise its error is raised.
        """
        engine = self.engine
        code, board = question
        explained = explanation.why.explain(self.game, engine, code, board=board)
        wider = self.wider_list() if explained.conflict else None
        found_repairs, found_suspects, found_certain, stopped = None, None, None, None
        try:
            found_repairs = self.repairs
            found_suspects = explanation.repair.suspects(engine) if everything else []
            found_certain = explanation.certainty.certain(engine) if everything else []
        except (TooLargeError, KeyboardInterrupt) as error:
            if not in_parts:
                raise
            stopped = error
        return ExplainReply(
            engine, explained, wider, found_repairs, found_suspects, found_certain, stopped
        )

    def reviewed(self) -> ReviewReply:
        """Return a review of the guesses, up to the first row that leaves no candidate."""
        if self.game.hidden is not None:
            raise SessionError("how good a guess was depends on its marks; ask what they mean")
        engine, history = self.engine, self.history
        outcome = self.review()
        engine.follow(history)
        wider = None if outcome.contradiction is None else self.wider_list()
        return ReviewReply(engine, outcome, wider)
