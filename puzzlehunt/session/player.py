"""The state of a conversation between two lines, and the outcomes that say where the game stands.

`conversation` reads lines, `commands` runs commands; both change this state.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.count import Count
from puzzlehunt.explanation.repair import Repair, repairs
from puzzlehunt.explanation.review import Review, review
from puzzlehunt.explanation.suspects import notable_suspect
from puzzlehunt.explanation.why import explain
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.session.outcomes import (
    Advised,
    BlockMerged,
    ConflictShown,
    Counted,
    CountedOnBoards,
    Ended,
    FixesOffered,
    HistoryChange,
    HistoryChanged,
    MaybeMisread,
    NothingFits,
    Outcome,
    Solved,
    StillNothingFits,
    TurnChanged,
    TurnKnown,
    TurnTaken,
    Unlisted,
)
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.measures import BITS
from puzzlehunt.strategies.position import Budget

END_REVIEW_TIME = 1.5
"""Longest time of the review at the end of a game, for which nobody asked (in `play.budget`)."""


class Player:
    """A session, the guess that waits for its clue, and the guess that was suggested.

    With `coach` no guess is suggested until the player asks for one.
    """

    def __init__(self, session: Session, coach: bool = False) -> None:
        self.session = session
        self.coach = coach
        self.standing: Turn | None = None
        """The unread turn of a guess that was typed without a clue and waits for it."""
        self.suggested_guess: Code | None = None
        """The newest suggested guess; None where the present state has none."""
        self._repairs: tuple[Game, History, list[Repair]] | None = None
        """The newest answer of `repairs`, with the game and the history that it is for."""
        self.repairs_shown: tuple[Repair, ...] | None = None
        """The repairs that were shown last; None before any were."""
        self._contradiction_told: tuple[Game, History, bool] | None = None
        """The rows up to the first that left no candidate, when that was told last, in which game.

        The third value is whether the last row said that its guess won.
        """
        self._suspects_mentioned: set[Turn] = set()
        """The turns for which MaybeMisread was yielded: once each."""
        self._end_reported = False
        """Whether Ended was yielded since the game was won last."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.session.game

    @property
    def budget(self) -> Budget:
        """The budget of one suggestion, or of the review of one guess."""
        return Budget(seconds=self.game.play.budget)

    @property
    def standing_guess(self) -> Code | None:
        """The guess that waits for its clue, if there is one."""
        return None if self.standing is None else self.standing.guess

    @property
    def target(self) -> Code | None:
        """The guess that a clue alone answers: the standing one, else the suggested one."""
        return self.standing_guess if self.standing_guess is not None else self.suggested_guess

    # Turns.

    def play(self, turn: Turn) -> Iterator[Outcome]:
        """Add one turn, and yield how it was understood and where the game stands."""
        self.standing = None
        yield from self.record(turn)
        yield from self.state()

    def record(self, turn: Turn) -> Iterator[Outcome]:
        """Merge one turn into the session, and yield how it was understood, and what it changed."""
        (placed,) = self.session.play(turn).placed
        if placed.effect == "known":
            yield TurnKnown(placed.number, placed.turn, turn)
            return
        yield from self.turn_placed(placed)

    def record_block(self, turns: Sequence[Turn]) -> Iterator[Outcome]:
        """Merge a block into the session as one step of undo, and yield what became of it."""
        merged = self.session.play(*turns, is_log=True)
        turns = merged.history.turns
        for placed in merged.changed:
            yield from self.turn_placed(placed, turns)
        for placed in merged.overruled:
            yield TurnChanged(placed)
        counts = Counter(placed.effect for placed in merged.placed)
        if set(counts) != {"new"}:
            yield BlockMerged(counts)

    def turn_placed(
        self, placed: RowEffect, turns: Sequence[Turn] | None = None
    ) -> Iterator[Outcome]:
        """Yield how a turn was understood and, if its guess was on the board, what it was.

        `turns` are those of the session, which are looked for without them.
        """
        yield from self.turns_taken([placed.number], turns)
        if placed.effect in ("completed", "replaced"):
            yield TurnChanged(placed)

    def turns_taken(
        self, numbers: Iterable[int], turns: Sequence[Turn] | None = None
    ) -> Iterator[Outcome]:
        """Yield how turns (numbers from 1) were understood, and which guesses are in no list."""
        turns = self.session.history.turns if turns is None else turns
        for number in numbers:
            yield _taken(turns, number)
            yield from self.unlisted_warning(turns[number - 1].guess)

    def turn_taken(self, number: int) -> TurnTaken:
        """Return how turn `number` (from 1) was understood."""
        return _taken(self.session.history.turns, number)

    def unlisted_warning(self, guess: Code) -> Iterator[Outcome]:
        """Yield Unlisted for a guess that is in no list; nothing for others."""
        if self.game.has_guess_list and not self.game.is_listed(guess):
            yield Unlisted(guess)

    def record_standing_guess(self) -> Iterator[Outcome]:
        """Record the standing guess, if there is one, as a turn with nothing read."""
        if self.standing is not None:
            turn, self.standing = self.standing, None
            yield from self.record(turn)

    def read_again(self) -> Iterator[Outcome]:
        """Read the session's file again; yield what changed there, and where the game stands."""
        before, game = self.session.history, self.session.game
        self.session.read_again()
        if self.session.history != before or self.session.game is not game:
            yield from self.after_change("read", before)

    # Where the game stands.

    def state(self) -> Iterator[Outcome]:
        """Yield how many candidates are left and, last, the next guess to make.

        Where everything is found, or nothing fits, yield outcomes that say so instead. Each outcome
        is yielded before the next is computed, so that a person sees the first ones early.
        """
        session = self.session
        self.suggested_guess = None
        if session.is_won:
            yield from self._win()
            return
        self._end_reported = False
        if not session.engine.satisfiable():
            yield from self._contradiction()
            return
        self._contradiction_told = None
        counts = list(self._quick_counts())
        yield from counts
        if self.coach and counts:
            yield from self._probable_misreading()
            return
        advice = session.advise(1, self.budget)
        if not counts:
            advised_count = Count.of(advice.count)
            is_exact = advised_count.exact is not None
            yield Counted(advised_count if is_exact else session.engine.count())
        yield from self._probable_misreading()
        if not self.coach:
            self.suggested_guess = advice.suggestions[0].guess
            yield Advised(advice, session.only_one(advice))

    def _quick_counts(self) -> Iterator[Outcome]:
        """Yield how many candidates are left; nothing where counting them needs a sample.

        The advice needs the same sample, and its outcome has the count.
        """
        engine = self.session.engine
        boards = engine.boards()
        if len(boards) > 1:
            counts = tuple(board.count(quickly=True) for board in boards)
            yield CountedOnBoards(counts, tuple(self.game.winning_guesses(self.session.history)))
            return
        count = engine.count(quickly=True)
        if count.exact is not None:
            listing = engine.listed
            yield Counted(count, None if listing is None else listing.outside)

    def _win(self) -> Iterator[Outcome]:
        """Yield that the game is won and, the first time, how good the guesses were."""
        yield Solved(self.session.history)
        if not self._end_reported:
            self._end_reported = True
            yield Ended(self.review(END_REVIEW_TIME * self.game.play.budget), can_be_reviewed=True)

    def review(self, seconds: float) -> Review:
        """Return how good the guesses were, as far as they can be reviewed in some seconds."""
        session = self.session
        # A review compares bits: advice in another measure may name another best guess.
        by_bits = session.adviser.ranks_by_bits(session.engine)
        advised = {h: advice for h, advice in session.advised.items() if advice.measure == BITS}
        return review(
            self.game,
            session.history,
            self.budget,
            session.engine,
            total_seconds=seconds,
            advice_after=advised if by_bits else {},
        )

    def _probable_misreading(self) -> Iterator[Outcome]:
        """Yield the likeliest suspect if it is notable, once for each turn."""
        suspect = notable_suspect(self.session.engine)
        if suspect is not None and suspect.turn not in self._suspects_mentioned:
            self._suspects_mentioned.add(suspect.turn)
            yield MaybeMisread(suspect)

    def _contradiction(self) -> Iterator[Outcome]:
        """Yield which turn or fact left no candidate, a smallest conflict, and the ways out.

        While all of that stays as it was told last, yield that alone.
        """
        session, history = self.session, self.session.history
        engine = session.engine
        place = engine.first_conflict()
        assert place is not None
        is_won = bool(history.turns) and self.game.rule.wins(history.turns[-1].clue)
        told = self._contradiction_told
        newest = self.game, History(history.items[: place + 1]), is_won
        self._contradiction_told = newest
        if told is not None and told[0] is newest[0] and told[1:] == newest[1:]:
            yield StillNothingFits(history, place)
            return
        wider, boards = session.wider(), engine.boards()
        empty_boards = tuple(
            number
            for number, board in enumerate(boards)
            if len(boards) > 1 and not (board.secret or board.engine.satisfiable())
        )
        list_name = session.list_name if wider else ""
        yield NothingFits(history, place, wider, list_name, empty_boards, engine.proves)
        explanation = explain(self.game, engine)
        if explanation.conflict:
            yield ConflictShown(explanation)
        self.repairs_shown = tuple(self.repairs)
        yield FixesOffered(history, place, self.repairs_shown)

    @property
    def repairs(self) -> list[Repair]:
        """The repairs of the history, the likeliest first; [] where something fits."""
        game, history = self.game, self.session.history
        answer = self._repairs
        if answer is None or answer[0] is not game or answer[1] != history:
            answer = self._repairs = game, history, repairs(self.session.engine)
        return answer[2]

    def after_change(
        self, change: HistoryChange, before: History, standing: Code | None = None
    ) -> Iterator[Outcome]:
        """Yield what a change made of the history `before` it, and where the game stands.

        `standing` is a standing guess that the change took away.
        """
        session = self.session
        yield HistoryChanged(change, before, session.history, standing, session.writers)
        yield from self.state()


def _taken(turns: Sequence[Turn], number: int) -> TurnTaken:
    """Return how a turn of some, `number` (from 1), was understood."""
    return TurnTaken(number, turns[number - 1], History(tuple(turns[: number - 1])))
