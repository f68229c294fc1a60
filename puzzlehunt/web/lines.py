"""Typed lines on a board: the change that a line makes, and what a page shows of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from io import StringIO

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.lines import format_guess, format_row
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.session import outcomes
from puzzlehunt.session.changes import AddFact, Change, EditRows, RecordTurns
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.session import Session
from puzzlehunt.session.steps import Step
from puzzlehunt.views.page.fragments import outcome_html
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.terminal import print_outcome

_LONGEST_SHOWN = 300_000
"""Longest answer to a line (characters)."""
_TOO_LONG = "the answer is too long to be shown here; ask for less"


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A typed line; `pending` is a guess that waits for its clue, `suggested` the newest advice."""

    text: str
    pending: str = ""
    suggested: str = ""


@dataclass(frozen=True, slots=True)
class LineResult:
    """What a line or a change did: its outcomes as HTML and as text, and what became of its rows.

    `pending` is the guess that waits for its clue; `line` is put back into the text box, to be
    mended; `failed` and `kind` are message and class of the error that ended it. `left` are the
    steps that need an engine, and so a worker.
    """

    html: str = ""
    text: tuple[str, ...] = ()
    pending: str = ""
    line: str = ""
    failed: str = ""
    kind: str = ""
    change: Change | None = None
    effects: tuple[RowEffect, ...] = ()
    left: tuple[Step, ...] = ()


def conversation_about(session: Session, line: TypedLine, *, quiet: bool = False) -> Conversation:
    """Return a conversation in which a line is typed; texts that are no guesses are ignored."""
    conversation, game = Conversation(session, quiet=quiet), session.game
    conversation.answers_one_line = True
    conversation.pending, conversation.suggested = None, _guess(game, line.suggested)
    if (pending := _guess(game, line.pending)) is not None:
        overlong = game.is_cut(line.pending)
        conversation.pending = Turn(pending, game.unread_clue(pending), overlong=overlong)
    return conversation


def result_of(conversation: Conversation, shown: Iterable[Outcome], text: str = "") -> LineResult:
    """Return what outcomes of a conversation show and change; `text` is the line they answer."""
    out, game = StringIO(), conversation.game
    screen, parts, line, failed = Screen(out, out), [], "", outcomes.Failed("", "")
    for outcome in shown:
        if isinstance(outcome, outcomes.Unsaved):
            continue
        parts.append(outcome_html(outcome, game))
        print_outcome(outcome, screen, game)
        if isinstance(outcome, outcomes.BlockRefused):
            line = outcome.text
            problems = [f"line {one.line}: {one.message}" for one in outcome.problems]
            failed = outcomes.Failed("InvalidTurnError", "; ".join(problems))
        if isinstance(outcome, outcomes.Failed):
            line, failed = text, outcome
    html, printed = "".join(parts), out.getvalue()
    pending, made = conversation.pending, conversation.made
    return LineResult(
        html if len(html) <= _LONGEST_SHOWN else f'<p class="note">{_TOO_LONG}</p>',
        tuple(printed.splitlines()) if len(printed) <= _LONGEST_SHOWN else (_TOO_LONG,),
        "" if pending is None else format_guess(game, pending),
        line,
        failed.message,
        failed.kind,
        _as_one([change for change, _ in made]),
        tuple(effect for _, merged in made for effect in merged.placed),
    )


def _as_one(changes: Sequence[Change]) -> Change | None:
    """Return what a line changes as one change; None for nothing."""
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


def words_of(game: Game, change: Change) -> str:
    """Return a change in a few words, for those who did not see it."""
    if isinstance(change, RecordTurns):
        return "; ".join(format_row(game, turn) for turn in change.turns)
    if isinstance(change, EditRows):
        return "; ".join(f"{number}. {format_row(game, turn)}" for number, turn in change.rows)
    if isinstance(change, AddFact):
        return f"fact {change.fact.text}"
    return change.kind.replace("_", " ")
