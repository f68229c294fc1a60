"""Questions answered with outcomes, by an engine and an adviser that are kept between them."""

from collections.abc import Callable, Iterator, Mapping

from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.count import Count
from puzzlehunt.errors import SessionError
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.conflict import conflicts
from puzzlehunt.explanation.remaining import (
    OnlyOne,
    WiderList,
    only_one,
    remaining,
    remaining_on_boards,
    wider_candidates,
)
from puzzlehunt.explanation.repair import Repair, repairs
from puzzlehunt.explanation.review import Review, review, try_guess
from puzzlehunt.explanation.suspects import NEAR_CHANCE, near_misses, notable_suspect, suspects
from puzzlehunt.explanation.unread import unread_marks
from puzzlehunt.explanation.why import Explanation, explain, verdicts
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.session import outcomes, questions
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.questions import LISTED_GUESSES, Question, Status
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.measures import BITS
from puzzlehunt.strategies.position import Budget

END_REVIEW_TIME = 1.5
"""Longest time of the review at the end of a game, for which nobody asked (in `play.budget`)."""
_LONGEST_LIST = 100_000
"""How many candidates are listed at most where all are asked for (of each board)."""
_UNLIMITED = Budget()


class Answers:
    """Answers about a history of a game; `list_name` returns the name of its word list."""

    def __init__(self, game: Game, list_name: Callable[[], str]) -> None:
        self.game = game
        self.history = game.history
        self._list_name = list_name
        self._engine: Engine | None = None
        self._adviser: Adviser | None = None
        self._advice_given: dict[tuple[History, int, Budget], Advice] = {}
        """The advice given by `_adviser`, by history, number of guesses and budget."""
        self._wider: tuple[History, WiderList | None] | None = None
        """The newest answer of `_wider_for`, with the history that it is for."""
        self._repairs: tuple[History, list[Repair]] | None = None
        """The newest answer of `repairs`, with the history that it is for."""

    def take_play(self, game: Game) -> None:
        """Answer about a game that differs in its `play` settings alone."""
        self.game = game
        self._adviser = self._repairs = None

    # What takes long.

    @property
    def engine(self) -> Engine:
        """The game's engine, at the history."""
        if self._engine is None:
            self._engine = open_engine(self.game)
        if self._engine.items != self.history.items:
            self._engine.follow(self.history)
        return self._engine

    @property
    def adviser(self) -> Adviser:
        """The adviser that picks guesses by the game's strategy."""
        if self._adviser is None:
            self._adviser = Adviser(self.game)
            self._advice_given.clear()
        return self._adviser

    @property
    def budget(self) -> Budget:
        """The budget of one suggestion, or of the review of one guess."""
        return Budget(seconds=self.game.play.budget)

    def advise(self, top: int = 1, budget: Budget = _UNLIMITED) -> Advice:
        """Return the `top` best next guesses. Raises NoCandidatesError if nothing is left."""
        adviser, key = self.adviser, (self.history, top, budget)
        if key not in self._advice_given:
            self._advice_given[key] = adviser.advise(self.engine, top, budget)
        return self._advice_given[key]

    @property
    def advised(self) -> Mapping[History, Advice]:
        """The advice that the present strategy gave so far, by the history that it was given at."""
        advised = {} if self._adviser is None else self._advice_given
        return {history: advice for (history, _, _), advice in advised.items()}

    @property
    def repairs(self) -> list[Repair]:
        """The repairs of the history, the likeliest first; [] where something fits."""
        if self._repairs is None or self._repairs[0] != self.history:
            self._repairs = self.history, repairs(self.engine)
        return self._repairs[1]

    @property
    def is_won(self) -> bool:
        """Whether the newest turn says that its guess was the secret, and all others agree."""
        return self.game.is_won(self.history)

    def fits(self, history: History) -> bool:
        """Return whether some secret agrees with another history.

        The secret may come from a wider word list. Where two secrets share one board, the answer is
        always true, since their wider lists are too large to search.
        """
        engine = self.engine
        engine.follow(history)
        if engine.satisfiable() or self.game.secrets.joint:
            return True
        return self._wider_for(history) is not None

    def wider(self) -> WiderList | None:
        """Return the candidates of the first wider word list that has any.

        None while the game's own list has candidates, and where no wider list has any candidate.
        """
        return None if self.engine.satisfiable() else self._wider_for(self.history)

    def only_one(self, advice: Advice) -> OnlyOne | None:
        """Return the guess of an advice, if it is the only candidate, and what wider lists hold.

        None where it is not the only one, and where there are no wider lists.
        """
        guess = advice.only_candidate
        if guess is None:
            return None
        return only_one(self.game, self.history, guess, self._list_name())

    def _wider_for(self, history: History) -> WiderList | None:
        if self._wider is None or self._wider[0] != history:
            self._wider = (history, wider_candidates(self.game, history))
        return self._wider[1]

    def wider_game(self, name: str) -> Game | None:
        """Return the game on a wider word list, if that is the one found last."""
        wider = None if self._wider is None else self._wider[1]
        return wider.game if wider and wider.name == name else None

    def review(self, seconds: float | None = None) -> Review:
        """Return how good the guesses were, as far as they can be reviewed in some seconds."""
        # A review compares bits: advice in another measure may name another best guess.
        by_bits = self.adviser.ranks_by_bits(self.engine)
        advised = {h: advice for h, advice in self.advised.items() if advice.measure == BITS}
        return review(
            self.game,
            self.history,
            self.budget,
            self.engine,
            total_seconds=seconds,
            advice_after=advised if by_bits else {},
        )

    # Questions.

    def askable(self, question: Question) -> Question:
        """Return a question, or that for the status where the history leaves nothing to ask."""
        match question:
            case questions.Suggest() | questions.Rate() | questions.Unread():
                is_askable = not self.is_won and self.engine.satisfiable()
            case questions.Certain():
                is_askable = self.engine.satisfiable()
            case _:
                is_askable = True
        return question if is_askable else Status()

    def answer(self, question: Question) -> Iterator[Outcome]:
        """Yield the outcomes that answer a question, each before the next is worked out."""
        match self.askable(question):
            case Status(coach):
                yield from self._status(coach)
            case questions.Suggest(top):
                yield outcomes.Suggestions(self.advise(top, self.budget))
            case questions.Rate(guess, coach):
                tried = try_guess(self.adviser, self.engine, guess, self.budget)
                yield outcomes.GuessTried(tried, name_best=not coach)
            case questions.Candidates(limit):
                yield from self._candidates(limit)
            case questions.Why(code, board):
                yield outcomes.VerdictsShown(verdicts(self.game, self.history, code, board))
            case questions.Certain():
                yield outcomes.Certainties(tuple(certain(self.engine)), self.engine.proves)
            case questions.Conflicts(limit):
                for places in conflicts(self.engine, limit) or [()]:
                    yield outcomes.ConflictShown(Explanation(self.game, self.history, places))
            case questions.Repairs():
                yield outcomes.RepairsListed(self.history, tuple(self.repairs))
            case questions.Suspects():
                likeliest = suspects(self.engine)[:LISTED_GUESSES]
                yield outcomes.SuspectsListed(self.history, tuple(likeliest))
            case questions.Unread(top):
                yield outcomes.UnreadRanked(unread_marks(self.engine, self.budget), top)
            case questions.ReviewGuesses(seconds):
                yield outcomes.Reviewed(self.review(seconds))
            case questions.Explain() as asked:
                yield from self._explain(asked)
            case questions.ReadRates():
                listing = self.engine.listed
                known = self.game.channel.reads is not None and listing is not None
                rates = tuple(listing.posterior.rates) if known and listing else None
                yield outcomes.ReadRatesShown(rates)
            case questions.Export(language):
                from puzzlehunt.engines import asp, smtlib

                write = asp.script if language == "lp" else smtlib.script
                yield outcomes.ScriptExported(write(self.game, self.history))

    def _candidates(self, limit: int | None) -> Iterator[Outcome]:
        """Yield candidates by board, and what nearly fits."""
        engine = self.engine
        if limit is None:
            counts = [board.count() for board in engine.boards()]
            limit = _LONGEST_LIST
            if any(count.high is None or count.high > limit for count in counts):
                raise SessionError(f"more than {limit:,} are left; /candidates 1000 lists as many")
        boards = remaining_on_boards(engine, limit)
        for board, remaining_codes in enumerate(boards):
            yield outcomes.CandidatesListed(remaining_codes, limit, board)
        if not boards:
            yield outcomes.CandidatesListed(remaining(engine, limit), limit)
        if near := near_misses(engine, LISTED_GUESSES, NEAR_CHANCE):
            yield outcomes.NearMissesListed(tuple(near))

    def _explain(self, asked: questions.Explain) -> Iterator[Outcome]:
        if asked.code is not None:
            yield from self.answer(questions.Why(asked.code, asked.board))
        yield from self.answer(questions.Conflicts(asked.limit))
        yield from self.answer(questions.Repairs())
        yield from self.answer(questions.Suspects())
        if self.engine.satisfiable():
            yield from self.answer(questions.Certain())

    # Where the game stands.

    def _status(self, coach: bool) -> Iterator[Outcome]:
        """Yield how many candidates are left and, last, the next guess to make.

        Where everything is found, or nothing fits, yield outcomes that say so instead.
        """
        if self.is_won:
            yield outcomes.Solved(self.history)
            yield outcomes.Ended(
                self.review(END_REVIEW_TIME * self.game.play.budget), can_be_reviewed=True
            )
            return
        if not self.engine.satisfiable():
            yield from self._contradiction()
            return
        counts = list(self._quick_counts())
        yield from counts
        if coach and counts:
            yield from self._probable_misreading()
            return
        advice = self.advise(1, self.budget)
        if not counts:
            advised_count = Count.of(advice.count)
            is_exact = advised_count.exact is not None
            yield outcomes.Counted((advised_count if is_exact else self.engine.count(),))
        yield from self._probable_misreading()
        if not coach:
            yield outcomes.Advised(advice, self.only_one(advice))

    def _quick_counts(self) -> Iterator[Outcome]:
        """Yield how many candidates are left; nothing where counting them needs a sample.

        The advice needs the same sample, and its outcome has the count.
        """
        engine = self.engine
        boards = engine.boards()
        if len(boards) > 1:
            counts = tuple(board.count(quickly=True) for board in boards)
            solved = tuple(self.game.winning_guesses(self.history))
            yield outcomes.Counted(counts, solved=solved)
            return
        count = engine.count(quickly=True)
        if count.exact is not None:
            listing = engine.listed
            yield outcomes.Counted((count,), None if listing is None else listing.outside)

    def _probable_misreading(self) -> Iterator[Outcome]:
        suspect = notable_suspect(self.engine)
        if suspect is not None:
            yield outcomes.MaybeMisread(suspect)

    def _contradiction(self) -> Iterator[Outcome]:
        """Yield which turn or fact left no candidate, a smallest conflict, and the ways out."""
        history, engine = self.history, self.engine
        place = engine.first_conflict()
        assert place is not None
        wider, boards = self.wider(), engine.boards()
        empty_boards = tuple(
            number
            for number, board in enumerate(boards)
            if len(boards) > 1 and not (board.secret or board.engine.satisfiable())
        )
        list_name = self._list_name() if wider else ""
        yield outcomes.NothingFits(history, place, wider, list_name, empty_boards, engine.proves)
        explanation = explain(self.game, engine)
        if explanation.conflict:
            yield outcomes.ConflictShown(explanation)
        yield outcomes.RepairsListed(history, tuple(self.repairs), place)
