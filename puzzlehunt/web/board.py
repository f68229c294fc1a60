"""Boards: sessions that a team plays together, version by version.

A change names the version of the board that its author saw, and is rebased onto the newest version:
new rows are added after the rows of other people, and a change of a row that somebody else has
changed meanwhile is refused. Every change is written before it is acknowledged. People take back
their own newest steps, whatever others have done since.
"""

import copy
import hashlib
import json
from base64 import urlsafe_b64encode
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import SequenceMatcher
from itertools import islice, zip_longest
from pathlib import Path
from typing import TypeAlias

from puzzlehunt.codes.words import built_in_lists
from puzzlehunt.errors import OvertakenError, PuzzlehuntError, SessionError
from puzzlehunt.game.files import document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import merge
from puzzlehunt.game.turn_notation import format_guess, format_row, format_turn
from puzzlehunt.session import changes
from puzzlehunt.session.changes import Change, Question
from puzzlehunt.session.commands import Local, Situation, Step, command_of, needs_engine
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.file_store import FileStore
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
)
from puzzlehunt.web.store import (
    ENTRY,
    STATUS,
    BoardsFile,
    BoardStatus,
    Entry,
    ItemChange,
    StatusName,
    digest_of,
)
from puzzlehunt.web.uploads import names_file_or_code

LONGEST_LINE = 20_000
"""Longest line or pasted block (characters)."""
MOST_ROWS = 1_000
_KEPT_VERSIONS = 500
"""Number of versions kept in memory: those that the author of a change may have seen."""
_MOST_ENTRIES = 1_000
"""Number of newest changes that can be undone or restored."""
_REFUSED = {
    "save": "a board is saved with every change; its page has its file",
    "quit": "a board stays open; just leave the page",
}
"""Commands that a board refuses, each with the message that says why."""


class OutdatedChangeError(PuzzlehuntError):
    """What a change, or the undoing of a step, would change has been changed meanwhile."""


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


@dataclass(frozen=True, slots=True)
class Restore:
    """Take back the change to a version, whoever made it, as a step that can itself be undone."""

    version: int


Draft: TypeAlias = Change | TypedLine | Restore | Callable[[Game, History], Change]
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


class _Text(FileStore):
    """The store of a board's session, which keeps the text for the board to write."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(path)
        self.text = text

    def lock(self) -> None:
        """Do nothing: a server has its folder for itself."""

    def _load(self) -> str:
        return self.text

    def _write(self, text: str) -> None:
        self.text = text

    def _check_untouched(self) -> None:
        """Do nothing: nobody else writes the text."""


class TeamBoard:
    """One board of a file of boards: its session, its newest versions, and who wrote which row.

    `text` is the text of its session file, `status` its name and whether it is open, and `entries`
    are its newest changes, the oldest first. `wrote` has the author of each row that was ever
    written, by a line. Methods that need the session raise BrokenBoardError if the text cannot be
    read.
    """

    def __init__(self, file: BoardsFile, name: str) -> None:
        self.file, self.name, select = file, name, file.select
        self.text: str
        ((self.token, source, status, self.text),) = select(
            "SELECT token, source, status, text FROM boards WHERE name = ?", name
        )
        self._path = Path(source) if source else file.folder / f"{name}.yaml"
        self.status: BoardStatus = STATUS.validate_json(status)
        query = "SELECT line, author, time FROM authors WHERE board = ?"
        self.wrote = {
            line: Author(by, datetime.fromisoformat(time)) for line, by, time in select(query, name)
        }
        query = "SELECT entry FROM versions WHERE board = ? ORDER BY number DESC LIMIT ?"
        newest = [ENTRY.validate_json(entry) for (entry,) in select(query, name, _MOST_ENTRIES)]
        self.entries = deque(reversed(newest), maxlen=_MOST_ENTRIES)
        self._store = _Text(self._path, self.text)
        self._session: Session | None = None
        self._versions: dict[int, BoardSnapshot] = {}

    @property
    def id(self) -> str:
        """The last part of the board's address: the board's name, `-` and its token."""
        return f"{self.name}-{self.token}"

    @property
    def view_id(self) -> str:
        """The last part of the address that only looks, from which the other does not follow."""
        digest = hashlib.sha256(f"view {self.token}".encode()).digest()
        return f"{self.name}-{urlsafe_b64encode(digest)[: len(self.token)].decode()}"

    @property
    def title(self) -> str:
        """The board's name as it was typed."""
        return self.status.name or self.name

    @property
    def last(self) -> Entry | None:
        """The newest change, None if there is none."""
        return self.entries[-1] if self.entries else None

    @property
    def version(self) -> int:
        """The newest version; 0 for a board that was never changed."""
        return self.entries[-1].version if self.entries else 0

    @property
    def session(self) -> Session:
        if self._session is None:
            self._store = _Text(self._path, self.text)
            try:
                self._session = Session.kept_by(self._store)
            except PuzzlehuntError as error:
                raise BrokenBoardError(self._plain(error)) from None
            self._note_version(self.version)
        return self._session

    @property
    def is_open(self) -> bool:
        """Whether the board's text has been read."""
        return self._session is not None

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def snapshot(self) -> BoardSnapshot:
        """The newest version that was written; the session may be ahead of it for a moment."""
        _ = self.session
        return self._versions[self.version]

    def close(self) -> None:
        """Forget the session until it is needed."""
        self._session = None

    def _plain(self, error: object) -> str:
        """Return an error's message without the path of the board's folder."""
        return str(error).replace(f"{self._path.parent}/", "")

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
        history, writers, authors = self.snapshot.history, self._writers(), dict[int, Author]()
        lines = zip(self._keys(history), history.turns, strict=True)
        for number, (key, turn) in enumerate(lines, start=1):
            if (author := self.wrote.get(key)) is not None:
                last = writers.get(format_row(self.game, turn))
                if last is not None and len(last.items) == 1:
                    author = replace(author, last=last.by, version=last.version)
                authors[number] = author
        return authors

    def _writers(self) -> dict[str, Entry]:
        """Return the newest change that wrote each line, of those that take nothing back."""
        made = (entry for entry in tuple(self.entries) if not entry.undoes)
        return {one.new: entry for entry in made for one in entry.items}

    def _keys(self, history: History) -> list[str]:
        """Return the line of each turn by which its author is known.

        A doubt is no part of it, except in boards of former versions.
        """
        keys, seen = list[str](), Counter[str]()
        for turn in history.turns:
            line = format_turn(self.game, turn)
            if turn.doubted and line not in self.wrote:
                line = format_turn(self.game, replace(turn, doubt=0.0))
            seen[line] += 1
            keys.append(line if seen[line] == 1 else f"{line} ({seen[line]})")
        return keys

    def history_at(self, version: int) -> History | None:
        """Return the history of a version, None if it is not kept."""
        return self._versions[version].history if version in self._versions else None

    def waiting_at(self, version: int | None) -> str:
        """Return the guess of the last row at a version (None: the newest), "" if it has a clue."""
        seen = None if version is None else self.history_at(version)
        turns = (seen or self.snapshot.history).turns
        if not turns or turns[-1].clue != self.game.unread_clue(turns[-1].guess):
            return ""
        return format_guess(self.game, turns[-1])

    def set_status(self, name: str | None, status: StatusName | None, by: str) -> None:
        """Set the board's name and status (None: unchanged), as a new version.

        Raises BrokenBoardError.
        """
        new, at = self.status, _now()
        if name is not None:
            new = replace(new, name=plain_title(name))
        if status not in (None, new.status):
            new = replace(new, status=status, by=by, at=at)
        if new != self.status:
            self._write(Entry(self.version + 1, by, at), {}, new)

    # Changes.

    def submit(self, submission: Submission) -> LineResult:
        """Apply a change or a line, write it, and return the result.

        Steps that need an engine are not taken: the result has them as `left`. Raises
        OutdatedChangeError if the change would affect what its author has not seen,
        AlreadyAppliedError, ClosedBoardError, NoRoomError, RefusedLineError, BrokenBoardError, and
        PuzzlehuntError for a change that cannot be made. A typed line that cannot be understood is
        a result with an error.
        """
        session, change, before = self.session, submission.change, self.session.history
        self._check_wanted(submission)
        seen = None
        if submission.seen not in (None, self.version):
            # Rows that are newer than the version seen are then reported as missing.
            seen = self.history_at(submission.seen or 0) or History()
        if callable(change):
            change = change(self.game, seen or before)
        line = change if isinstance(change, TypedLine) else TypedLine("")
        conversation = conversation_about(session, line, quiet=True)
        settings, undone = copy.deepcopy(session.settings), list[int]()
        try:
            steps = self._steps(change, replace(conversation.situation, history=seen or before))
            is_repair = any(isinstance(step, Local) and step.name == "repair" for step in steps)
            if seen is not None and is_repair:
                # The number of the repair refers to a list that was computed for the version seen.
                raise self._overtaken(OvertakenError())
            own = next((n for n, step in enumerate(steps) if needs_engine(step)), len(steps))
            shown = list[Outcome]()
            with session.held():
                for step in steps[:own]:
                    if isinstance(step, changes.Undo | changes.Redo):
                        shown.append(self._undone(conversation, step, submission, undone))
                    else:
                        shown += self._taken(conversation, step, seen)
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
            self._save(submission, before, result.change, undone)
        return result

    def _check_wanted(self, submission: Submission) -> None:
        """Raise an error if a submission was made before, or is for another version or status."""
        query = "SELECT number FROM versions WHERE board = ? AND once = ?"
        once = submission.once
        if once and (made := self.file.select(query, self.name, once)):
            raise AlreadyAppliedError(made[0][0])
        if (status := self.status.status) != "open":
            raise ClosedBoardError(f"this board is {status}; open it again to change it")
        if submission.only is not None and self.version not in submission.only:
            raise OutdatedChangeError(f"the board now has version {self.version}")

    def _steps(self, change: Change | TypedLine | Restore, at: Situation) -> Sequence[Step]:
        if isinstance(change, Restore):
            return (changes.Undo(),)
        if isinstance(change, changes.SetReadRates):
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
            _check_setting(changes.SetStrategy(argument))
        return parse(change.text, at)

    def _taken(
        self, conversation: Conversation, step: Step, seen: History | None
    ) -> Iterator[Outcome]:
        """Take a step; `seen` is the history that its author saw, None for the newest one."""
        if isinstance(step, Change):
            _check_setting(step)
            if seen is not None:
                try:
                    step = rebase(self.game, step, seen, self.session.history)
                except OvertakenError as error:
                    raise self._overtaken(error) from None
        yield from conversation.take(step)

    def _overtaken(self, error: OvertakenError) -> OutdatedChangeError:
        """Return the error for a change that another one has overtaken, with who made that."""
        by = self.last.by if self.last else ""
        said = f"{by or 'somebody'} has changed the board meanwhile"
        if error.row is not None:
            said = f"{error}; {by} wrote last" if by else str(error)
        return OutdatedChangeError(f"{said}: look, and do it again")

    def _save(
        self, by: Submission, before: History, change: Change | None, undone: Sequence[int]
    ) -> None:
        """Write what a submission changed, and who wrote which rows.

        A row that is typed again is its new author's; one that undo brings back keeps its author.
        """
        session, author = self.session, Author(by.by, _now())
        old = set(self._keys(before))
        new = (key for key in self._keys(session.history) if key not in old)
        wrote = {key: author for key in new if not (undone and key in self.wrote)}
        entry = Entry(
            self.version + 1, by.by, author.when, by.once,
            change=None if change is None else changes.dump(session.game, change),
            visitor=by.visitor, undoes=tuple(undone),
            items=_changed_items(*(_lines(session.game, one) for one in (before, session.history))),
        )  # fmt: skip
        self._write(entry, wrote, self.status)

    def _write(self, entry: Entry, wrote: dict[str, Author], status: BoardStatus) -> None:
        """Write a change with the session's text as a new version."""
        try:
            self.session.save()
            self.file.write(self.name, entry, self._store.text, wrote, status)
        except SessionError as error:
            self.close()
            problem = f"not written, so nothing has changed: {self._plain(error)}"
            raise BrokenBoardError(problem) from None
        self.text, self.status = self._store.text, status
        self.wrote |= wrote
        self._note_version(entry.version)
        self.entries.append(entry)

    def _note_version(self, version: int) -> None:
        session = self.session
        session.writers = {row: one.name for row, one in self.wrote.items()}
        settings = dict(session.settings)
        self._versions[version] = BoardSnapshot(
            self.id, session.reference, settings, session.history
        )
        if len(self._versions) > _KEPT_VERSIONS:
            del self._versions[min(self._versions)]

    # Undo.

    def _undone(
        self, conversation: Conversation, step: changes.Undo | changes.Redo, by: Submission,
        undone: list[int],
    ) -> HistoryChanged:  # fmt: skip
        """Undo or redo the author's newest steps, or restore a version; note them in `undone`.

        Of several steps, those before the first whose rows somebody has changed since. Raises
        OutdatedChangeError if that is the first, or newer than what the author saw.
        """
        session, seen, is_redo = self.session, self.version, isinstance(step, changes.Redo)
        # A visitor's own page may be behind its own steps.
        known = seen if by.visitor or by.seen is None else by.seen
        steps = list(islice(self._own_steps(by, is_redo), step.steps))
        if isinstance(by.change, Restore):
            wanted = by.change.version
            steps = [one for one in self.entries if one.version == wanted and one.items]
            if not steps:
                raise OutdatedChangeError("that change is too old to be taken back here")
        if not steps:
            raise SessionError("nothing of yours is left to undo or redo")
        history = before = session.history
        for entry in steps:
            try:
                if entry.version > known and not undone:
                    raise self._overtaken(OvertakenError())
                history = self._without(entry, history)
            except OutdatedChangeError:
                if not undone:
                    raise
                break
            undone.append(entry.version)
        conversation.pending = None
        change = changes.ReplaceHistory(history)
        made = change if isinstance(by.change, Restore) else step  # what was restored can be undone
        conversation.made.append((made, session.apply(change)))
        name: Rewriting = "redo" if is_redo else "undo"
        return HistoryChanged(name, before, history, session.writers)

    def _own_steps(self, by: Submission, is_redo: bool) -> Iterator[Entry]:
        """Yield the steps that somebody can undo or redo, the newest first.

        Left out are steps that were undone, and those whose rows others have taken out in a version
        that was seen. A new step of one's own ends redo.
        """
        seen, people = self.version if by.seen is None else by.seen, _people(by)
        undone, out = set[int](), set[str]()
        for entry in reversed(self.entries):
            if entry.version in undone:
                continue
            undone.update(entry.undoes)
            if entry.version <= seen:
                out.update(one.old for one in entry.items if not one.new)
            kind = (entry.change or {}).get("kind")
            is_gone = all(one.new in out and not one.old for one in entry.items)
            if people.isdisjoint(_people(entry)) or is_gone or kind == "redo":
                continue
            if (kind == "undo") == is_redo:
                yield entry
            elif is_redo:
                return

    def _without(self, entry: Entry, now: History) -> History:
        """Return the history `now` without the effect of an earlier step, later ones kept.

        Raises OutdatedChangeError if a line that the step wrote has been changed since, or if the
        guess of a row that it took out is on the board again.
        """
        game, lines, writers = self.game, _lines(self.game, now), self._writers()
        known = dict(zip(lines, now.items, strict=True))
        for one in reversed(entry.items):
            if one.new:
                places = [place for place, line in enumerate(lines) if line == one.new]
                last = writers.get(one.new, entry)
                is_others = last.version > entry.version and not _people(last) & _people(entry)
                if is_others or not places:
                    later = ((e.by, c) for e in reversed(self.entries) for c in e.items)
                    by = next((by for by, c in later if one.new in (c.old, c.new)), "")
                    problem = f"{by or 'somebody'} has changed {one.new} since"
                    raise OutdatedChangeError(f"nothing is undone: {problem}")
                at = min(places, key=lambda place: abs(place - one.place))
                lines[at : at + 1] = [one.old] if one.old else []
        for one in entry.items:
            if not one.new:
                lines.insert(one.place, one.old)
        history = History(tuple(known.get(line) or game.as_item(line) for line in lines))
        if len(merge(game, History(), history).history) < len(history):
            line = next(one.old for one in entry.items if one.old)
            raise OutdatedChangeError(f"nothing is undone: the guess of {line} is here again")
        return history


def _people(by: Submission | Entry) -> set[str]:
    """Return what identifies an author: a name and a visitor's key, or "" for neither."""
    return {by.by, by.visitor} - {""} or {""}


def _lines(game: Game, history: History) -> list[str]:
    """Return each turn and fact of a history as a line."""
    return [changes.format_item(game, item) for item in history.items]


def _changed_items(before: Sequence[str], after: Sequence[str]) -> tuple[ItemChange, ...]:
    """Return which lines of a history a change took out, replaced and added."""
    changed = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, old_start, old_end, start, end in matcher.get_opcodes():
        places = zip_longest(range(old_start, old_end), range(start, end))
        for old, new in places if kind != "equal" else ():
            old_line = "" if old is None else before[old]
            new_line = "" if new is None else after[new]
            changed.append(ItemChange(old if new is None else new, old_line, new_line))
    return tuple(changed)


def _check_setting(change: Change) -> None:
    """Raise RefusedLineError for a setting that names a file or code."""
    if isinstance(change, changes.SetWordList) and change.name not in built_in_lists():
        lists = ", ".join(built_in_lists())
        raise RefusedLineError(f"only lists that come with the program: {lists}")
    if isinstance(change, changes.SetStrategy) and names_file_or_code(change.name):
        raise RefusedLineError("only strategies that come with the program")


def plain_title(text: str) -> str:
    """Return the name of a board on one line, cut to 60 characters."""
    return " ".join(text.split())[:60].strip()


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
