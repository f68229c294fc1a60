"""Questions about one version of a board, answered by a worker process.

Each answer is JSON as `--json` prints it, or fragments of the board's page.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.repair import repairs
from puzzlehunt.explanation.suspects import suspects
from puzzlehunt.explanation.why import explain
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.history import History
from puzzlehunt.session import outcomes, replies
from puzzlehunt.session.dialogue import with_failures
from puzzlehunt.session.limits import limited
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.questions import (
    Candidates,
    Certain,
    Conflicts,
    Explain,
    Export,
    Question,
    Rate,
    Repairs,
    ReviewGuesses,
    Status,
    Suggest,
    Suspects,
    Unread,
    Why,
)
from puzzlehunt.session.replies import Reply
from puzzlehunt.session.session import Session
from puzzlehunt.session.steps import Step
from puzzlehunt.views.json import (
    certain_json,
    explanation_json,
    repairs_json,
    reply_json,
    suspects_json,
    unconfirmed_json,
)
from puzzlehunt.views.page.fragments import outcome_html
from puzzlehunt.web.lines import LineResult, TypedLine, conversation_about, result_of
from puzzlehunt.web.uploads import check_upload

Json: TypeAlias = dict[str, Any]
Section: TypeAlias = tuple[str, Callable[[Session], Iterator[Outcome]]]
"""A fragment's name, and a function that yields what it shows."""
_SUGGESTIONS, _CANDIDATES, _MARKS = 5, 20, 3
"""How many suggestions, candidates and unread marks the page shows."""


@dataclass(frozen=True, slots=True)
class BoardSnapshot:
    """One version of a board: its game, as `Session` keeps it, and its turns and facts."""

    board: str
    reference: str
    settings: Mapping[str, Any]
    history: History


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
    value = {key: v for key, v in document.value.items() if key not in ("facts", "turns")}
    document.value = value
    return Session(gamefile.build(document), snapshot.reference, snapshot.settings)


def answer(
    task: WorkerRequest, session_of: Callable[[WorkerRequest], Session] | None = None
) -> Iterator[Any]:
    """Yield the pieces of an answer: for a page, pairs of a fragment's name and its HTML.

    `session_of` returns the session of a request's snapshot, by default a new one. Raises
    PuzzlehuntError.
    """
    question = task.question
    if isinstance(question, Upload):
        with limited(task.seconds):
            _build(question.text)
        return
    session = open_session(task.snapshot) if session_of is None else session_of(task)
    session.history = task.snapshot.history
    if isinstance(question, Page):
        first = ("end", _end) if session.is_won else ("count", _status)
        yield from _fragments(session, _DETAILS if question.details else [first], task.seconds)
        return
    with limited(task.seconds):
        answered = _ANSWERS[type(question)](session, question)
        yield reply_json(answered) if isinstance(answered, Reply) else answered


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


def _fragments(
    session: Session, sections: Sequence[Section], seconds: float
) -> Iterator[tuple[str, str]]:
    """Yield fragments of the page by name, section by section; a section takes so long at most."""
    game = session.game
    for name, section in sections:
        fragments: dict[str, list[str]] = {}
        try:
            with limited(seconds):
                for outcome in section(session):
                    place = _PLACES.get(type(outcome), name)
                    fragments.setdefault(place, []).append(outcome_html(outcome, game))
                    if place == "count":
                        yield place, "".join(fragments[place])
        except PuzzlehuntError as error:
            failed = outcomes.Failed(type(error).__name__, str(error))
            fragments.setdefault(name, []).append(outcome_html(failed, game))
        for place, parts in fragments.items():
            yield place, "".join(parts)


def _status(session: Session) -> Iterator[Outcome]:
    """Yield how many candidates are left and the best guesses, or what mends a contradiction."""
    for outcome in session.answer(Status()):
        if isinstance(outcome, outcomes.Advised):
            yield from session.answer(Suggest(_SUGGESTIONS))
        elif not isinstance(outcome, outcomes.MaybeMisread):
            yield outcome


def _end(session: Session) -> Iterator[Outcome]:
    yield from session.answer(Status())
    yield from session.answer(ReviewGuesses(3 * session.game.play.budget))


def _if_begun(session: Session, question: Question) -> Iterator[Outcome]:
    if session.history.items:
        yield from session.answer(question)


def _notable(session: Session) -> Iterator[Outcome]:
    """Yield the suspects where some turn may be wrong."""
    game = session.game
    doubted = any(turn.doubted for turn in session.history.turns)
    if doubted or game.channel.misread or game.channel.lies.at_most:
        yield from _if_begun(session, Suspects())


_DETAILS: list[Section] = [
    ("candidates", lambda session: session.answer(Candidates(_CANDIDATES))),
    ("certain", lambda session: _if_begun(session, Certain())),
    ("unread", lambda session: _if_begun(session, Unread(_MARKS))),
    ("suspects", _notable),
]
"""What is worked out after the suggestions, by the fragment's name."""


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


# Questions of programs.


def _remainder(session: Session, left: Remainder) -> LineResult:
    conversation = conversation_about(session, left.line)
    shown = (outcome for step in left.steps for outcome in conversation.take(step))
    return result_of(conversation, with_failures(shown), left.line.text)


def _suggest(session: Session, question: Suggest | Rate) -> Reply:
    if isinstance(question, Rate):
        return replies.suggest(session.answers, 1, question.guess)
    return replies.suggest(session.answers, question.top)


def _candidates(session: Session, question: Candidates) -> Reply:
    limit = question.limit or 0
    return replies.candidates(session.answers, limit, limit)


def _explain(session: Session, question: Explain | Why) -> Reply:
    limit = question.limit if isinstance(question, Explain) else 1
    return replies.explain(session.answers, (question.code, question.board), limit)


def _certain(session: Session, _question: Certain) -> Json:
    engine = session.engine
    return {"certain": certain_json(session.game, certain(engine)), **unconfirmed_json(engine)}


def _suspects(session: Session, _question: Suspects) -> Json:
    return {"suspects": suspects_json(suspects(session.engine))}


def _repairs(session: Session, _question: Repairs) -> Json:
    return {"repairs": repairs_json(session.game, repairs(session.engine))}


def _conflicts(session: Session, question: Conflicts) -> Json:
    explanation = explain(session.game, session.engine, None, None, question.limit)
    return explanation_json(explanation)


def _export(session: Session, question: Export) -> str:
    """Return the game and its rows as a script for a solver."""
    from puzzlehunt.engines import asp, smtlib

    formats = {"smtlib": smtlib.script, "lp": asp.script}
    return formats[question.format](session.game, session.history)


_ANSWERS: dict[type, Callable[[Session, Any], Any]] = {
    Remainder: _remainder,
    Suggest: _suggest,
    Rate: _suggest,
    Candidates: _candidates,
    Explain: _explain,
    Why: _explain,
    Certain: _certain,
    Suspects: _suspects,
    Repairs: _repairs,
    Conflicts: _conflicts,
    Unread: lambda session, question: replies.unread(session.answers, question.top),
    ReviewGuesses: lambda session, _: replies.review(session.answers),
    Export: _export,
}
"""The function that answers each kind of question but for those about a page or an upload."""
