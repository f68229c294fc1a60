"""One version of a board, and the answers about it: to lines, to questions, for the page.

The server parses a typed line; a worker process takes the steps that need an engine. Workers also
answer questions, as JSON, and make fragments of the page.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import StringIO
from typing import Any

from puzzlehunt.engines.base import Counted
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.explanation.remaining import CandidatesListed
from puzzlehunt.explanation.repair import Suspect, Suspects
from puzzlehunt.explanation.review import UnreadMarks
from puzzlehunt.explanation.why import Certainties
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import problems_text
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.game.turn_notation import tried
from puzzlehunt.session.changes import Change, Question
from puzzlehunt.session.commands import Local, Step
from puzzlehunt.session.conversation import Conversation, with_failures
from puzzlehunt.session.limits import limited
from puzzlehunt.session.outcomes import Failed, Outcome, PartlyRead
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.candidates import count_line, outside_lines, says_nothing, telling_marks
from puzzlehunt.views.elements import element
from puzzlehunt.views.json import answer_json
from puzzlehunt.views.page.board_rows import RowTrouble, change_button
from puzzlehunt.views.page.fragments import outcome_html, row_troubles
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.terminal import print_outcome
from puzzlehunt.web.uploads import check_upload

LONGEST_ANSWER = 10.0
"""Time limit of an answer, and of each section of a page (seconds)."""
_KEPT_SESSIONS = 8
"""Number of boards whose sessions a worker keeps."""
SECTIONS = {
    "count": Question("count"),
    "suggestions": Question("suggest", 5),
    "candidates": Question("candidates", 40),
    "certain": Question("certain"),
    "unread": Question("unread", 3),
    "suspects": Question("suspects"),
}
"""The questions of a page's sections, in the order in which they are asked."""


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
        """Return a session of this version: the one that its board had before."""
        session = _session(self.board, self.reference, json.dumps(self.settings))
        session.history = self.history
        return session


@lru_cache(_KEPT_SESSIONS)
def _session(_board: str, reference: str, settings: str) -> Session:
    value = json.loads(settings)
    named = {"game": reference} if reference else {}
    document = gamefile.inherited(Document(named | value))
    return Session(gamefile.build(document.without_rows()), reference, value)


@dataclass(frozen=True, slots=True)
class LineResult:
    """The result of a typed line or a change; `html` and `text` show its outcomes.

    `pending` is the guess that waits for its clue, `failed` why a line failed, `change` what was
    changed, with the `effects` on its rows, `left` the steps that a worker has still to take.
    """

    html: str = ""
    text: tuple[str, ...] = ()
    pending: str = ""
    failed: Failed | None = None
    change: Change | None = None
    effects: tuple[RowEffect, ...] = ()
    left: tuple[Step, ...] = ()


def answer_of(session: Session, question: Question, seconds: float = LONGEST_ANSWER) -> Any:
    """Return the JSON or the script that answers a question. Raises PuzzlehuntError."""
    with limited(seconds):
        if question.kind == "status":
            return session.answers.is_won
        if question.kind == "export":
            return session.answers.script()
        return answer_json(session.answers, question)


def rest_of_line(session: Session, pending: str, steps: Sequence[Step]) -> LineResult:
    """Return the result of the steps of a line that need an engine. Raises LimitError."""
    with limited(LONGEST_ANSWER):
        conversation = Conversation(session, "nothing")
        conversation.pending = tried(session.game.turn, pending) if pending else None
        return result_of(conversation, with_failures(conversation.take(*steps)))


def build_upload(text: str) -> None:
    """Build the game of an uploaded file, and its first code.

    Raises GameFileError, and LimitError if that takes too long.
    """
    with limited(LONGEST_ANSWER):
        game = gamefile.build(gamefile.inherited(check_upload(text)))
        next(iter(game.guesses if game.only_questions else game.one_board.secrets))


def section(
    session: Session, name: str, seconds: float = LONGEST_ANSWER
) -> tuple[dict[str, str], dict[int, RowTrouble], list[str]]:
    """Return a section of a board's page: its fragments, by name, and the rows that it marks.

    Rows are named by their place in the history. No section follows a fragment `trouble` or `end`.
    What is left on several boards is told above each of these, and in a fragment only spoken.
    """
    game, fragments, troubles = session.game, dict[str, str](), dict[int, RowTrouble]()
    counts: list[str] = []
    try:
        with limited(seconds):
            for place, outcome in _shown(session, name):
                troubles = row_troubles(outcome) | troubles
                if not isinstance(outcome, Suspects):
                    shown = outcome_html(outcome, game)
                    if isinstance(outcome, Counted) and session.history.turns and outcome.solved:
                        pairs = zip(outcome.solved, outcome.counts, strict=True)
                        counts = ["solved" if code else count_line(left) for code, left in pairs]
                        shown = element("div", shown, "spoken")
                    fragments[place] = fragments.get(place, "") + shown
    except PuzzlehuntError as error:
        failed = outcome_html(Failed(type(error).__name__, str(error)), game)
        fragments[name] = fragments.get(name, "") + failed
    return fragments, troubles, counts


def _shown(session: Session, name: str) -> Iterator[tuple[str, Outcome]]:
    """Yield the outcomes that a section shows, each after the name of its fragment.

    What says nothing is left out. What nearly fits says nothing where no row is suspicious; a
    suspect is marked in its row.
    """
    game, history, place = session.game, session.history, name
    is_explained = meaning.is_explained(game)
    if name in ("certain", "unread", "suspects") and not (is_explained and history.items):
        return
    may_err = game.channel.misread or game.channel.lies.at_most
    if name == "suspects" and not (may_err or any(turn.doubt for turn in history.turns)):
        return
    if name == "count" and session.answers.is_won:
        place = "end"
    elif name == "count" and not session.engine.satisfiable():
        place = "trouble"
    for outcome in session.answers.ask(SECTIONS[name]):
        match outcome:
            case Advice() if is_explained and outcome:
                yield "sentence", replace(outcome, suggestions=outcome.suggestions[:1])
                if len(outcome) > 1:
                    yield place, outcome
            case CandidatesListed():
                near = outcome.near if outside_lines(outcome.remaining.outside) else ()
                if near or not all(map(says_nothing, outcome.boards or [outcome.remaining])):
                    yield place, replace(outcome, near=near)
            case Suspect():
                pass
            case UnreadMarks() if not telling_marks(outcome):
                pass
            case Certainties() | Suspects() if not outcome:
                pass
            case _:
                yield place, outcome
    if place == "end" and is_explained:
        yield place, session.answers.review(3 * game.play.budget)


def result_of(conversation: Conversation, shown: Iterable[Outcome]) -> LineResult:
    """Return the result of a line whose outcomes are `shown`."""
    out, game = StringIO(), conversation.game
    screen, parts, failed = Screen(out, out), list[str](), None
    for outcome in shown:
        parts.append(outcome_html(outcome, game))
        print_outcome(outcome, screen, game)
        if isinstance(outcome, PartlyRead):
            failed = Failed("InvalidTurnError", problems_text(outcome.problems))
        if isinstance(outcome, Failed):
            failed = outcome
    if (offer := conversation.offer) and not isinstance(offer.step, Local):
        accept = change_button(game, offer.step, offer.text.capitalize(), "main")
        parts.append(element("p", accept, "accept"))
    pending, made = conversation.pending, conversation.made
    return LineResult(
        "".join(parts),
        tuple(out.getvalue().splitlines()),
        "" if pending is None else game.format_code(pending.code),
        failed,
        made[-1][0] if made else None,
        tuple(effect for _, merged in made for effect in merged.placed),
    )
