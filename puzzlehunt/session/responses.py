"""Responses: for each question, the outcomes that answer it."""

from collections.abc import Iterator

from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import SessionError, StrategyError
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.conflict import conflicts, conflicts_by_board
from puzzlehunt.explanation.repair import suspects
from puzzlehunt.explanation.why import Explanation, explain, verdicts
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
            yield outcomes.GuessTried(answers.tried(guess), name_best=not coach)
        case questions.Candidates(limit):
            yield answers.candidates(_whole(answers) if limit is None else limit)
        case questions.Legend():
            is_known = answers.game.hidden is None
            legend = answers.game.rule.notation.legend()
            yield outcomes.Note(legend) if is_known else answers.identified
        case questions.Why(code, board):
            yield from verdicts(answers.game, answers.history, code, board)
        case questions.Certain():
            yield certain(answers.engine)
        case questions.Conflicts(limit):
            for names in conflicts(answers.engine, most=limit) or [()]:
                yield Explanation(answers.game, answers.history, names)
        case questions.Repairs():
            yield answers.repairs
        case questions.Suspects():
            found = suspects(answers.engine)
            yield found.those(found[:LISTED_GUESSES])
        case questions.Unread(top):
            yield answers.unread(top)
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


def _whole(answers: Answers) -> int:
    """Return the limit of a list of all candidates. Raises SessionError if they are too many."""
    counts = [board.count() for board in answers.engine.boards()]
    if any(count.high is None or count.high > _LONGEST_LIST for count in counts):
        raise SessionError(f"more than {_LONGEST_LIST:,} are left; /candidates 1000 lists as many")
    return _LONGEST_LIST


def _explain(answers: Answers, asked: questions.Explain) -> Iterator[Outcome]:
    """Yield the sections of an explanation, below a title each; about a code there are fewer."""
    if asked.code is not None:
        yield from answer(answers, questions.Why(asked.code, asked.board))
    yield explain(answers.game, answers.engine)
    if answers.repairs:
        yield outcomes.Note("One of these mends it, the likeliest first:")
        yield answers.repairs
    if asked.code is not None:
        return
    suspected = suspects(answers.engine)
    if named := [one for one in suspected if one.named]:
        yield suspected.those(named)
    if known := certain(answers.engine):
        yield outcomes.Note("What is decided:")
        yield known


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
    counted = answers.counted()
    if counted:
        yield counted
    if coach and counted:
        yield from _probable_misreading(answers.engine)
        return
    try:
        advice = answers.advise(1, answers.budget)
    except StrategyError:
        if not counted and (found := answers.counted(sampled=True)):
            yield found
        raise
    if not counted and (found := answers.counted(advice)):
        yield found
    yield from _probable_misreading(answers.engine)
    if not coach:
        yield outcomes.Advised(advice)


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
    yield outcomes.WaysOut(answers.repairs, place)
