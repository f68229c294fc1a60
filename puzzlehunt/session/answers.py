"""Answers about a history; the engine and the adviser are kept between questions.

An answer is a value of `explanation`, or an outcome. `responses` says which of them answer a
question of a person, and `views.json` writes those of programs.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

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
from puzzlehunt.game.history import History, Item
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
        self._repairs: tuple[History, Repairs] | None = None
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

    def counted(self, advice: Advice | None = None, *, sampled: bool = False) -> Counted | None:
        """Return how many candidates are left.

        None if that takes a sample, unless `advice`, whose sample serves, or `sampled` is given.
        """
        engine, boards = self.engine, self.engine.boards()
        if len(boards) > 1:
            counts = tuple(board.count(quickly=True) for board in boards)
            return Counted(counts, solved=tuple(self.game.winning_guesses(self.history)))
        count, listing = engine.count(quickly=True), engine.listed
        if count.exact is None:
            if advice is None and not sampled:
                return None
            known = None if advice is None else advice.count
            count = engine.count() if known is None else Count.of(known)
        return Counted((count,), None if listing is None else listing.outside)

    def candidates(self, limit: int, near: int = LISTED_GUESSES) -> CandidatesListed:
        """Return up to `limit` candidates, and up to `near` codes that nearly fit.

        The codes that nearly fit are left out if a limit of time or memory ended the list of
        candidates.
        """
        listed = CandidatesListed(
            self.remaining(limit), tuple(remaining_on_boards(self.engine, limit)), limit=limit
        )
        if listed.stopped:
            return listed
        missed = explanation.repair.near_misses(self.engine, near)
        wider = None if listed.fits else self.wider_list()
        return replace(listed, near=tuple(missed), wider_list=wider)

    def unread(self, top: int) -> "UnreadMarks":
        """Return the `top` most informative unread marks; none if the game is over."""
        engine, marks = self.engine, explanation.unread
        is_over = None not in self.game.winning_guesses(self.history)
        found = [] if is_over or not engine.satisfiable() else marks.unread_marks(engine)[:top]
        return marks.UnreadMarks(engine, found)

    def remaining(self, limit: int) -> Remaining:
        """Return up to `limit` candidates; an interrupt ends the listing early."""
        if self.game.hidden is None or not self.history.turns:
            return remaining(self.engine, limit)
        listed = self.identified.candidates[:limit]
        codes, chances = tuple(code for code, _ in listed), tuple(chance for _, chance in listed)
        return Remaining(codes, None, bool(listed), chances)

    @property
    def repairs(self) -> "Repairs":
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
