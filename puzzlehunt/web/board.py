"""Boards: sessions that a team plays together, version by version.

A change names the version of the board that its author saw, and is rebased onto the newest version:
new rows are added after the rows of other people, and a change of a row that somebody else has
changed meanwhile is refused. Every change is written before it is acknowledged.
"""

import copy
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import TypeAlias

from puzzlehunt.codes.words import built_in_lists
from puzzlehunt.errors import OvertakenError, PuzzlehuntError, SessionError
from puzzlehunt.game.files import document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.turn_notation import format_guess, format_row, format_turn
from puzzlehunt.session.changes import (
    Change,
    Question,
    Redo,
    ReplaceHistory,
    SetReadRates,
    SetStrategy,
    SetWordList,
    Undo,
    dump,
)
from puzzlehunt.session.commands import Local, Situation, Step, command_of, needs_engine
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.lines import parse
from puzzlehunt.session.outcomes import Failed, HistoryChanged, Outcome, Rewriting
from puzzlehunt.session.session import Session
from puzzlehunt.session.timeline import rebase
from puzzlehunt.views.page.board_rows import Author
from puzzlehunt.web.snapshot import (
    BoardSnapshot,
    LineResult,
    TypedLine,
    conversation_about,
    result_of,
    words_of,
)
from puzzlehunt.web.store import (
    BoardRecord,
    BoardStore,
    Entry,
    StatusName,
    digest_of,
    people_of,
    plain_title,
)
from puzzlehunt.web.undoing import TakenStepError, changed_items, lines_of, own_steps, taken_back
from puzzlehunt.web.uploads import names_file_or_code

LONGEST_LINE = 20_000
"""Longest line or pasted block (characters)."""
MOST_ROWS = 1_000
_KEPT_VERSIONS = 500
"""Number of versions kept in memory: those that the author of a change may have seen."""
_NOT_WRITTEN = "not written, so nothing has changed: "
_REFUSED = {
    "save": "a board is saved with every change; its page has its file",
    "quit": "a board stays open; just leave the page",
}
"""Commands that a board refuses, each with the message that says why."""


class OutdatedChangeError(PuzzlehuntError):
    """A change is for an outdated version: what it would change has been changed meanwhile."""

    def __init__(self, what_changed: str) -> None:
        super().__init__(f"{what_changed}: look, and do it again")


class StepTakenError(OutdatedChangeError):
    """A step cannot be undone, since somebody has changed its rows."""

    def __init__(self, sentence: str) -> None:
        PuzzlehuntError.__init__(self, sentence)


class BrokenBoardError(PuzzlehuntError):
    """The text of a board cannot be read or written."""


class AlreadyAppliedError(PuzzlehuntError):
    """A change was sent again after it had been made; `version` is the version that it made."""

    def __init__(self, version: int) -> None:
        super().__init__("this change had already been made; only the reply was lost")
        self.version = version


class NoRoomError(PuzzlehuntError):
    """A board has no room for more rows, or the server has none for another board."""


class ClosedBoardError(PuzzlehuntError):
    """A board is archived or deleted, so that it cannot be changed."""


class RefusedLineError(PuzzlehuntError):
    """A board refuses a line that is too long, or a command or setting that is not allowed."""


Draft: TypeAlias = Change | TypedLine | Callable[[Game, History], Change]
"""A change, a typed line, or a function that returns a change.

The function is called with the game and the history that the author of the change saw.
"""


@dataclass(frozen=True, slots=True)
class Submission:
    """A change or a typed line that somebody sends to a board.

    `by` is the author's name; `visitor` tells people without a name apart. `seen` is the version
    that the author saw (None: the newest). The change is refused if the board's version is not
    among `only` (None: all versions are allowed). Changes with the same key `once` are made only
    once, so that a client that got no answer can send a change again.
    """

    change: Draft
    by: str
    seen: int | None = None
    once: str = ""
    only: Set[int] | None = None
    visitor: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a board: its history, and the author of each turn (None: unknown)."""

    number: int
    history: History
    authors: tuple[Author | None, ...] = ()


class TeamBoard:
    """One board: its record, its newest version, and who wrote which row.

    Methods that need the session raise BrokenBoardError if the board's text cannot be read.
    """

    def __init__(self, record: BoardRecord) -> None:
        self.record = record
        self._store = BoardStore(record)
        self._session: Session | None = None
        self._versions: deque[Version] = deque(maxlen=_KEPT_VERSIONS)
        self._undoes: tuple[int, ...] = ()
        """The versions whose changes the newest submission takes back."""

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def id(self) -> str:
        """The last part of the board's address: the board's name, `-` and its token."""
        return f"{self.name}-{self.record.token}"

    @property
    def view_id(self) -> str:
        """The last part of the address that only looks."""
        return f"{self.name}-{self.record.view_token}"

    @property
    def title(self) -> str:
        """The board's name as it was typed."""
        return self.record.status.name or self.name

    @property
    def version(self) -> int:
        return self.record.version

    @property
    def session(self) -> Session:
        return self._session or self._open()

    @property
    def is_open(self) -> bool:
        """Whether the board's text has been read."""
        return self._session is not None

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def snapshot(self) -> BoardSnapshot:
        session = self.session
        return BoardSnapshot(self.id, session.reference, session.settings, session.history)

    def _open(self) -> Session:
        """Read the board's text."""
        try:
            session = Session.kept_by(self._store)
        except PuzzlehuntError as error:
            raise BrokenBoardError(self.plain(str(error))) from None
        self._session = session
        history = session.history
        if self._versions and self._versions[-1].history == history:
            self._note_version(self._versions[-1].authors)
        else:
            self._note_version(tuple(map(self.record.authors.get, self._texts(history))))
        return session

    def close(self) -> None:
        """Forget the session until it is needed."""
        self._session = None

    def plain(self, message: str) -> str:
        """Return an error message without the path of the board's folder."""
        return message.replace(f"{self.record.path.parent}/", "")

    def game_text(self) -> str:
        """Return the text of a game file for the game without its rows.

        The text holds the words of all word lists except the built-in lists.
        """
        game, value = self.game, self.session.whole_game().without_rows().value
        for section, space in (("secret", game.one_board.secrets), ("guess", game.guesses)):
            keys = value.get(section, {})
            name = keys.get("words")
            if isinstance(name, str) and name not in built_in_lists():
                words = [space.alphabet.format(code) for code in space]
                value[section] = {**keys, "words": words}
        return document.dump(value)

    @property
    def game_tag(self) -> str:
        """Return a digest of the game without its rows; it changes with the game's settings."""
        session = self.session
        return digest_of(f"{session.reference} {json.dumps(session.settings, sort_keys=True)}")

    def authors(self) -> dict[int, Author]:
        """Return the authors of turns, by turn number (from 1); unknown authors are left out."""
        game, newest, wrote = self.game, self._versions[-1], dict[str, Entry]()
        for entry in self.record.entries:
            wrote.update((one.new, entry) for one in entry.items)
        authors, written = {}, zip(newest.history.turns, newest.authors, strict=True)
        for number, (turn, author) in enumerate(written, start=1):
            last = wrote.get(format_row(game, turn))
            if author is not None and last is not None and len(last.items) == 1:
                author = replace(author, last=last.by, version=last.version)
            if author is not None:
                authors[number] = author
        return authors

    def history_at(self, version: int) -> History | None:
        """Return the history of a version, None if it is not kept."""
        return next((v.history for v in self._versions if v.number == version), None)

    def waiting_at(self, version: int | None) -> str:
        """Return the guess of the last row at a version (None: the newest), "" if it has a clue."""
        seen = None if version is None else self.history_at(version)
        turns = (seen or self.session.history).turns
        if not turns or turns[-1].clue != self.game.unread_clue(turns[-1].guess):
            return ""
        return format_guess(self.game, turns[-1])

    def restoring(self, version: int) -> "Draft":
        """Return the change that takes back the change to a version; later changes are kept.

        Raises OutdatedChangeError if the version is not known any longer.
        """
        entry = next((one for one in self.record.entries if one.version == version), None)
        if entry is None or not entry.items:
            raise OutdatedChangeError("that change is too old to be taken back here")

        def change(_game: Game, _history: History) -> Change:
            return ReplaceHistory(self._without([entry], self.version))

        return change

    def _without(self, steps: Iterable[Entry], known: int) -> History:
        """Return the newest history without the effects of steps, which are noted as undone.

        Of several steps, those before the first that cannot be taken back. Raises StepTakenError if
        that is the first, OutdatedChangeError if it is newer than the version that is `known`, and
        SessionError if there is none.
        """
        history, undone = self.session.history, list[int]()
        try:
            for step in steps:
                if step.version > known and not undone:
                    raise self._overtaken(OvertakenError())
                history = taken_back(self.game, step.items, history)
                undone.append(step.version)
        except TakenStepError as error:
            if not undone:
                raise self._step_taken(error) from None
        if not undone:
            raise SessionError("nothing of yours is left to undo or redo")
        self._undoes = tuple(undone)
        return history

    def _step_taken(self, error: TakenStepError) -> "StepTakenError":
        """Return the error for a step that cannot be taken back, with who is in the way."""
        if error.is_back:
            return StepTakenError(f"nothing is undone: the guess of {error.line} is here again")
        changed = (
            entry.by or "somebody"
            for entry in reversed(self.record.entries)
            if any(error.line in (one.old, one.new) for one in entry.items)
        )
        name = next(changed, "somebody")
        return StepTakenError(f"nothing is undone: {name} has changed {error.line} since")

    def set_status(self, name: str | None, status: StatusName | None, by: str) -> None:
        """Set the board's name and status (None: unchanged), as a new version.

        Raises BrokenBoardError.
        """
        _ = self.session
        known, at = self.record.status, datetime.now(UTC).replace(microsecond=0)
        new, words = known, ""
        if name is not None and (title := plain_title(name)) != known.name:
            new, words = replace(new, name=title), f"name: {title}"
        if status not in (None, known.status):
            new, words = replace(new, status=status, by=by, at=at), str(status)
        if new == known:
            return
        try:
            self.record.write(Entry(self.version + 1, by, at, words), self.record.text, {}, new)
        except SessionError as error:
            raise BrokenBoardError(self.plain(str(error))) from None
        self._note_version(self._versions[-1].authors)

    # Changes.

    def submit(self, submission: Submission) -> LineResult:
        """Apply a change or a line, write it, and return the result.

        Steps that need an engine are not taken: the result has them as `left`. Raises
        OutdatedChangeError if the change would affect what its author has not seen,
        AlreadyAppliedError, ClosedBoardError, NoRoomError, RefusedLineError, BrokenBoardError, and
        PuzzlehuntError for a change that cannot be made. A typed line that cannot be understood is
        a result with an error.
        """
        session, change = self.session, submission.change
        if (made := self.record.made_by(submission.once[:100])) is not None:
            raise AlreadyAppliedError(made)
        if (status := self.record.status.status) != "open":
            raise ClosedBoardError(f"this board is {status}; open it again to change it")
        if submission.only is not None and self.version not in submission.only:
            raise OutdatedChangeError(f"the board now has version {self.version}")
        seen, before = None, session.history
        if submission.seen is not None and submission.seen != self.version:
            seen = self.history_at(submission.seen) or History()
        self._undoes = ()
        # Rows that are newer than the version seen are then reported as missing.
        at = seen or before
        if callable(change):
            change = change(self.game, at)
        line = change if isinstance(change, TypedLine) else TypedLine("")
        conversation = conversation_about(session, line, quiet=True)
        settings = copy.deepcopy(session.settings)
        try:
            steps = self._steps(change, replace(conversation.situation, history=at))
            own = next((n for n, step in enumerate(steps) if needs_engine(step)), len(steps))
            if seen is not None and any(
                isinstance(step, Local) and step.name == "repair" for step in steps
            ):
                # The number of the repair refers to a list that was computed for the version seen.
                raise self._overtaken(OvertakenError())
            with session.held():
                taken = (self._taken(conversation, step, seen, submission) for step in steps[:own])
                shown = [outcome for outcomes in taken for outcome in outcomes]
            if len(session.history) > max(MOST_ROWS, len(before)):
                raise NoRoomError(f"a board has at most {MOST_ROWS:,} rows")
        except BaseException as error:
            if session.history != before or session.settings != settings:
                self.close()
            is_refused = isinstance(error, OutdatedChangeError | NoRoomError | RefusedLineError)
            if change is not line or is_refused or not isinstance(error, PuzzlehuntError):
                raise
            failed = Failed(type(error).__name__, str(error))
            return result_of(conversation, [failed], line.text)
        result = replace(result_of(conversation, shown, line.text), left=tuple(steps[own:]))
        if session.history != before or session.settings != settings:
            words = line.text if isinstance(change, TypedLine) else words_of(self.game, change)
            self._write(submission, words, result.change)
        return result

    def _steps(self, change: Change | TypedLine, at: Situation) -> Sequence[Step]:
        if isinstance(change, SetReadRates):
            return change, Question("rates")
        if not isinstance(change, TypedLine):
            return (change,)
        if len(change.text) > LONGEST_LINE:
            raise RefusedLineError(f"a line has at most {LONGEST_LINE:,} characters")
        name, argument = command_of(change.text, at.game.alphabet)
        if name in _REFUSED:
            raise RefusedLineError(_REFUSED[name])
        if name == "export" and argument:
            raise RefusedLineError("/export alone shows the script; no file is written here")
        if name == "strategy" and argument:
            # A tree's file would be read to find it.
            _check_setting(SetStrategy(argument))
        return parse(change.text, at)

    def _taken(
        self, conversation: Conversation, step: Step, seen: History | None, by: Submission
    ) -> Iterator[Outcome]:
        """Take a step; `seen` is the history that its author saw, None for the newest one."""
        if isinstance(step, Undo | Redo):
            yield self._undone(conversation, step, by)
            return
        if isinstance(step, Change):
            _check_setting(step)
            if seen is not None:
                try:
                    step = rebase(self.game, step, seen, self.session.history)
                except OvertakenError as error:
                    raise self._overtaken(error) from None
        yield from conversation.take(step)

    def _undone(
        self, conversation: Conversation, step: Undo | Redo, by: Submission
    ) -> HistoryChanged:
        """Undo or redo the author's newest steps."""
        session, before, redo = self.session, self.session.history, isinstance(step, Redo)
        conversation.pending = None
        people = people_of(by.by, by.visitor)
        seen = self.version if by.seen is None else by.seen
        own = own_steps(self.record.entries, people, seen, redo=redo)
        # A visitor's own page may be behind its own steps.
        known = self.version if by.visitor else seen
        change = ReplaceHistory(self._without(islice(own, step.steps), known))
        conversation.made.append((step, session.apply(change)))
        name: Rewriting = "redo" if redo else "undo"
        return HistoryChanged(name, before, session.history, session.writers)

    def _write(self, by: Submission, words: str, change: Change | None) -> None:
        """Write a change of the session, and who wrote which rows."""
        session, author = self.session, Author(by.by, datetime.now(UTC).replace(microsecond=0))
        authors = self._authors_after(session.history, author)
        before, after = (
            lines_of(session.game, history)
            for history in (self._versions[-1].history, session.history)
        )
        written = zip(self._texts(session.history), authors, strict=True)
        known = self.record.authors
        self._store.wrote = {row: one for row, one in written if one and known.get(row) != one}
        self._store.entry = Entry(
            self.version + 1, by.by, author.when, words[:200], by.once[:100],
            change=None if change is None else dump(session.game, change),
            visitor=by.visitor, items=changed_items(before, after), undoes=self._undoes,
        )  # fmt: skip
        try:
            session.save()
        except SessionError as error:
            self.close()
            raise BrokenBoardError(_NOT_WRITTEN + self.plain(str(error))) from None
        self._note_version(authors)

    def _authors_after(self, history: History, author: Author) -> tuple[Author | None, ...]:
        """Return who wrote each turn of the history after a change by `author`.

        A turn keeps its author while guess and clue stay the same; other turns are `author`'s,
        unless the change takes back one that had changed them.
        """
        newest = self._versions[-1] if self._versions else Version(0, History())
        there: dict[object, deque[Author | None]] = {}
        for turn, who in zip(newest.history.turns, newest.authors, strict=True):
            there.setdefault((turn.guess, turn.clue), deque()).append(who)
        authors = []
        for turn, text in zip(history.turns, self._texts(history), strict=True):
            same = there.get((turn.guess, turn.clue))
            is_known = self._undoes or not self._versions
            known = self.record.authors.get(text) if is_known else None
            authors.append(same.popleft() if same else known or author)
        return tuple(authors)

    def _texts(self, history: History) -> list[str]:
        return [format_turn(self.game, turn) for turn in history.turns]

    def _note_version(self, authors: tuple[Author | None, ...]) -> None:
        self.session.writers = {row: one.name for row, one in self.record.authors.items()}
        version = Version(self.version, self.session.history, authors)
        if not self._versions or self._versions[-1] != version:
            self._versions.append(version)

    def _overtaken(self, error: OvertakenError) -> OutdatedChangeError:
        """Return the error for a change that another one has overtaken, with who made that."""
        last = self.record.last
        if error.row is not None:
            by = f"; {last.by} wrote last" if last is not None and last.by else ""
            return OutdatedChangeError(f"{error}{by}")
        if last is None:
            return OutdatedChangeError("the board has changed meanwhile")
        name = last.by or "somebody"
        return OutdatedChangeError(f"{name} has changed the board meanwhile ({last.line})")


def _check_setting(change: Change) -> None:
    """Raise RefusedLineError for a setting that names a file or code."""
    if isinstance(change, SetWordList) and change.name not in built_in_lists():
        lists = ", ".join(built_in_lists())
        raise RefusedLineError(f"only lists that come with the program: {lists}")
    if isinstance(change, SetStrategy) and names_file_or_code(change.name):
        raise RefusedLineError("only strategies that come with the program")
