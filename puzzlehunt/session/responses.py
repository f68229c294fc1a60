"""Responses: for each question, the outcomes that answer it."""

from collections.abc import Iterator

from puzzlehunt.engines.base import Count, Engine
from puzzlehunt.errors import SessionError, StrategyError
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.conflict import conflicts, conflicts_by_board
from puzzlehunt.explanation.remaining import remaining_on_boards
from puzzlehunt.explanation.repair import near_misses, suspects
from puzzlehunt.explanation.review import try_guess
from puzzlehunt.explanation.unread import unread_marks
from puzzlehunt.explanation.why import Explanation, explain, verdicts
from puzzlehunt.game.history import in_order
from puzzlehunt.session import outcomes, questions
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.limits import LISTED_GUESSES
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.questions import Question, Status

END_REVIEW_TIME = 1.5
"""Time limit of the review that ends a game (as a multiple of `play.budget`)."""
_LONGEST_LIST = 100_000
"""`/candidates all` lists at most this many candidates of a board."""


def askable(answers: Answers, question: Question) -> Question:
    """Return a question, or `Status` instead if the question cannot be answered now.

    That is so if the game is won, or if no candidate is left. If nobody knows what the marks mean,
    `Legend` stands for whatever needs their meaning.
    """
    match question:
        case (
            questions.Suggest()
            | questions.RateGuess()
            | questions.Unread()
            | questions.Suspects()
            | questions.ReviewGuesses()
        ) if answers.game.hidden is not None:
            return questions.Legend()
        case questions.Suggest() | questions.RateGuess() | questions.Unread():
            is_askable = not answers.is_won and answers.engine.satisfiable()
        case questions.Certain():
            is_askable = answers.engine.satisfiable()
        case _:
            is_askable = True
    return question if is_askable else Status()


def answer(answers: Answers, question: Question) -> Iterator[Outcome]:
    """Yield the outcomes that answer a question, each as soon as it is known."""
    match askable(answers, question):
        case Status(coach):
            yield from _status(answers, coach)
        case questions.Suggest(top):
            yield answers.advise(top, answers.budget)
        case questions.RateGuess(guess, coach):
            tried = try_guess(answers.adviser, answers.engine, guess, answers.budget)
            yield outcomes.GuessTried(tried, name_best=not coach)
        case questions.Candidates(limit):
            yield from _candidates(answers, limit)
        case questions.Legend():
            is_known = answers.game.hidden is None
            legend = answers.game.rule.notation.legend()
            yield outcomes.Note(legend) if is_known else answers.identified
        case questions.Why(code, board):
            yield from verdicts(answers.game, answers.history, code, board)
        case questions.Certain():
            yield outcomes.Certainties(tuple(certain(answers.engine)), answers.engine.proves)
        case questions.Conflicts(limit):
            for names in conflicts(answers.engine, most=limit) or [()]:
                yield Explanation(answers.game, answers.history, names)
        case questions.Repairs():
            yield outcomes.RepairsListed(answers.history, tuple(answers.repairs))
        case questions.Suspects():
            likeliest = suspects(answers.engine)[:LISTED_GUESSES]
            yield outcomes.SuspectsListed(answers.history, tuple(likeliest))
        case questions.Unread(top):
            yield outcomes.UnreadRanked(unread_marks(answers.engine), top)
        case questions.ReviewGuesses(seconds):
            yield answers.review(seconds)
        case questions.Explain() as asked:
            yield from _explain(answers, asked)
        case questions.ReadRates():
            listing = answers.engine.listed
            known = answers.game.channel.reads is not None and listing is not None
            rates = tuple(listing.posterior.rates) if known and listing else None
            yield outcomes.ReadRatesShown(rates)
        case questions.Export():
            yield outcomes.Note(answers.script().rstrip())


def _candidates(answers: Answers, limit: int | None) -> Iterator[Outcome]:
    engine = answers.engine
    if limit is None:
        counts = [board.count() for board in engine.boards()]
        limit = _LONGEST_LIST
        if any(count.high is None or count.high > limit for count in counts):
            raise SessionError(f"more than {limit:,} are left; /candidates 1000 lists as many")
    boards = remaining_on_boards(engine, limit)
    for board, remaining_codes in enumerate(boards):
        yield outcomes.CandidatesListed(remaining_codes, limit, board)
    if not boards:
        yield outcomes.CandidatesListed(answers.remaining(limit), limit)
    if near := near_misses(engine, LISTED_GUESSES):
        yield outcomes.NearMissesListed(tuple(near))


def _explain(answers: Answers, asked: questions.Explain) -> Iterator[Outcome]:
    if asked.code is not None:
        yield from answer(answers, questions.Why(asked.code, asked.board))
    yield from answer(answers, questions.Conflicts(1))
    yield from answer(answers, questions.Repairs())
    yield from answer(answers, questions.Suspects())
    if answers.engine.satisfiable():
        yield from answer(answers, questions.Certain())


def _status(answers: Answers, coach: bool) -> Iterator[Outcome]:
    """Yield the number of candidates and, last, the next guess; or the end, or a contradiction."""
    if answers.is_won:
        yield outcomes.Solved(answers.history, answers.engine.known_secret())
        if answers.game.hidden is not None:
            yield answers.identified
            return
        yield outcomes.Ended(
            answers.review(END_REVIEW_TIME * answers.game.play.budget), can_be_reviewed=True
        )
        return
    if not answers.engine.satisfiable():
        yield from _contradiction(answers)
        return
    if answers.game.hidden is not None:
        yield answers.identified
        return
    counts = list(_quick_counts(answers))
    yield from counts
    if coach and counts:
        yield from _probable_misreading(answers.engine)
        return
    try:
        advice = answers.advise(1, answers.budget)
    except StrategyError:
        if not counts:
            yield outcomes.Counted((answers.engine.count(),))
        raise
    if not counts:
        advised_count = Count.of(advice.count)
        is_exact = advised_count.exact is not None
        yield outcomes.Counted((advised_count if is_exact else answers.engine.count(),))
    yield from _probable_misreading(answers.engine)
    if not coach:
        yield outcomes.Advised(advice)


def _quick_counts(answers: Answers) -> Iterator[Outcome]:
    """Yield the number of candidates; nothing if that needs the same sample as the advice."""
    engine = answers.engine
    boards = engine.boards()
    if len(boards) > 1:
        counts = tuple(board.count(quickly=True) for board in boards)
        solved = tuple(answers.game.winning_guesses(answers.history))
        yield outcomes.Counted(counts, solved=solved)
        return
    count = engine.count(quickly=True)
    if count.exact is not None:
        listing = engine.listed
        yield outcomes.Counted((count,), None if listing is None else listing.outside)


def _probable_misreading(engine: Engine) -> Iterator[Outcome]:
    likeliest = suspects(engine)[:1] if engine.game.channel.misread else []
    yield from (outcomes.MaybeMisread(suspect) for suspect in likeliest if suspect.named)


def _contradiction(answers: Answers) -> Iterator[Outcome]:
    history, engine = answers.history, answers.engine
    place = engine.first_conflict()
    assert place is not None
    found = conflicts_by_board(engine) if answers.game.boards > 1 else {}
    yield outcomes.NothingFits(history, place, answers.wider_list(), (*found,), engine.proves)
    explanations = [
        Explanation(answers.game, history, history.named(conflict), board=board)
        for board, (conflict, *_) in found.items()
    ] or [explain(answers.game, engine)]
    yield from (explanation for explanation in explanations if explanation.conflict)
    conflict = in_order(name for explanation in explanations for name in explanation.conflict)
    yield outcomes.RepairsListed(history, tuple(answers.repairs), place, conflict)
