"""One version of a board, and the answers about it: to lines, to questions, for the page.

The server parses a typed line; if some of its steps need an engine, a worker process takes them.
Workers also answer questions, as the JSON of `--json`, and render fragments of the page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

from puzzlehunt.codes.words import resource_folder
from puzzlehunt.engines.base import Counted
from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.explanation.certainty import Certainties
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.remaining import CandidatesListed
from puzzlehunt.explanation.repair import Suspects
from puzzlehunt.explanation.review import Review
from puzzlehunt.explanation.unread import UnreadMarks
from puzzlehunt.explanation.why import Explanation
from puzzlehunt.game.blocks import problems_text
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.game.turn_notation import format_guess
from puzzlehunt.session import outcomes
from puzzlehunt.session.changes import Change, Question, RecordTurns
from puzzlehunt.session.commands import Step
from puzzlehunt.session.conversation import Conversation, with_failures
from puzzlehunt.session.limits import limited
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.advice import telling_marks
from puzzlehunt.views.candidates import outside_lines, says_nothing
from puzzlehunt.views.json import answer_json
from puzzlehunt.views.page.board_rows import RowTrouble
from puzzlehunt.views.page.fragments import outcome_html, row_troubles
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.summary import meaning_lines, remarks, size_line
from puzzlehunt.views.terminal import print_outcome
from puzzlehunt.web.uploads import check_upload

_LONGEST_SHOWN = 300_000
"""Longest answer to a line (characters)."""
_TOO_LONG = "the answer is too long to be shown here; ask for less"
_PLACES: dict[type[Outcome], str] = {
    Counted: "count",
    Identification: "count",
    outcomes.Advised: "sentence",
    Advice: "suggestions",
    outcomes.NothingFits: "trouble",
    Explanation: "trouble",
    outcomes.WaysOut: "trouble",
    outcomes.Solved: "end",
    outcomes.Ended: "end",
    Review: "end",
}
"""The page fragment of an outcome's type, if it differs from the fragment of its section."""


@dataclass(frozen=True, slots=True)
class BoardSnapshot:
    """One version of a board: its game, and its history of turns and facts.

    `reference` and `settings` describe the game as in a `Session`.
    """

    board: str
    reference: str
    settings: Mapping[str, Any]
    history: History

    def session(self) -> Session:
        """Return a new session of the game, without its rows and without a file."""
        document = Document(dict(self.settings))
        if self.reference:
            document = document.inherit(gamefile.find_document(self.reference, Path()))
        return Session(gamefile.build(document.without_rows()), self.reference, self.settings)


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A typed line, and what its author saw.

    `pending` is the guess that waits for its clue, `suggested` the guess suggested last; both are
    "" if there is none.
    """

    text: str
    pending: str = ""
    suggested: str = ""


@dataclass(frozen=True, slots=True)
class LineResult:
    """The result of a typed line or a change; `html` and `text` show its outcomes.

    `pending` is the guess that waits for its clue. `failed` is the error of a line that failed;
    `line` is then its text, to be corrected. `change` is the change made to the board, and
    `effects` are those of its rows. `left` are the steps still to be taken by a worker.
    """

    html: str = ""
    text: tuple[str, ...] = ()
    pending: str = ""
    line: str = ""
    failed: outcomes.Failed | None = None
    change: Change | None = None
    effects: tuple[RowEffect, ...] = ()
    left: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """The request for fragments of a board's page: the main ones, or only the `details`."""

    details: bool = False


@dataclass(frozen=True, slots=True)
class Remainder:
    """The steps of a typed line that the server leaves to a worker, since they need an engine."""

    line: TypedLine
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Upload:
    """The request to check that the game of an uploaded file can be built in time."""

    text: str


@dataclass(frozen=True, slots=True)
class WorkerRequest:
    """A question to a worker about a snapshot.

    `seconds` is the time limit; each section of a page has this limit for itself.
    """

    snapshot: BoardSnapshot
    question: Question | Page | Remainder | Upload
    seconds: float = 10.0


def answer(task: WorkerRequest, session: Session | None = None) -> Iterator[Any]:
    """Yield the pieces of the answer to a request. Raises PuzzlehuntError.

    For a page they are pairs of a fragment's name and its HTML, and a pair of "rows" and a mapping
    from places in the history to `RowTrouble`. All others have one piece: the JSON or the script
    that answers a question, the result of a line, or lines on what an uploaded game means.
    `session` is one of the snapshot's game, if there is one already.
    """
    question = task.question
    if isinstance(question, Upload):
        with limited(task.seconds):
            game = _build(question.text)
            example = next(iter(game.guesses if game.only_questions else game.one_board.secrets))
            yield [size_line(game), *meaning_lines(game, example), *remarks(game)]
        return
    session = session or task.snapshot.session()
    session.history = task.snapshot.history
    if isinstance(question, Page):
        for name, section in _sections(session, question).items():
            yield from _fragments(session, name, section, task.seconds)
        return
    with limited(task.seconds):
        if isinstance(question, Remainder):
            conversation = conversation_about(session, question.line)
            shown = (one for step in question.steps for one in conversation.take(step))
            yield result_of(conversation, with_failures(shown), question.line.text)
        elif question.kind == "status":
            yield session.is_won
        elif question.kind == "export":
            yield session.answers.script()
        else:
            yield answer_json(session.answers, question)


def _build(text: str) -> Game:
    """Return the game of an uploaded file. Raises GameFileError."""
    document = check_upload(text)
    if "game" in document.value:
        document = document.inherit(gamefile.find_document(document.value["game"], Path()))
    try:
        return gamefile.build(document)
    except GameFileError as error:
        examples = f"{resource_folder('examples')}/"
        raise GameFileError(str(error).replace(examples, "")) from None


# The page.


def _sections(session: Session, asked: Page) -> dict[str, Iterator[Outcome]]:
    """Return the outcomes that a page shows, by fragment name; they are computed lazily."""
    if not asked.details:
        return {"end": _end(session)} if session.is_won else {"count": _status(session)}
    shown = {"candidates": Question("candidates", 20)}
    if session.history.items and session.game.hidden is None:
        shown |= {"certain": Question("certain"), "unread": Question("unread", 3)}
        channel = session.game.channel
        doubted = any(turn.doubted for turn in session.history.turns)
        if doubted or channel.misread or channel.lies.at_most:
            shown["suspects"] = Question("suspects")
    return {name: filter(None, map(_telling, session.ask(one))) for name, one in shown.items()}


def _fragments(
    session: Session, name: str, section: Iterator[Outcome], seconds: float
) -> Iterator[tuple[str, str | dict[int, RowTrouble]]]:
    """Yield the fragments of a section, within a time limit (seconds); the count comes early."""
    game, fragments, troubles = session.game, dict[str, str](), dict[int, RowTrouble]()
    try:
        with limited(seconds):
            for outcome in section:
                for at, trouble in row_troubles(outcome, game).items():
                    troubles[at] = troubles[at] | trouble if at in troubles else trouble
                if isinstance(outcome, Suspects):
                    continue
                place = _PLACES.get(type(outcome), name)
                fragments[place] = fragments.get(place, "") + str(outcome_html(outcome, game))
                if place == "count":
                    yield place, fragments[place]
    except PuzzlehuntError as error:
        failed = outcomes.Failed(type(error).__name__, str(error))
        fragments[name] = fragments.get(name, "") + str(outcome_html(failed, game))
    yield from fragments.items()
    if troubles:
        yield "rows", troubles


def _end(session: Session) -> Iterator[Outcome]:
    yield from session.ask(Question("status"))
    yield from session.ask(Question("review", seconds=3 * session.game.play.budget))


def _status(session: Session) -> Iterator[Outcome]:
    """Yield the number of candidates and the best guesses, or repairs of a contradiction."""
    is_open, answers = False, session.answers
    for outcome in session.ask(Question("count")):
        is_open |= isinstance(outcome, Counted)
        if not isinstance(outcome, outcomes.MaybeMisread):
            yield outcome
    if session.game.hidden is not None:
        yield answers.advise(5)
    elif is_open:
        advice = answers.advise(5, answers.budget)
        if advice.suggestions:
            yield outcomes.Advised(advice)
        yield advice


def _telling(outcome: Outcome) -> Outcome | None:
    """Return an outcome, without lists of candidates that say nothing; None if all says nothing.

    What nearly fits says nothing where no row is suspicious.
    """
    if isinstance(outcome, CandidatesListed):
        told, *boards = (
            replace(one, codes=(), chances=()) if says_nothing(one) else one
            for one in (outcome.remaining, *outcome.boards)
        )
        near = outcome.near if outside_lines(outcome.remaining.outside) else ()
        says = near or any(one.codes or not one.more for one in boards or [told])
        return replace(outcome, remaining=told, boards=tuple(boards), near=near) if says else None
    if isinstance(outcome, UnreadMarks):
        return outcome if telling_marks(outcome) else None
    return None if isinstance(outcome, Certainties) and not outcome else outcome


# Typed lines.


def conversation_about(session: Session, line: TypedLine, *, quiet: bool = False) -> Conversation:
    """Return a conversation for a typed line, with the line's pending and suggested guesses.

    Texts of these that are not guesses of the game are ignored.
    """
    conversation, game = Conversation(session, quiet=quiet), session.game
    conversation.answers_one_line = True
    conversation.pending, conversation.suggested = None, _guess(game, line.suggested)
    if (pending := _guess(game, line.pending)) is not None:
        overlong = game.is_cut(line.pending)
        conversation.pending = Turn(pending, game.unread_clue(pending), overlong=overlong)
    return conversation


def result_of(conversation: Conversation, shown: Iterable[Outcome], text: str = "") -> LineResult:
    """Return the result of the outcomes `shown` for a typed line; `text` is that line."""
    out, game = StringIO(), conversation.game
    screen, parts, line, failed = Screen(out, out), list[str](), "", None
    for outcome in shown:
        parts.append(outcome_html(outcome, game))
        print_outcome(outcome, screen, game)
        if isinstance(outcome, outcomes.BlockRefused):
            line = outcome.text
            failed = outcomes.Failed("InvalidTurnError", problems_text(outcome.problems))
        if isinstance(outcome, outcomes.Failed):
            line, failed = text, outcome
    html, printed = "".join(parts), out.getvalue()
    pending, made = conversation.pending, conversation.made
    return LineResult(
        html if len(html) <= _LONGEST_SHOWN else f'<p class="note">{_TOO_LONG}</p>',
        tuple(printed.splitlines()) if len(printed) <= _LONGEST_SHOWN else (_TOO_LONG,),
        "" if pending is None else format_guess(game, pending),
        line,
        failed,
        _as_one([change for change, _ in made]),
        tuple(effect for _, merged in made for effect in merged.placed),
    )


def _as_one(changes: Sequence[Change]) -> Change | None:
    """Return the changes of one line as one change, None if there are none."""
    recorded = [change for change in changes if isinstance(change, RecordTurns)]
    if len(recorded) > 1:
        # A guess that waited for its clue is recorded together with the row after it.
        return replace(recorded[-1], turns=tuple(turn for one in recorded for turn in one.turns))
    return changes[-1] if changes else None


def _guess(game: Game, text: str) -> tuple[int, ...] | None:
    try:
        return game.parse_guess(text) if text else None
    except PuzzlehuntError:
        return None
