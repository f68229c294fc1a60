"""Answers about a history; the engine, the adviser and what was found are kept between questions.

`Answers.ask` answers a question of a person, `views.json` that of a program.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TypeVar, cast

from puzzlehunt import explanation
from puzzlehunt.codes.alphabet import PAD, Code
from puzzlehunt.engines.base import Count, Counted, Engine, open_engine
from puzzlehunt.errors import SessionError
from puzzlehunt.explanation.remaining import (
    CandidatesListed,
    Remaining,
    WiderList,
    left_on_boards,
    remaining,
    wider_candidates,
)
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import in_order
from puzzlehunt.session import outcomes
from puzzlehunt.session.changes import Question
from puzzlehunt.session.limits import LISTED_CANDIDATES, LISTED_GUESSES, LONGEST_LIST
from puzzlehunt.session.outcomes import Note, Outcome
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.measures import BITS
from puzzlehunt.strategies.position import GUESS_SAMPLE, Budget

Value = TypeVar("Value")
END_REVIEW_TIME = 1.5
"""Time limit of the review that ends a game (as a multiple of `play.budget`)."""


class Answers:
    """Answers questions about a game's history."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.history = game.history
        self._engine: Engine | None = None
        self._found: dict[tuple[Hashable, ...], object] = {}
        """What was found, by its history and its name."""

    def _once(self, find: Callable[[], Value], *name: Hashable) -> Value:
        """Return what was found for the present history by this name; it is looked for once."""
        key = self.history, *name
        if key not in self._found:
            self._found[key] = find()
        return cast(Value, self._found[key])

    @property
    def engine(self) -> Engine:
        """The game's engine, with the turns and facts of the history."""
        if self._engine is None:
            self._engine = open_engine(self.game)
        if self._engine.items != self.history.items:
            self._engine.follow(self.history)
            self._found.clear()  # which would grow
        return self._engine

    @cached_property
    def adviser(self) -> Adviser:
        """The adviser, which picks guesses by the game's strategy."""
        return Adviser(self.game)

    @property
    def budget(self) -> Budget:
        """The time limit for one suggestion, or for the review of one guess."""
        return Budget(seconds=self.game.play.budget)

    @property
    def is_won(self) -> bool:
        """Whether the newest turn found the last secret, and no turn or fact contradicts that.

        In a game of questions alone: whether the secret is known.
        """
        if self.game.only_questions:
            return self.engine.known_secret() is not None
        return meaning.is_won(self.game, self.history)

    # What is left.

    def counted(self, advice: Advice | None = None) -> Counted | None:
        """Return how many candidates are left; None if a sample tells, without `advice`."""
        engine, boards = self.engine, self.engine.boards()
        if len(boards) > 1:
            counts = tuple(board.count(quickly=True) for board in boards)
            return Counted(counts, solved=tuple(meaning.winning_guesses(self.game, self.history)))
        count, listing = engine.count(quickly=True), engine.listed
        if count.exact is None:
            if advice is None:
                return None
            count = engine.count() if advice.count is None else Count.of(advice.count)
        return Counted((count,), None if listing is None else listing.outside)

    def with_letters(self, counted: Counted) -> Counted:
        """Return a count with what the words that are left have in common, if they are listed."""
        listing = self.engine.listed
        if listing is None or not self.game.secrets.listed or self.game.alphabet.names_codes:
            return counted
        codes = listing.secrets().codes[listing.candidate_places()]
        if len(codes) < 2:
            return counted
        columns = [column.tolist() if (column == column[0]).all() else [] for column in codes.T]
        where = tuple(column[0] if column and column[0] != PAD else None for column in columns)
        guessed = sorted({symbol for turn in self.history.turns for symbol in turn.code})
        counts = {symbol: (codes == symbol).sum(axis=1) for symbol in guessed}
        present = [one for one in guessed for _ in range(counts[one].min() - where.count(one))]
        absent = [one for one in guessed if not counts[one].any()]
        found = counted.counts, counted.outside, counted.solved
        return outcomes.WordsCounted(*found, where, tuple(present), tuple(absent))

    def candidates(self, limit: int, near: int = LISTED_GUESSES) -> CandidatesListed:
        """Return up to `limit` candidates, and up to `near` codes that nearly fit.

        The codes that nearly fit are left out if a time limit ended the list of candidates.
        """
        listed = CandidatesListed(
            self._remaining(limit), tuple(left_on_boards(self.engine, limit)), limit=limit
        )
        if listed.stopped:
            return listed
        missed = explanation.repair.near_misses(self.engine, top=near)
        wider = None if listed.fits else self.wider_list()
        return replace(listed, near=tuple(missed), wider_list=wider)

    def _remaining(self, limit: int) -> Remaining:
        if meaning.is_explained(self.game) or not self.history.turns:
            return remaining(self.engine, limit)
        listed = self.identify().candidates[:limit]
        codes, chances = tuple(code for code, _ in listed), tuple(chance for _, chance in listed)
        return Remaining(codes, None, bool(listed), chances)

    def wider_list(self) -> WiderList | None:
        """Return the first wider word list with candidates; None if the own one has some."""
        if self.engine.satisfiable():
            return None
        return self._once(lambda: wider_candidates(self.engine), "wider")

    # Guesses.

    def advise(self, top: int = 1, budget: Budget | None = None) -> Advice:
        """Return the `top` best next guesses, by default within `budget`; none if all is found.

        Raises NoCandidatesError if nothing fits.
        """
        if meaning.all_found(self.game, self.history) and self.engine.satisfiable():
            return self.adviser.no_advice(1)
        if not meaning.is_explained(self.game):
            found = self.identify().suggestions[:top]
            return Advice(self.game, found, None, False, "legends", BITS, GUESS_SAMPLE)
        within = budget or self.budget
        find = self.adviser.advise
        return self._once(lambda: find(self.engine, top, budget=within), "advice", top, within)

    def tried(self, guess: Code) -> "explanation.review.TriedGuess":
        """Return the value of a guess. Raises SessionError if nobody knows what the marks mean."""
        self._check_explained()
        return explanation.review.try_guess(self.adviser, self.engine, guess, self.budget)

    def review(self, seconds: float | None = None) -> "explanation.review.Review":
        """Return a review of the guesses, of as many as `seconds` allow (None: no limit).

        Raises SessionError if nobody knows what the marks mean.
        """
        self._check_explained()
        return explanation.review.review(self.engine, budget=self.budget, total_seconds=seconds)

    def _check_explained(self) -> None:
        if not meaning.is_explained(self.game):
            raise SessionError("what a guess is worth depends on its marks; ask what they mean")

    # Rows and marks.

    def identify(
        self, secret: Hashable | None = None
    ) -> "explanation.identification.Identification":
        """Return what marks mean that nobody explained; `secret` is given if it is known."""
        own_rule = getattr(self.game.rule, "meant", None) is not None
        find = explanation.identification.identify
        return self._once(
            lambda: find(self.game, self.history, own_rule, secret), "meaning", secret
        )

    @property
    def repairs(self) -> "explanation.repair.Repairs":
        """The repairs of the history, the likeliest first; [] if something fits."""
        return self._once(lambda: explanation.repair.repairs(self.engine), "repairs")

    def unread(self, top: int) -> "explanation.review.UnreadMarks":
        """Return the `top` most informative unread marks; none if the game is over."""
        engine, marks = self.engine, explanation.review
        is_over = meaning.all_found(self.game, self.history)
        found = [] if is_over or not engine.satisfiable() else marks.unread_marks(engine)[:top]
        return marks.UnreadMarks(engine, found)

    def script(self) -> str:
        """Return the game and its history as an SMT-LIB 2 script."""
        from puzzlehunt.engines import smtlib

        return smtlib.script(self.game, self.history)

    # Questions of people.

    def ask(self, asked: Question) -> Iterator[Outcome]:
        """Yield the outcomes that answer a question, each as soon as it is known.

        If the game is won, or no candidate is left, some are answered by where the game stands.
        """
        game, history, kind = self.game, self.history, asked.kind
        number, code = asked.number or LISTED_GUESSES, asked.code
        if kind in ("suggest", "try", "unread", "certain"):
            is_over = self.is_won and kind != "certain"
            kind = "status" if is_over or not self.engine.satisfiable() else kind
        match kind:
            case "status" | "count":
                yield from self._status(is_told=kind == "status")
            case "suggest":
                yield self.advise(number)
            case "try":
                assert code is not None
                yield self.tried(code)
            case "candidates" if asked.fact is not None:
                engine = open_engine(replace(game, history=history.add(asked.fact)))
                codes = replace(remaining(engine, LONGEST_LIST), chances=())  # given the fact
                yield CandidatesListed(codes, tuple(left_on_boards(engine, LONGEST_LIST)))
            case "candidates":
                yield self.candidates(LISTED_CANDIDATES if asked.number is None else asked.number)
            case "legend":
                known = Note(game.rule.notation.legend())
                yield known if meaning.is_explained(game) else self.identify()
            case "why":
                assert code is not None
                yield from explanation.why.why(self.engine, code=code, board=asked.board)
            case "certain":
                yield explanation.why.certain(self.engine)
            case "conflicts":
                for names in explanation.why.conflicts(self.engine, top=number) or [()]:
                    yield explanation.why.Explanation(game, history, names)
            case "repairs":
                if self.repairs:
                    yield self.repairs
                elif self.engine.satisfiable():
                    raise SessionError("nothing to repair")
                else:
                    raise SessionError("no change of one row mends this")
            case "suspects":
                found = explanation.repair.suspects(self.engine)
                del found[LISTED_GUESSES:]
                yield found
            case "unread":
                yield self.unread(number)
            case "review":
                yield self.review(asked.seconds)
            case "explain":
                if code is not None:
                    yield from explanation.why.why(self.engine, code=code, board=asked.board)
                yield explanation.why.explain(self.engine)
                if self.repairs:
                    yield Note("These mend it, the likeliest first:")
                    yield self.repairs
                if code is None:
                    suspected = explanation.repair.suspects(self.engine)
                    suspected[:] = [one for one in suspected if one.named]
                    yield from [suspected] if suspected else []
                    if decided := explanation.why.certain(self.engine):
                        yield Note("What is decided:")
                        yield decided
            case "rates":
                listing = self.engine.listed if game.channel.reads is not None else None
                rates = None if listing is None else tuple(listing.posterior.rates)
                yield outcomes.ReadRatesShown(rates)
            case "export":
                yield Note(self.script().rstrip())

    def _status(self, *, is_told: bool) -> Iterator[Outcome]:
        """Yield the number of candidates and, if `is_told`, the next guess; or how it ends."""
        engine, is_explained, advice = self.engine, meaning.is_explained(self.game), None
        if self.is_won:
            yield outcomes.Solved(self.history, engine.known_secret())
            if is_explained:
                review = self.review(END_REVIEW_TIME * self.game.play.budget)
                yield outcomes.Shared(self.history, review)
                return
        elif not engine.satisfiable():
            yield from self._contradiction()
            return
        if not is_explained:
            yield self.identify()
            return
        if counted := self.counted():
            yield counted
        if is_told or not counted:
            advice = self.advise()
            if not counted and (found := self.counted(advice)):
                yield found
        likeliest = explanation.repair.suspects(engine)[:1] if self.game.channel.misread else []
        yield from (suspect for suspect in likeliest if suspect.named)
        if is_told and advice is not None:
            yield advice

    def _contradiction(self) -> Iterator[Outcome]:
        game, history, engine = self.game, self.history, self.engine
        place = engine.first_conflict()
        assert place is not None
        yield outcomes.NothingFits(history, place, engine.proves)
        if wider := self.wider_list():  # its words agree with all rows
            yield wider
            yield self.repairs
            return
        found = explanation.why.conflicts_by_board(engine) if game.boards > 1 else {}
        for board, (conflict, *_) in found.items():
            names = in_order(history.names[place] for place in conflict)
            yield explanation.why.Explanation(game, history, names, board=board)
        if not found and (explained := explanation.why.explain(engine)).conflict:
            yield explained
        yield self.repairs
