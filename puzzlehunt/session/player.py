"""A player at a session: what was typed and suggested so far, and where the game stands.

What lines change it is for `conversation` to read, what commands do is in `commands`.
"""

from collections.abc import Iterable, Iterator

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Count
from puzzlehunt.explain.repair import Repair, repairs
from puzzlehunt.explain.review import Review, reviewed
from puzzlehunt.explain.suspicion import PROBABLE, suspects
from puzzlehunt.explain.why import explained
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.session.outcomes import (
    Advised,
    ConflictFound,
    Counted,
    CountedOnBoards,
    Ended,
    MaybeMisread,
    NothingFits,
    Outcome,
    Solved,
    TurnsCounted,
    TurnTaken,
    Unlisted,
    WaysOut,
)
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.base import Budget

PATIENCE = 1.5
"""Time that the review at the end of a game may take (seconds)."""


class Player:
    """A session, the guess that waits for its clue, and the guess that was suggested.

    A coach computes no suggestion until it is asked for one.
    """

    def __init__(self, session: Session, coach: bool = False) -> None:
        self.session = session
        self.coach = coach
        self.standing: Code | None = None
        """A guess that was typed without a clue and waits for it."""
        self.suggested: Code | None = None
        """The guess that was suggested last."""
        self._repairs: tuple[Game, History, list[Repair]] | None = None
        self._mentioned: set[Turn] = set()
        """The turns of which it was said that they may be wrong."""
        self._ended = False
        """Whether the end of the game was told."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.session.game

    @property
    def budget(self) -> Budget:
        """The time that a suggestion may take."""
        return Budget(seconds=self.game.play.budget)

    @property
    def target(self) -> Code | None:
        """The guess that a clue alone would answer."""
        return self.standing if self.standing is not None else self.suggested

    # Turns.

    def play(self, turn: Turn) -> Iterator[Outcome]:
        """Add one turn, and yield where the game stands."""
        self.standing = None
        yield from self.record([turn])
        yield from self.state()

    def record(self, turns: list[Turn]) -> Iterator[Outcome]:
        """Add turns to the session as one step, and yield how they were understood."""
        first = len(self.session.history.turns)
        self.session.play(*turns)
        yield from self.understood(range(first, first + len(turns)))

    def understood(self, places: Iterable[int]) -> Iterator[Outcome]:
        """Yield how new turns (from 0) were understood, and which guesses are in no list."""
        for place in places:
            taken = self.taken(place + 1)
            yield taken
            yield from self.unlisted(taken.turn.guess)

    def taken(self, number: int) -> TurnTaken:
        """Return turn `number` (from 1) as it was understood."""
        turns = self.session.history.turns
        return TurnTaken(number, turns[number - 1], History(turns[: number - 1]))

    def unlisted(self, guess: Code) -> Iterator[Outcome]:
        """Yield that a guess is in no list, if it is."""
        if self.game.listing_matters and not self.game.is_listed(guess):
            yield Unlisted(guess)

    def unanswered(self) -> Turn:
        """Return the turn of the standing guess, with nothing read."""
        assert self.standing is not None
        return Turn(self.standing, self.game.unread_clue(self.standing))

    def record_standing(self) -> Iterator[Outcome]:
        """Record the guess that waits, if there is one, as unread."""
        if self.standing is not None:
            turn = self.unanswered()
            self.standing = None
            yield from self.record([turn])

    # Where the game stands.

    def state(self) -> Iterator[Outcome]:
        """Yield what is left and, last, what to guess next; or that all is found, or nothing fits.

        Each comes before the next is computed.
        """
        session = self.session
        self.suggested = None
        if session.is_won:
            yield from self._won()
            return
        self._ended = False
        if not session.engine.satisfiable():
            yield from self._contradiction()
            return
        counted = list(self._counted())
        yield from counted
        if self.coach and counted:
            yield from self._misread()
            return
        advice = session.advise(1, self.budget)
        if not counted:
            drawn = Count.of(advice.count)
            yield Counted(session.engine.count() if drawn.exact is None else drawn)
        yield from self._misread()
        if not self.coach:
            self.suggested = advice.suggestions[0].guess
            yield Advised(advice)

    def _counted(self) -> Iterator[Outcome]:
        """Yield how many candidates are left; nothing where they would have to be drawn for that.

        Then the advice, which draws them, knows it.
        """
        engine = self.session.engine
        boards = engine.boards()
        if len(boards) > 1:
            counts = tuple(board.count(quickly=True) for board in boards)
            yield CountedOnBoards(counts, tuple(self.game.winning_guesses(self.session.history)))
            return
        count = engine.count(quickly=True)
        if count.exact is not None:
            yield Counted(count)

    def _won(self) -> Iterator[Outcome]:
        """Yield how the game was won, and the first time how good the guesses were."""
        yield Solved(self.session.history)
        if not self._ended:
            self._ended = True
            yield Ended(self.review(PATIENCE), reviewable=True)

    def review(self, within: float) -> Review:
        """Return how good the guesses were, as far as so many seconds allow."""
        session = self.session
        known = session.advised if session.adviser.ranks_by_bits else {}
        return reviewed(
            self.game, session.history, self.budget, session.engine, within=within, advised=known
        )

    def _misread(self) -> Iterator[Outcome]:
        """Yield once of a turn that it may well be wrong, in games that allow for misread turns."""
        if not self.game.channel.misread:
            return
        for suspect in suspects(self.session.engine)[:1]:
            if suspect.probability >= PROBABLE and suspect.turn not in self._mentioned:
                self._mentioned.add(suspect.turn)
                yield MaybeMisread(suspect)

    def _contradiction(self) -> Iterator[Outcome]:
        """Yield which item made the game impossible, why, and what mends it."""
        session, history = self.session, self.session.history
        engine = session.engine
        place = engine.first_conflict()
        assert place is not None
        wider, boards = session.wider(), engine.boards()
        empty = tuple(
            number
            for number, board in enumerate(boards)
            if len(boards) > 1 and not (board.secret or board.engine.satisfiable())
        )
        yield NothingFits(history, place, wider, session.list_name if wider else "", empty)
        explanation = explained(self.game, engine)
        if explanation.conflict:
            yield ConflictFound(explanation)
        yield WaysOut(history, place, tuple(self.repairs))

    @property
    def repairs(self) -> list[Repair]:
        """The repairs of the turns, where nothing fits."""
        game, history = self.game, self.session.history
        known = self._repairs
        if known is None or known[0] is not game or known[1] != history:
            known = self._repairs = game, history, repairs(self.session.engine)
        return known[2]

    def changed(self) -> Iterator[Outcome]:
        """Yield how many turns there are, and where the game stands."""
        yield TurnsCounted(len(self.session.history.turns))
        yield from self.state()
