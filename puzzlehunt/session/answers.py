"""Answers about a history; the engine and the adviser are kept between questions.

An answer is a value of `explanation`, or an outcome. `responses` says which of them answer a
question of a person, and `views.json` writes those of programs.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast

from puzzlehunt import explanation
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Count, Counted, Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import SessionError
from puzzlehunt.explanation.remaining import (
    CandidatesListed,
    Remaining,
    WiderList,
    remaining,
    remaining_on_boards,
    wider_candidates,
)
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.session.limits import LISTED_GUESSES
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.measures import BITS
from puzzlehunt.strategies.pool import GUESS_SAMPLE
from puzzlehunt.strategies.position import NO_BUDGET, Budget

if TYPE_CHECKING:
    from puzzlehunt.explanation.identification import Identification, Identifier
    from puzzlehunt.explanation.repair import Repairs
    from puzzlehunt.explanation.review import Review, TriedGuess
    from puzzlehunt.explanation.unread import UnreadMarks

Value = TypeVar("Value")


class Answers:
    """Answers questions about a game's history."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.history = game.history
        self._engine: Engine | None = None
        self._adviser: Adviser | None = None
        self._advice: dict[tuple[History, int, Budget], Advice] = {}
        self._identifier: Identifier | None = None
        self._found: tuple[History, dict[str, object]] = self.history, {}
        """What was found for a history, by the name of the answer."""

    def _once(self, name: str, find: Callable[[], Value]) -> Value:
        """Return what was found for the present history; it is looked for once."""
        if self._found[0] != self.history:
            self._found = self.history, {}
        found = self._found[1]
        if name not in found:
            found[name] = find()
        return cast(Value, found[name])

    def take_play(self, game: Game) -> None:
        """Replace the game by one whose `play` settings differ, and nothing else."""
        self.game, self._adviser, self._found = game, None, (self.history, {})
        self._advice.clear()

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
        if key not in self._advice:
            self._advice[key] = adviser.advise(self.engine, top, budget=budget)
        return self._advice[key]

    @property
    def identified(self) -> "Identification":
        """What the marks mean, in a game of which nobody knows that."""
        if self._identifier is None:
            own_rule = self.game.hidden is not None and self.game.hidden.rule is not None
            self._identifier = explanation.identification.Identifier(self.game, own_rule)
        identifier = self._identifier
        return self._once("meaning", lambda: identifier.identify(self.history))

    def suggest(self, top: int) -> Advice:
        """Return the `top` best next guesses; none if nothing fits, or all is found."""
        if not self.engine.satisfiable():
            return self.adviser.no_advice(0, proved=self.engine.proves)
        if None not in self.game.winning_guesses(self.history):
            return self.adviser.no_advice(1)
        return self.advise(top, self.budget)

    def tried(self, guess: Code) -> "TriedGuess":
        """Return the value of a guess. Raises SessionError if nobody knows what the marks mean."""
        if self.game.hidden is not None:
            raise SessionError("what a guess is worth depends on its marks; ask what they mean")
        return explanation.review.try_guess(self.adviser, self.engine, guess, self.budget)

    def counted(self, advice: Advice | None = None) -> Counted | None:
        """Return how many candidates are left.

        None if that takes a sample, unless `advice` is given, whose sample serves.
        """
        engine, boards = self.engine, self.engine.boards()
        if len(boards) > 1:
            counts = tuple(board.count(quickly=True) for board in boards)
            return Counted(counts, solved=tuple(self.game.winning_guesses(self.history)))
        count, listing = engine.count(quickly=True), engine.listed
        if count.exact is None:
            if advice is None:
                return None
            count = engine.count() if advice.count is None else Count.of(advice.count)
        return Counted((count,), None if listing is None else listing.outside)

    def candidates(self, limit: int, near: int = LISTED_GUESSES) -> CandidatesListed:
        """Return up to `limit` candidates, and up to `near` codes that nearly fit.

        The codes that nearly fit are left out if a time limit ended the list of candidates.
        """
        listed = CandidatesListed(
            self._remaining(limit), tuple(remaining_on_boards(self.engine, limit)), limit=limit
        )
        if listed.stopped:
            return listed
        missed = explanation.repair.near_misses(self.engine, near)
        wider = None if listed.fits else self.wider_list()
        return replace(listed, near=tuple(missed), wider_list=wider)

    def _remaining(self, limit: int) -> Remaining:
        """Return up to `limit` candidates; an interrupt ends the listing early."""
        if self.game.hidden is None or not self.history.turns:
            return remaining(self.engine, limit)
        listed = self.identified.candidates[:limit]
        codes, chances = tuple(code for code, _ in listed), tuple(chance for _, chance in listed)
        return Remaining(codes, None, bool(listed), chances)

    def unread(self, top: int) -> "UnreadMarks":
        """Return the `top` most informative unread marks; none if the game is over."""
        engine, marks = self.engine, explanation.unread
        is_over = None not in self.game.winning_guesses(self.history)
        found = [] if is_over or not engine.satisfiable() else marks.unread_marks(engine)[:top]
        return marks.UnreadMarks(engine, found)

    @property
    def repairs(self) -> "Repairs":
        """The repairs of the history, the likeliest first; [] if something fits."""
        return self._once("repairs", lambda: explanation.repair.repairs(self.engine))

    @property
    def is_won(self) -> bool:
        """Whether the newest turn found the last secret, and no turn or fact contradicts that.

        In a game of questions alone: whether the secret is known.
        """
        if self.game.only_questions:
            return self.engine.known_secret() is not None
        return self.game.is_won(self.history)

    def wider_list(self) -> WiderList | None:
        """Return the first wider word list with candidates; None if the own list has some."""
        if self.engine.satisfiable():
            return None
        return self._once("wider", lambda: wider_candidates(self.engine))

    def review(self, seconds: float | None = None) -> "Review":
        """Return a review of the guesses, of as many as `seconds` allow (None: no limit).

        Raises SessionError if nobody knows what the marks mean.
        """
        if self.game.hidden is not None:
            raise SessionError("how good a guess was depends on its marks; ask what they mean")
        # The history is whole: the game's own rows may have been edited.
        game = replace(self.game, history=History())
        return explanation.review.review(
            game, self.history, budget=self.budget, engine=self.engine, total_seconds=seconds
        )

    def script(self) -> str:
        """Return the game and its history as an SMT-LIB 2 script."""
        from puzzlehunt.engines import smtlib

        return smtlib.script(self.game, self.history)
