"""Boards: sessions that a team plays together, version by version.

A change names the version of the board that its author saw, and is rebased onto the newest version:
new rows are added after those of other people, and a change of a row that somebody else has changed
meanwhile is refused. Every change is written before it is acknowledged. Undo is of one's own steps.
"""

import hashlib
from base64 import urlsafe_b64encode
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import dropwhile, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pydantic import TypeAdapter
from starlette.exceptions import HTTPException

from puzzlehunt.codes import words
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import OvertakenError, PuzzlehuntError, SessionError
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import read_item
from puzzlehunt.game.files import document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.game.merging import MergeResult, merge
from puzzlehunt.game.turn_notation import format_item, tried
from puzzlehunt.session import changes
from puzzlehunt.session.changes import Change, rebase
from puzzlehunt.session.commands import Local, Step, needs_engine, parse
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.file_store import FileStore, whole_game
from puzzlehunt.session.outcomes import Failed, HistoryChanged, Outcome
from puzzlehunt.session.session import Session
from puzzlehunt.views.elements import paragraphs
from puzzlehunt.views.page.board_rows import Author
from puzzlehunt.web.guard import etag
from puzzlehunt.web.snapshot import BoardSnapshot, LineResult, result_of
from puzzlehunt.web.uploads import foreign

if TYPE_CHECKING:
    from puzzlehunt.web.store import Boards

LONGEST_LINE = 20_000
"""Longest line or pasted block (characters)."""
MOST_ROWS = 1_000
_KEPT = 500
"""Number of newest versions kept: those that authors may have seen, and can take back."""
KEPT_DELETED = timedelta(days=1)
_MADE = "this change had already been made; only the reply was lost"
StatusName: TypeAlias = Literal["open", "archived", "deleted"]


class OutdatedChangeError(PuzzlehuntError):
    """What a change, or an undo, would change has been changed meanwhile, or closed."""


class BrokenBoardError(PuzzlehuntError):
    """The text of a board cannot be read or written."""


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """The name of a board as typed ("" for none), its authors, and whether it may be changed.

    An `archived` or `deleted` board only looks; `by` made it so `at` that time. A deleted one is
    removed after `KEPT_DELETED`, or may be `before` again, as it was. `authors` are those of its
    turns and facts, None where unknown; `people` are all names, in the order of arrival.
    """

    name: str = ""
    status: StatusName = "open"
    by: str = ""
    at: datetime | None = None
    authors: tuple[Author | None, ...] = ()
    before: StatusName = "open"
    people: tuple[str, ...] = ()

    @property
    def gone_at(self) -> datetime | None:
        """When a deleted board is removed; None for other boards."""
        return self.at + KEPT_DELETED if self.at and self.status == "deleted" else None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A turn or fact of a board as a line, and who wrote it; None if that is unknown."""

    line: str
    author: Author | None = None


Rows: TypeAlias = tuple[BoardRow, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A change by the person `by`, which made the version `version`.

    `once` and `visitor` are those of its submission. At a `place` (from 0) it wrote the rows `new`
    instead of `old`; it took back the versions `undoes`.
    """

    version: int
    by: str
    at: datetime
    once: str = ""
    change: dict[str, Any] | None = None
    visitor: str = ""
    place: int = 0
    old: Rows = ()
    new: Rows = ()
    undoes: tuple[int, ...] = ()


STATUS: TypeAdapter[BoardStatus] = TypeAdapter(BoardStatus)
ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)


@dataclass(frozen=True, slots=True)
class Submission:
    """A change or a typed line that somebody sends to a board.

    `by` is the author's name; `visitor` tells people without a name apart. `seen` is the version
    that the author saw (None: the newest). The board's ETag must be `only` ("" or *: any). What is
    sent again with the same key `once` is made once. An `Undo` of the version `restored` (0: none)
    takes it back, whoever made it, and can be undone. A clue alone is about the guess that waits
    for it, or was `suggested`.
    """

    change: Change | str
    by: str
    seen: int | None = None
    once: str = ""
    only: str = ""
    visitor: str = ""
    restored: int = 0
    suggested: str = ""


class TeamBoard:
    """One board of a server: its session, its newest versions, and who wrote which row.

    `id` and `view_id` are the last parts of its address and of the one that only looks, from which
    the other does not follow. `text` is that of its session file. `entries` are its newest changes,
    the oldest first, `histories` their rows, and `version` is 0 before the first. A change makes a
    new session: one in use stays as it is. What needs it raises BrokenBoardError for a bad text.
    """

    def __init__(self, boards: "Boards", name: str) -> None:
        self.boards, self.name = boards, name
        query = "SELECT token, source, status, text FROM boards WHERE name = ?"
        ((self.token, source, status, self.text),) = boards.select(query, name)
        self.id = f"{name}-{self.token}"
        digest = urlsafe_b64encode(hashlib.sha256(f"view {self.token}".encode()).digest())
        self.view_id = f"{name}-{digest[: len(self.token)].decode()}"
        self.status = STATUS.validate_json(status)
        query = "SELECT entry FROM versions WHERE board = ? ORDER BY number DESC LIMIT ?"
        newest = [ENTRY.validate_json(entry) for (entry,) in boards.select(query, name, _KEPT)]
        self.entries = deque(reversed(newest), maxlen=_KEPT)
        self.version = newest[0].version if newest else 0
        self._file = FileStore(Path(source) if source else boards.folder / f"{name}.yaml")
        self._rows: Rows = ()
        self.histories: dict[int, History] = {}
        names = self.status.people or [one.name for one in self.status.authors if one and one.name]
        self.people = {name: place for place, name in enumerate(dict.fromkeys(names))}
        """The place (from 0) of each who wrote here, by name."""

    @property
    def title(self) -> str:
        """The board's name as it was typed."""
        return self.status.name or self.name

    @cached_property
    def session(self) -> Session:
        try:
            session = Session(*self._file.read(self.text))
        except PuzzlehuntError as error:
            raise BrokenBoardError(self._plain(error)) from None
        session.history = session.game.history  # undo is the board's
        lines = [format_item(session.game, item) for item in session.history]
        rows = zip_longest(lines, self.status.authors[: len(lines)])
        self._keep(self.version, session, tuple(BoardRow(*row) for row in rows))
        return session

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def snapshot(self) -> BoardSnapshot:
        """The newest version."""
        session = self.session
        return BoardSnapshot(self.id, session.reference, session.settings, session.history)

    def _plain(self, error: object) -> str:
        """Return an error's message without the path of the board's folder."""
        return str(error).replace(f"{self._file.path.parent}/", "")

    def game_text(self) -> str:
        """Return a game file of the game without its rows, with all words that are not built in."""
        own = whole_game(self.session.reference, self.session.settings)
        value = own.value
        for section, key in (("secret", "words"), ("secret", "without"), ("guess", "words")):
            name = value.get(section, {}).get(key)
            if isinstance(name, str) and name not in words.BUILT_IN_LISTS:
                path = words.find(name, own.origin(f"{section}.{key}").folder)
                listed = words.read(path, phrases=True)
                texts = [f"{word} {weight:.17g}".removesuffix(" 1") for word, weight in listed]
                value[section] = {**value[section], key: texts}
        return document.dump(value)

    @property
    def game_tag(self) -> str:
        """A digest of the game without its rows."""
        return digest_of(f"{self.session.reference} {self.session.settings}")

    def authors(self) -> dict[int, Author]:
        """Return the known authors of turns, by turn number (from 1).

        Who changed a row last is named if nothing else was changed then.
        """
        made = (entry for entry in tuple(self.entries) if not entry.undoes)
        alone = {one.new[0]: (one.by, one.version) for one in made if len(one.new) == 1}
        pairs = zip(self.session.history, self._rows, strict=True)
        rows = (row for item, row in pairs if isinstance(item, Turn))
        place = self.people.get
        return {
            number: Author(by.name, by.when, by.marks, place(by.name, 0), *alone.get(row, ()))
            for number, row in enumerate(rows, start=1)
            if (by := row.author) is not None
        }

    def set_status(self, name: str | None, status: StatusName | None, by: str) -> None:
        """Set the board's name and status (None: unchanged), as a new version.

        Raises BrokenBoardError.
        """
        new, at = self.status, datetime.now(UTC).replace(microsecond=0)
        if name is not None:
            new = replace(new, name=plain_name(name, 60))
        if status not in (None, new.status):
            before: StatusName = "open" if new.status == "deleted" else new.status
            new = replace(new, status=status, by=by, at=at, before=before)
        if new != self.status:
            self._write(Entry(self.version + 1, by, at), self.session, self._rows, new)

    def submit(self, submission: Submission) -> LineResult:
        """Apply a change or a line, write it, and return the result.

        Steps that need an engine are `left`; a line that cannot be understood has `failed`. Raises
        OutdatedChangeError if the change would affect what its author has not seen, HTTPException
        if it is for another version, BrokenBoardError, and PuzzlehuntError if it cannot be made.
        """
        query, once = "SELECT 1 FROM versions WHERE board = ? AND once = ?", submission.once
        if once and self.boards.select(query, self.name, once):
            return LineResult(paragraphs(_MADE), (_MADE,))
        if (status := self.status.status) != "open":
            raise OutdatedChangeError(f"this board is {status}; open it again to change it")
        if submission.only not in ("", "*", (tag := etag(self.version))["ETag"]):
            raise HTTPException(412, f"the board now has version {self.version}", tag)
        session, change, before = copy(self.session), submission.change, self.session.history
        version = self.version if submission.seen is None else submission.seen
        seen = self.histories.get(version, History())  # an empty one if it is not kept
        session.history, session.writers = before, _writers(self._rows)
        conversation, game = Conversation(session, "nothing"), session.game
        conversation.pending = None
        shown, undone, rows = list[Outcome](), list[Entry](), self._rows
        try:
            steps: Sequence[Step]
            if isinstance(change, str):
                conversation.pending = meaning.unread_turn(game, seen)
                if guess := submission.suggested:
                    conversation.suggested = tried(game.parse_guess, guess)
                conversation.seen = seen or before
                steps = parse(change, conversation)
                conversation.seen = None
            else:
                steps = [change]
            left = tuple(dropwhile(lambda step: not needs_engine(step), steps))
            if seen != before and any(isinstance(step, Local) for step in left):
                # The number of a repair refers to a list that was computed for the version seen.
                raise OvertakenError
            for step in steps[: len(steps) - len(left)]:
                _check(step)
                if isinstance(step, changes.Undo | changes.Redo):
                    undone = self._undoable(submission, step)
                    rows, session.history = self._without(undone)
                    conversation.pending = None
                    writers = _writers([*self._rows, *rows])
                    shown.append(HistoryChanged(step.kind, before, session.history, writers))
                    if not submission.restored:  # which can itself be undone
                        conversation.made.append((step, MergeResult(session.game, session.history)))
                else:
                    if isinstance(step, Change):
                        step = rebase(session.game, step, seen, session.history)
                    shown += conversation.take(step)
            if len(session.history) > MOST_ROWS:
                raise SessionError(f"a board has at most {MOST_ROWS:,} rows")
        except OvertakenError as error:
            by = (self.entries and self.entries[-1].by) or "somebody"
            raise OutdatedChangeError(f"{error}; {by} wrote last: look, and do it again") from None
        except PuzzlehuntError as error:
            if isinstance(error, OutdatedChangeError) or not isinstance(change, str):
                raise
            return result_of(conversation, [Failed(type(error).__name__, str(error))])
        result = replace(result_of(conversation, shown), left=left)
        if session.history != before or session.settings != self.session.settings:
            at, done = datetime.now(UTC).replace(microsecond=0), result.change
            rows = rows if undone else self._rows_of(session, Author(submission.by, at))
            entry = Entry(
                self.version + 1, submission.by, at, once,
                changes.dump(session.game, done) if done else None, submission.visitor,
                *_difference(self._rows, rows), tuple(one.version for one in undone),
            )  # fmt: skip
            self._write(entry, session, rows, self.status)
        return result

    def _rows_of(self, session: Session, author: Author) -> Rows:
        """Return the rows of a changed session.

        Whoever only doubts a row has not written it; whoever changes its clue has read its marks.
        """
        known, rows = defaultdict[object, list[Author | None]](list), list[BoardRow]()
        changed, left = dict[Code, Author](), {*session.history}
        for item, row in zip(self.session.history, self._rows, strict=True):
            known[_guess_and_clue(item)].append(row.author)
            if (guesser := row.author) and isinstance(item, Turn) and item not in left:
                marks = author.name or guesser.marks or "a guest" * bool(guesser.name)
                marks = "" if marks == guesser.name else marks
                changed[item.code] = replace(guesser, when=author.when, marks=marks)
        for item in session.history:
            by = changed.get(item.code, author) if isinstance(item, Turn) else author
            if isinstance(item, Turn) and meaning.is_unread(session.game, item):
                by = replace(by, marks="")
            authors = known[_guess_and_clue(item)] or [by]
            rows.append(BoardRow(format_item(session.game, item), authors.pop(0)))
        return tuple(rows)

    def _write(self, entry: Entry, session: Session, rows: Rows, status: BoardStatus) -> None:
        game = replace(session.game, history=session.history)
        if entry.by:
            self.people.setdefault(entry.by, len(self.people))
        authors, people = tuple(row.author for row in rows), tuple(self.people)[:_KEPT]
        status = replace(status, authors=authors, people=people)
        try:
            text = self._file.written(game, session.reference, session.settings)
            self.boards.write(self.name, entry, text, status)
        except PuzzlehuntError as error:
            problem = f"not written, so nothing has changed: {self._plain(error)}"
            raise BrokenBoardError(problem) from None
        self.text, self.status = text, status
        self._keep(entry.version, session, rows)
        self.entries.append(entry)
        self.version = entry.version

    def _keep(self, version: int, session: Session, rows: Rows) -> None:
        """Keep a version, which is there for others before it is the newest."""
        self.histories[version] = session.history
        self.histories.pop(version - _KEPT, None)
        self.session, self._rows = session, rows

    def _undoable(self, by: Submission, step: changes.Undo | changes.Redo) -> list[Entry]:
        """Return the changes that a step takes back, the newest first.

        They are the one to be restored, or the author's newest that were not undone; a new change
        of the author ends redo. Raises OutdatedChangeError or SessionError for none.
        """
        changed = [entry for entry in reversed(self.entries) if entry.old != entry.new]
        if by.restored:
            if found := [entry for entry in changed if entry.version == by.restored]:
                return found
            raise OutdatedChangeError("that change is too old to be taken back here")
        is_redo, undone, own = isinstance(step, changes.Redo), set[int](), list[Entry]()
        for entry in changed:
            kind = (entry.change or {}).get("kind")
            if entry.version in undone:
                continue
            undone.update(entry.undoes)
            if _people(by).isdisjoint(_people(entry)) or kind == "redo":
                continue
            if (kind == "undo") == is_redo:
                own.append(entry)
            elif is_redo:
                break
        if not own:
            raise SessionError("nothing of yours is left to undo or redo")
        return own[: step.steps]

    def _without(self, entries: Sequence[Entry]) -> tuple[Rows, History]:
        """Return rows and history without what changes did, the newest first; others are kept.

        Raises OutdatedChangeError if a row that they wrote was changed since, or a guess that they
        took out is here again.
        """
        rows = list(self._rows)
        for entry in entries:
            size = len(entry.new)
            places = [n for n in range(len(rows) + 1) if (*rows[n : n + size],) == entry.new]
            if not places:
                gone = next((row for row in entry.new if row not in rows), entry.new[0])
                later = (e.by for e in reversed(self.entries) if gone in {*e.old} - {*e.new})
                by = next(later, "") or "somebody"
                raise OutdatedChangeError(f"nothing is undone: {by} has changed {gone.line} since")
            place = min(places, key=lambda n: abs(n - entry.place))
            rows[place : place + size] = entry.old
        known = {row.line: item for row, item in zip(self._rows, self.session.history, strict=True)}
        items = [known.get(row.line) or read_item(self.game, row.line) for row in rows]
        for one in merge(self.game, History(), items).placed:
            if one.effect != "new":
                guess = self.game.format_code(one.turn.code)
                raise OutdatedChangeError(f"nothing is undone: the guess {guess} is here again")
        return tuple(rows), History(tuple(items))


def _people(by: Submission | Entry) -> set[str]:
    """Return what identifies an author: a name and a visitor's key, or "" for neither."""
    return {by.by, by.visitor} - {""} or {""}


def _writers(rows: Iterable[BoardRow]) -> dict[str, str]:
    """Return the authors of rows by the line of each without its note, as sessions have them."""
    return {row.line.partition(" # ")[0]: row.author.name for row in rows if row.author}


def _guess_and_clue(item: Item) -> object:
    return (item.code, item.clue) if isinstance(item, Turn) else item


def _difference(before: Rows, after: Rows) -> tuple[int, Rows, Rows]:
    """Return where rows begin to differ, and both without their equal beginning and end."""
    most = min(len(before), len(after))
    start = next((n for n in range(most) if before[n] != after[n]), most)
    most -= start
    end = next((n for n in range(most) if before[-1 - n] != after[-1 - n]), most)
    return start, before[start : len(before) - end], after[start : len(after) - end]


def _check(step: Step) -> None:
    """Raise SessionError for what no board does, and for a setting that names a file or code."""
    if isinstance(step, Local) and step.name in ("save", "quit", "export"):
        kept = "a board is saved with every change and stays open; its page has its file"
        raise SessionError(f"no /{step.name} here: {kept}, and /export alone shows the script")
    for kind, key in ((changes.SetWordList, "words"), (changes.SetStrategy, "strategy")):
        if isinstance(step, kind) and step.name and (allowed := foreign(key, step.name)):
            raise SessionError(f"only {allowed.partition(', or')[0]}")


def plain_name(text: str, most: int = 30) -> str:
    """Return the name of a person or of a board on one line, cut to so many characters."""
    return " ".join(text.split())[:most].strip()


def digest_of(text: str) -> str:
    """Return a short digest of a text."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]
