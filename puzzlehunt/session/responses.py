"""Responses: for each question, the outcomes that answer it."""

from collections.abc import Iterator

from puzzlehunt.errors import SessionError
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.conflict import conflicts, conflicts_by_board
from puzzlehunt.explanation.repair import suspects
from puzzlehunt.explanation.why import Explanation, explain, verdicts
from puzzlehunt.session import outcomes
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.changes import Question
from puzzlehunt.session.limits import LISTED_CANDIDATES, LISTED_GUESSES, LONGEST_LIST
from puzzlehunt.session.outcomes import Note, Outcome

END_REVIEW_TIME = 1.5
"""Time limit of the review that ends a game (as a multiple of `play.budget`)."""
_OF_KNOWN_MARKS = {"suggest", "try", "unread", "suspects", "review"}
_OF_OPEN_GAMES = {"suggest", "try", "unread"}


def askable(answers: Answers, question: Question) -> Question:
    """Return a question, or the one about the `status` if it cannot be answered now.

    That is so if the game is won, or if no candidate is left. If nobody knows what the marks mean,
    the `legend` stands for whatever needs their meaning.
    """
    kind = question.kind
    if answers.game.hidden is not None and kind in _OF_KNOWN_MARKS:
        return Question("legend")
    if kind in _OF_OPEN_GAMES and answers.is_won:
        return Question("status")
    if kind in {*_OF_OPEN_GAMES, "certain"} and not answers.engine.satisfiable():
        return Question("status")
    return question


def answer(answers: Answers, asked: Question) -> Iterator[Outcome]:
    """Yield the outcomes that answer a question, each as soon as it is known."""
    asked = askable(answers, asked)
    game, history = answers.game, answers.history
    number, code = asked.number or LISTED_GUESSES, asked.code
    match asked.kind:
        case "status" | "count":
            yield from _status(answers, is_told=asked.kind == "status")
        case "suggest":
            yield answers.advise(number, answers.budget)
        case "try":
            assert code is not None
            yield outcomes.GuessTried(answers.tried(code), name_best=True)
        case "candidates":
            if asked.number == LONGEST_LIST:
                highs = [board.count().high for board in answers.engine.boards()]
                if any(high is None or high > LONGEST_LIST for high in highs):
                    most = f"more than {LONGEST_LIST:,} are left"
                    raise SessionError(f"{most}; /candidates 1000 lists as many")
            yield answers.candidates(LISTED_CANDIDATES if asked.number is None else asked.number)
        case "legend" if game.hidden is None:
            yield Note(game.rule.notation.legend())
        case "legend":
            yield answers.identified
        case "why":
            assert code is not None
            yield from verdicts(game, history, code, asked.board)
        case "certain":
            yield certain(answers.engine)
        case "conflicts":
            for names in conflicts(answers.engine, most=number) or [()]:
                yield Explanation(game, history, names)
        case "repairs":
            yield answers.repairs
        case "suspects":
            found = suspects(answers.engine)
            yield found.those(found[:LISTED_GUESSES])
        case "unread":
            yield answers.unread(number)
        case "review":
            yield answers.review(asked.seconds)
        case "explain":
            yield from _explain(answers, asked)
        case "rates":
            listing = answers.engine.listed if game.channel.reads is not None else None
            rates = None if listing is None else tuple(listing.posterior.rates)
            yield outcomes.ReadRatesShown(rates)
        case "export":
            yield Note(answers.script().rstrip())


def _explain(answers: Answers, asked: Question) -> Iterator[Outcome]:
    """Yield the sections of an explanation, below a title each; about a code there are fewer."""
    if asked.code is not None:
        yield from verdicts(answers.game, answers.history, asked.code, asked.board)
    yield explain(answers.game, answers.engine)
    if answers.repairs:
        yield Note("One of these mends it, the likeliest first:")
        yield answers.repairs
    if asked.code is not None:
        return
    suspected = suspects(answers.engine)
    if named := [one for one in suspected if one.named]:
        yield suspected.those(named)
    if known := certain(answers.engine):
        yield Note("What is decided:")
        yield known


def _status(answers: Answers, *, is_told: bool) -> Iterator[Outcome]:
    """Yield the number of candidates and, if `is_told`, the next guess; or how the game ends."""
    engine = answers.engine
    if answers.is_won:
        yield outcomes.Solved(answers.history, engine.known_secret())
        if answers.game.hidden is None:
            review = answers.review(END_REVIEW_TIME * answers.game.play.budget)
            yield outcomes.Ended(review, can_be_reviewed=True)
            return
    elif not engine.satisfiable():
        yield from _contradiction(answers)
        return
    if answers.game.hidden is not None:
        yield answers.identified
        return
    advice, counted = None, answers.counted()
    if counted:
        yield counted
    if is_told or not counted:
        advice = answers.advise(1, answers.budget)
        if not counted and (found := answers.counted(advice)):
            yield found
    likeliest = suspects(engine)[:1] if answers.game.channel.misread else []
    yield from (outcomes.MaybeMisread(suspect) for suspect in likeliest if suspect.named)
    if is_told and advice is not None:
        yield outcomes.Advised(advice)


def _contradiction(answers: Answers) -> Iterator[Outcome]:
    game, history, engine = answers.game, answers.history, answers.engine
    place = engine.first_conflict()
    assert place is not None
    found = conflicts_by_board(engine) if game.boards > 1 else {}
    yield outcomes.NothingFits(history, place, answers.wider_list(), (*found,), engine.proves)
    told = [
        Explanation(game, history, history.named(conflict), board=board)
        for board, (conflict, *_) in found.items()
    ]
    yield from (one for one in told or [explain(game, engine)] if one.conflict)
    yield outcomes.WaysOut(answers.repairs, place)
