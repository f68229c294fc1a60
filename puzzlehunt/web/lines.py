"""Typed lines on a board: the change that a line makes, and what a page shows of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import format_guess, format_row
from puzzlehunt.game.merging import MergeResult, RowEffect
from puzzlehunt.session import outcomes
from puzzlehunt.session.changes import (
    AddFact,
    AddMarks,
    Change,
    Clear,
    DropRow,
    EditRows,
    RecordTurns,
    Redo,
    SetDoubt,
    SetReadRates,
    SetStrategy,
    SetWordList,
    Undo,
)
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.player import Player
from puzzlehunt.session.session import Session
from puzzlehunt.views.page.fragments import page
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.terminal import terminal

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

    `change` is what a line changes, None for nothing; `pending` is the guess that waits for its
    clue, "" for none; `line` is what is put back into the text box, to be mended; `failed` is the
    message of the error that ended it, `kind` the name of the error's class.
    """

    html: str = ""
    text: tuple[str, ...] = ()
    pending: str = ""
    line: str = ""
    failed: str = ""
    kind: str = ""
    change: Change | None = None
    effects: tuple[RowEffect, ...] = ()


class NotingSession(Session):
    """A session in memory that notes the changes which a line makes."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.noted: list[Change] = []

    @property
    def change(self) -> Change | None:
        """What was noted, as one change; None for nothing."""
        return _as_one(self.noted)

    def keep_standing(self, turn: Turn | None) -> None:
        """Do nothing: a guess that waits for its clue is one visitor's, whose page keeps it."""

    def apply(self, change: Change) -> MergeResult:
        """Make a change, and note it."""
        result = super().apply(change)
        if not isinstance(change, SetStrategy | SetReadRates | SetWordList):
            self.noted.append(change)
        return result

    def set_play(self, **changes: Any) -> None:
        """Change the strategy, and note that."""
        super().set_play(**changes)
        self.noted.append(SetStrategy(str(changes["strategy"])))

    def set_reads(self, text: str, option: str = "reads") -> None:
        """Change how often marks are read, and note that."""
        super().set_reads(text, option)
        self.noted.append(SetReadRates(text))

    def widen(self, name: str, option: str = "secret.words") -> None:
        """Take the secrets from another word list, and note that."""
        super().widen(name, option)
        self.noted.append(SetWordList(name))


def _as_one(changes: Sequence[Change]) -> Change | None:
    """Return what a line changes as one change; None for nothing."""
    if not changes:
        return None
    first = changes[0]
    if isinstance(first, RecordTurns) and len(changes) > 1:
        # A guess that waited for its clue is recorded together with the row after it.
        turns = [one.turns for one in changes if isinstance(one, RecordTurns)]
        return replace(first, turns=tuple(turn for some in turns for turn in some))
    if isinstance(first, Undo | Redo):
        return replace(first, steps=len(changes))
    return changes[-1]


def run_line(session: Session, line: TypedLine, player: Player | None = None) -> LineResult:
    """Return what a line does to a session, shown in HTML and as text."""
    player = player or Player(session)
    _set_pending(player, line)
    if isinstance(session, NotingSession):
        session.noted.clear()
    conversation = Conversation(session)
    conversation.player, conversation.answers_one_line = player, True
    result = show_outcomes(session.game, conversation.handle(line.text), line.text)
    pending = player.standing
    return replace(
        result,
        pending="" if pending is None else format_guess(session.game, pending),
        change=session.change if isinstance(session, NotingSession) else None,
    )


def _set_pending(player: Player, line: TypedLine) -> None:
    """Give a player the pending and the suggested guess; texts that are no guesses are ignored."""
    game = player.game
    if (pending := _guess(game, line.pending)) is not None:
        overlong = game.is_cut(line.pending)
        player.standing = Turn(pending, game.unread_clue(pending), overlong=overlong)
    if (suggested := _guess(game, line.suggested)) is not None:
        player.suggested_guess = suggested


def _guess(game: Game, text: str) -> tuple[int, ...] | None:
    try:
        return game.parse_guess(text) if text else None
    except PuzzlehuntError:
        return None


def show_outcomes(game: Game, shown: Iterable[Outcome], text: str = "") -> LineResult:
    """Return outcomes as HTML and as text; `text` is the line that they answer."""
    out = StringIO()
    screen, parts, line, failed = Screen(out, out), [], "", outcomes.Failed("", "")
    for outcome in shown:
        if isinstance(outcome, outcomes.Unsaved):
            continue
        parts.append(page.show(outcome, game))
        terminal.show(outcome, screen, game)
        if isinstance(outcome, outcomes.BlockRefused):
            line = outcome.text
            problems = [f"line {one.line}: {one.message}" for one in outcome.problems]
            failed = outcomes.Failed("InvalidTurnError", "; ".join(problems))
        if isinstance(outcome, outcomes.Failed):
            line, failed = text, outcome
    html, printed = "".join(parts), out.getvalue()
    return LineResult(
        html if len(html) <= _LONGEST_SHOWN else f'<p class="note">{_TOO_LONG}</p>',
        tuple(printed.splitlines()) if len(printed) <= _LONGEST_SHOWN else (_TOO_LONG,),
        line=line,
        failed=failed.message,
        kind=failed.kind,
    )


def outcomes_of(
    player: Player, change: Change, result: MergeResult, before: History, old: tuple[str, str]
) -> Iterator[Outcome]:
    """Yield how a change of the history `before` was understood, given what became of its rows.

    `old` are the names of the strategy and the word list before it.
    """
    turns = result.history.turns
    match change:
        case RecordTurns(typed):
            for effect, turn in zip(result.placed, typed, strict=True):
                if effect.effect == "known":
                    yield outcomes.TurnKnown(effect.number, effect.turn, turn)
                else:
                    yield from player.turn_placed(effect, turns)
        case EditRows() | AddMarks():
            for effect in result.placed:
                yield from player.turn_placed(effect, turns)
        case SetDoubt(row):
            yield player.turn_taken(row)
        case AddFact(fact):
            yield outcomes.FactAdded(fact)
        case DropRow():
            yield from player.after_change("drop", before)
        case Undo():
            yield from player.after_change("undo", before)
        case Redo():
            yield from player.after_change("redo", before)
        case Clear():
            yield from player.after_change("new", before)
        case SetStrategy(name):
            yield outcomes.StrategyNamed(name, "" if name == old[0] else old[0])
        case SetWordList(name):
            yield outcomes.ListTaken(name, old[1])


def words_of(game: Game, change: Change) -> str:
    """Return a change in a few words, for those who did not see it."""
    if isinstance(change, RecordTurns):
        return "; ".join(format_row(game, turn) for turn in change.turns)
    if isinstance(change, AddFact):
        return f"fact {change.fact.text}"
    return change.kind.replace("_", " ")
