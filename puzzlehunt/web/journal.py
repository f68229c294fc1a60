"""A board's journal: its token, its version, and who wrote which row when.

The journal is a file next to the board's file; the game and its rows are in the board's file. Each
line of the journal is JSON: first the token, then an entry for each change. A line with the token
and more keys is the board's status from there on. An entry is written
just before the board's file, with digests of that file before and after the change. After a crash,
the digests show whether the change was made.
"""

import hashlib
import json
import os
import secrets
from base64 import urlsafe_b64encode
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from annotated_types import Interval
from pydantic import PlainSerializer, TypeAdapter

from puzzlehunt.errors import SessionError
from puzzlehunt.game.files.atomic import real_path, write_atomically, writing
from puzzlehunt.views.page.board_rows import Author

_LONGEST = 1_000_000
"""Length above which a journal is rewritten (bytes)."""
_MOST_BYTES = 50_000_000
_MOST_AUTHORS = 5_000
"""Number of newest rows whose authors are kept."""
_MOST_KEYS = 1_000
"""Number of newest changes whose keys and entries are kept."""


class JournalError(SessionError):
    """A board's journal cannot be read."""


Time: TypeAlias = Annotated[datetime, PlainSerializer(datetime.isoformat)]


@dataclass(frozen=True, slots=True)
class OtherRow:
    """A row by somebody else that a change brought back; `by` wrote it at the time `at`."""

    row: str
    by: str
    at: Time


@dataclass(frozen=True, slots=True)
class ItemChange:
    """A line of the history that a change wrote: `new` in the place of `old` ("" for no line).

    `place` is that of the new line (from 0), or that of the old one if it was taken out.
    """

    place: int
    old: str = ""
    new: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A change of a board, as the journal keeps it.

    The change made the version `version`; `by` is its author, `at` its time, and `line` a short
    description. `rows` are the texts of the rows by its author, `others` the rows by other people
    that it restored, such as by undo. `once` is the change's key. `before` and `after` are the
    digests of the text of the board's file, "" if unknown. `change` is None for changes by another
    program and in old journals. `visitor` tells people without a name apart. `items` are the lines
    that the change wrote or took out, and `undoes` the versions whose changes it took back.
    """

    version: Annotated[int, Interval(ge=0, lt=10**12)]
    by: str
    at: Time
    line: str
    rows: tuple[str, ...]
    others: tuple[OtherRow, ...] = ()
    once: str = ""
    before: str = ""
    after: str = ""
    change: dict[str, Any] | None = None
    visitor: str = ""
    items: tuple[ItemChange, ...] = ()
    undoes: tuple[int, ...] = ()

    @property
    def people(self) -> set[str]:
        """What identifies the author: the name, and the visitor's key."""
        return people_of(self.by, self.visitor)


def people_of(by: str, visitor: str) -> set[str]:
    """Return what identifies a person: a name and a visitor's key, or "" for neither."""
    return {by, visitor} - {""} or {""}


StatusName: TypeAlias = Literal["open", "archived", "deleted"]
KEPT_DELETED = timedelta(days=1)
"""How long the files of a deleted board are kept."""


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """The name of a board as typed ("" for none), and whether the board may be changed.

    A board that is `archived` or `deleted` only looks; `by` made it so at the time `at`. The files
    of a deleted board are removed after `KEPT_DELETED`.
    """

    name: str = ""
    status: StatusName = "open"
    by: str = ""
    at: Time | None = None

    @property
    def gone_at(self) -> datetime | None:
        """When the files of a deleted board are removed; None for other boards."""
        return self.at + KEPT_DELETED if self.at and self.status == "deleted" else None


def plain_title(text: str) -> str:
    """Return the name of a board on one line, cut to 60 characters."""
    return " ".join(text.split())[:60].strip()


_ENTRIES = TypeAdapter(Entry)
_STATUS = TypeAdapter(BoardStatus)


class Journal:
    """The journal of one board's file, which is created if it does not exist.

    Raises JournalError if the journal cannot be read; the file then stays unchanged.
    """

    def __init__(self, board_file: Path) -> None:
        target = real_path(board_file)
        self._path = target.with_name(f".{target.name}.journal")
        self.token = ""
        self.status = BoardStatus()
        self._size = 0
        entries = self._entries()
        self._unsettled: list[Entry] | None = entries
        """The entries, until `settle` finds whether the newest change was made; then None."""
        self._take_all(entries)
        if not self.token:
            self.token, self._unsettled = secrets.token_urlsafe(16), None
            self._write_anew()

    def _take_all(self, entries: list[Entry]) -> None:
        self.version = 0
        """The newest version; 0 for a board that was never changed."""
        self.authors: dict[str, Author] = {}
        """Who wrote a row, by the row's text."""
        self.made: dict[str, int] = {}
        """The versions that changes made, by the keys of the changes."""
        self._newest: deque[Entry] = deque(maxlen=_MOST_KEYS)
        for entry in entries:
            self._take(entry)

    @property
    def view_token(self) -> str:
        """The token of the link that only looks: a digest, from which the token does not follow."""
        digest = hashlib.sha256(f"view {self.token}".encode()).digest()
        return urlsafe_b64encode(digest)[: len(self.token)].decode()

    @property
    def last(self) -> Entry | None:
        """The newest entry, None if there is none."""
        return self._newest[-1] if self._newest else None

    @property
    def entries(self) -> list[Entry]:
        """The newest entries, the oldest first."""
        return list(self._newest)

    @property
    def names(self) -> dict[str, str]:
        """The names of the authors of rows, by the row's text."""
        return {row: author.name for row, author in self.authors.items()}

    def settle(self, text: str) -> bool:
        """Return whether the board's file, with this text, is as the newest change left it.

        It is not if another program has changed the file since. If the newest change was not made,
        because the process was killed before it, its entry is dropped.
        """
        digest, last = digest_of(text), self.last
        if self._unsettled is not None:
            if last is not None and digest != last.after and digest == last.before:
                self._take_all(self._unsettled[:-1])
                last = None
            self._unsettled = None
        return last is None or last.after in ("", digest)

    def write(self, entry: Entry) -> None:
        """Append an entry to the journal's file. Raises SessionError if it cannot be written."""
        self._append(_written(entry))

    def set_status(self, status: BoardStatus) -> None:
        """Write the board's name and status. Raises SessionError if they cannot be written."""
        self._append(self._head(status))
        self.status = status

    def _append(self, line: str) -> None:
        with writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                self._size += file.write(f"\n{line}".encode())

    def _head(self, status: BoardStatus) -> str:
        """Return the line with the token, and the status if it is not that of a new board."""
        keys = _STATUS.dump_python(status, mode="json", exclude_defaults=True)
        return json.dumps({"token": self.token, **keys})

    def take(self, entry: Entry) -> None:
        """Note that the change of a written entry was made; shorten the file if it is long."""
        self._take(entry)
        if self._size > _LONGEST:
            with suppress(SessionError):
                self._write_anew()

    def _take(self, entry: Entry) -> None:
        self.version = max(self.version, entry.version)
        own = [(row, Author(entry.by, entry.at)) for row in entry.rows]
        for row, author in [*own, *((one.row, Author(one.by, one.at)) for one in entry.others)]:
            self.authors.pop(row, None)
            self.authors[row] = author
        if entry.once:
            self.made[entry.once] = entry.version
        for known, most in ((self.authors, _MOST_AUTHORS), (self.made, _MOST_KEYS)):
            for key in list(islice(known, max(0, len(known) - most))):
                del known[key]
        self._newest.append(entry)

    def _write_anew(self) -> None:
        """Rewrite the journal's file: the rows by author and time, and the newest entries.

        Raises SessionError.
        """
        rows: dict[Author, list[str]] = {}
        for row, author in self.authors.items():
            rows.setdefault(author, []).append(row)
        kept, size = deque[str](), 0
        for entry in reversed(self._newest):
            kept.appendleft(_written(entry))
            size += len(kept[0])
            if size > _LONGEST // 2:
                break
        summary = [
            _written(Entry(0, who.name, who.when, "", tuple(of))) for who, of in rows.items()
        ]
        text = "\n".join([self._head(self.status), *summary, *kept])
        write_privately(self._path, text)
        self._size = len(text)

    def _entries(self) -> list[Entry]:
        """Return the entries in the journal's file.

        Incomplete lines are skipped. So are entries with a version that a later entry has, too,
        since their change failed.
        """
        try:
            if not self._path.exists():
                return []
            with self._path.open(encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST_BYTES + 1)
        except OSError as error:
            raise self._unreadable(str(error.strerror)) from None
        self._size = len(text)
        entries: list[Entry] = []
        for line in text.splitlines():
            with suppress(ValueError, TypeError, RecursionError):
                said = json.loads(line)
                if "token" in said:
                    self.token = self.token or str(said["token"])
                    keys = {key: said[key] for key in said if key != "token"}
                    self.status = _STATUS.validate_python(keys)
                    continue
                entry = _ENTRIES.validate_python(said)
                while entry.after and entries and entries[-1].after and (
                    entries[-1].version >= entry.version
                ):  # fmt: skip
                    entries.pop()
                entries.append(entry)
        if self._size > _MOST_BYTES or (text.strip() and not self.token):
            raise self._unreadable("it is too long" if self.token else "no line has its token")
        return entries

    def _unreadable(self, reason: str) -> JournalError:
        return JournalError(f"{self._path.name}: the board's journal cannot be read ({reason})")


def digest_of(text: str) -> str:
    """Return a short digest of a file's text."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def _written(entry: Entry) -> str:
    """Return an entry as JSON, without empty keys."""
    return json.dumps(_ENTRIES.dump_python(entry, mode="json", exclude_defaults=True))


def write_privately(path: Path, text: str) -> None:
    """Write a file that only its owner can read, completely or not at all. Raises SessionError."""
    if not path.exists():
        with writing(path):
            path.touch(0o600)
    write_atomically(path, text)
