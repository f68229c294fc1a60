"""Questions about one version of a board, answered by a worker process.

Each answer is JSON as `--json` prints it, or fragments of the board's page.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzlehunt.codes.words import resource_folder
from puzzlehunt.engines import asp, smtlib
from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.suspects import suspects
from puzzlehunt.explanation.why import explain
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.session import outcomes, questions
from puzzlehunt.session.dialogue import with_failures
from puzzlehunt.session.limits import limited
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.questions import Question
from puzzlehunt.session.session import Session
from puzzlehunt.session.steps import Step
from puzzlehunt.views import json
from puzzlehunt.views.page.fragments import outcome_html
from puzzlehunt.web.lines import TypedLine, conversation_about, result_of
from puzzlehunt.web.uploads import check_upload

_PLACES: dict[type[Outcome], str] = {
    outcomes.Counted: "count",
    outcomes.Suggestions: "suggestions",
    outcomes.NothingFits: "trouble",
    outcomes.ConflictShown: "trouble",
    outcomes.RepairsListed: "trouble",
    outcomes.Solved: "end",
    outcomes.Ended: "end",
    outcomes.Reviewed: "end",
}
"""The fragment that an outcome belongs to, where it is not that of its section."""


@dataclass(frozen=True, slots=True)
class BoardSnapshot:
    """One version of a board: its game, as `Session` keeps it, and its turns and facts.

    `is_large` says that questions about it may take seconds.
    """

    board: str
    reference: str
    settings: Mapping[str, Any]
    history: History
    is_large: bool = False


def is_large(game: Game) -> bool:
    """Return whether questions about a game may take seconds."""
    return game.secrets.size > 2_000_000


@dataclass(frozen=True, slots=True)
class Page:
    """The fragments of a page: first what matters most, then, asked for apart, the `details`."""

    details: bool = False


@dataclass(frozen=True, slots=True)
class Remainder:
    """The steps of a line that need an engine."""

    line: TypedLine
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Upload:
    """Whether the game of a file from somebody else can be built."""

    text: str


@dataclass(frozen=True, slots=True)
class WorkerRequest:
    """What a worker answers about a snapshot, and how long it may take (seconds)."""

    snapshot: BoardSnapshot
    question: Question | Page | Remainder | Upload
    seconds: float = 10.0


def open_session(snapshot: BoardSnapshot) -> Session:
    """Return a session of a snapshot, without a file."""
    document = Document(dict(snapshot.settings))
    if snapshot.reference:
        document = document.inherit(gamefile.find_document(snapshot.reference, Path()))
    return Session(gamefile.build(document.without_rows()), snapshot.reference, snapshot.settings)


def answer(
    task: WorkerRequest, session_of: Callable[[BoardSnapshot], Session] = open_session
) -> Iterator[Any]:
    """Yield the pieces of an answer: for a page, pairs of a fragment's name and its HTML.

    Raises PuzzlehuntError.
    """
    question = task.question
    if isinstance(question, Upload):
        with limited(task.seconds):
            _build(question.text)
        return
    session = session_of(task.snapshot)
    session.history = task.snapshot.history
    if isinstance(question, Page):
        for name, section in _sections(session, question).items():
            yield from _fragments(session, name, section, task.seconds)
    else:
        with limited(task.seconds):
            yield _answer(session, question)


def _build(text: str) -> None:
    """Build the game of a file from somebody else, to see that this is possible in time."""
    document = check_upload(text)
    if "game" in document.value:
        document = document.inherit(gamefile.find_document(document.value["game"], Path()))
    try:
        gamefile.build(document)
    except GameFileError as error:
        examples = f"{resource_folder('examples')}/"
        raise GameFileError(str(error).replace(examples, "")) from None


# The page.


def _sections(session: Session, asked: Page) -> dict[str, Iterator[Outcome]]:
    """Return what a page shows, by the names of fragments; it is worked out as it is taken."""
    if not asked.details:
        return {"end": _end(session)} if session.is_won else {"count": _status(session)}
    shown: dict[str, Question] = {"candidates": questions.Candidates(20)}
    if session.history.items:
        shown |= {"certain": questions.Certain(), "unread": questions.Unread(3)}
        channel = session.game.channel
        doubted = any(turn.doubted for turn in session.history.turns)
        if doubted or channel.misread or channel.lies.at_most:
            shown["suspects"] = questions.Suspects()
    return {name: session.answer(question) for name, question in shown.items()}


def _fragments(
    session: Session, name: str, section: Iterator[Outcome], seconds: float
) -> Iterator[tuple[str, str]]:
    """Yield the fragments of a section, which takes so long at most; the count comes at once."""
    game, fragments = session.game, dict[str, str]()
    try:
        with limited(seconds):
            for outcome in section:
                place = _PLACES.get(type(outcome), name)
                fragments[place] = fragments.get(place, "") + str(outcome_html(outcome, game))
                if place == "count":
                    yield place, fragments[place]
    except PuzzlehuntError as error:
        failed = outcomes.Failed(type(error).__name__, str(error))
        fragments[name] = fragments.get(name, "") + str(outcome_html(failed, game))
    yield from fragments.items()


def _status(session: Session) -> Iterator[Outcome]:
    """Yield how many candidates are left and the best guesses, or what mends a contradiction."""
    for outcome in session.answer(questions.Status()):
        if isinstance(outcome, outcomes.Advised):
            yield from session.answer(questions.Suggest(5))
        elif not isinstance(outcome, outcomes.MaybeMisread):
            yield outcome


def _end(session: Session) -> Iterator[Outcome]:
    yield from session.answer(questions.Status())
    yield from session.answer(questions.ReviewGuesses(3 * session.game.play.budget))


# Questions of programs.


def _answer(session: Session, question: Question | Remainder) -> Any:
    """Return the answer to a question: JSON, a script, or what the rest of a line did."""
    game, answers = session.game, session.answers
    match question:
        case Remainder(line, steps):
            conversation = conversation_about(session, line)
            shown = (outcome for step in steps for outcome in conversation.take(step))
            return result_of(conversation, with_failures(shown), line.text)
        case questions.Suggest(top):
            return json.reply_json(answers.suggest(top))
        case questions.Rate(guess):
            return json.reply_json(answers.suggest(1, guess))
        case questions.Candidates(limit):
            return json.reply_json(answers.candidates(limit or 0, limit or 0))
        case questions.Explain(code, board, limit):
            return json.reply_json(answers.explain((code, board), limit))
        case questions.Why(code, board):
            return json.reply_json(answers.explain((code, board)))
        case questions.Unread(top):
            return json.reply_json(answers.unread(top))
        case questions.ReviewGuesses():
            return json.reply_json(answers.reviewed())
        case questions.Certain():
            found = json.certain_json(game, certain(session.engine))
            return {"certain": found, **json.unconfirmed_json(session.engine)}
        case questions.Suspects():
            return {"suspects": json.suspects_json(suspects(session.engine))}
        case questions.Repairs():
            return {"repairs": json.repairs_json(game, answers.repairs)}
        case questions.Conflicts(limit):
            return json.explanation_json(explain(game, session.engine, None, None, limit))
        case questions.Export(form):
            scripts = {"smtlib": smtlib.script, "lp": asp.script}
            return scripts[form](game, session.history)
    raise TypeError(question)
