"""The boards of a server in one sqlite file: their texts, and who changed what when.

A board has the text of a session file, and a version for each change. Both are written in one
transaction, so that a change is made as a whole or not at all, whenever the process ends.
"""

import hashlib
import json
import secrets
import sqlite3
from base64 import urlsafe_b64encode
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Literal, TypeAlias

from annotated_types import Interval
from pydantic import PlainSerializer, TypeAdapter

from puzzlehunt.errors import SessionError
from puzzlehunt.session.file_store import FileStore
from puzzlehunt.views.page.board_rows import Author

_MOST_ENTRIES = 1_000
"""Number of newest changes that can be undone or restored."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS boards (
    name TEXT PRIMARY KEY, token TEXT NOT NULL, source TEXT NOT NULL, digest TEXT NOT NULL,
    status TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS versions (
    board TEXT NOT NULL REFERENCES boards ON DELETE CASCADE, number INTEGER NOT NULL,
    once TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (board, number)
);
CREATE INDEX IF NOT EXISTS keys ON versions (board, once);
CREATE TABLE IF NOT EXISTS authors (
    board TEXT NOT NULL REFERENCES boards ON DELETE CASCADE, line TEXT NOT NULL,
    author TEXT NOT NULL, time TEXT NOT NULL, PRIMARY KEY (board, line)
);
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
"""

Time: TypeAlias = Annotated[datetime, PlainSerializer(datetime.isoformat)]


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
    """A change of a board, which made the version `version`.

    `by` is its author, `at` its time, and `line` a short description. `once` is the change's key.
    `visitor` tells people without a name apart. `items` are the lines that the change wrote or took
    out, and `undoes` the versions whose changes it took back.
    """

    version: Annotated[int, Interval(ge=0, lt=10**12)]
    by: str
    at: Time
    line: str
    once: str = ""
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
"""How long a deleted board is kept."""


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """The name of a board as typed ("" for none), and whether the board may be changed.

    A board that is `archived` or `deleted` only looks; `by` made it so at the time `at`. A deleted
    board is removed after `KEPT_DELETED`.
    """

    name: str = ""
    status: StatusName = "open"
    by: str = ""
    at: Time | None = None

    @property
    def gone_at(self) -> datetime | None:
        """When a deleted board is removed; None for other boards."""
        return self.at + KEPT_DELETED if self.at and self.status == "deleted" else None


def plain_title(text: str) -> str:
    """Return the name of a board on one line, cut to 60 characters."""
    return " ".join(text.split())[:60].strip()


_NEW = BoardStatus()
_ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)
_STATUS: TypeAdapter[BoardStatus] = TypeAdapter(BoardStatus)


class BoardsFile:
    """The sqlite file of a server's boards in a folder, perhaps a new one.

    Its methods may be called from any thread. They raise SessionError if the file cannot be read or
    written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / "boards.sqlite"
        self._lock = Lock()
        with self._named():
            self._path.touch(0o600)
            self._db = sqlite3.connect(self._path, check_same_thread=False)
            self._db.executescript(_SCHEMA)

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise SessionError(f"{self._path}: cannot be used ({reason})") from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction, which is made as a whole or not at all."""
        with self._lock, self._named(), self._db:
            yield self._db

    def select(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._lock, self._named():
            return self._db.execute(query, values).fetchall()

    def names(self) -> list[str]:
        """Return the names of all boards."""
        return [name for (name,) in self.select("SELECT name FROM boards")]

    def add(
        self, name: str, text: str, source: str = "", status: BoardStatus = _NEW, token: str = "",
        entries: Iterable[Entry] = (), wrote: Mapping[str, Author] | None = None,
    ) -> None:  # fmt: skip
        """Add a board with the text of a session file, and its `source` if it was read from one."""
        token = token or secrets.token_urlsafe(16)
        with self.writing() as db:
            values = name, token, source, digest_of(text), _status_text(status), text
            db.execute("INSERT INTO boards VALUES (?, ?, ?, ?, ?, ?)", values)
            for entry in entries:
                _insert(db, name, entry, wrote or {})

    def read_from(self, source: str, text: str) -> str | None:
        """Return the name of the board with this source and first text; None if there is none."""
        query = "SELECT name FROM boards WHERE source = ? AND digest = ?"
        found = self.select(query, source, digest_of(text))
        return found[0][0] if found else None

    def remove(self, name: str) -> None:
        """Remove a board with all its versions."""
        with self.writing() as db:
            db.execute("DELETE FROM boards WHERE name = ?", (name,))

    def close(self) -> None:
        """Close the file."""
        self._db.close()


class BoardRecord:
    """A board as the file of boards keeps it: its text, its status, and its newest changes.

    `authors` has who wrote a row, by the row's text.
    """

    def __init__(self, file: BoardsFile, name: str) -> None:
        self.file, self.name, select = file, name, file.select
        self.text: str
        ((self.token, source, status, self.text),) = select(
            "SELECT token, source, status, text FROM boards WHERE name = ?", name
        )
        self.path = Path(source) if source else file.folder / f"{name}.yaml"
        self.status: BoardStatus = _STATUS.validate_json(status)
        self.authors = {
            line: Author(by, datetime.fromisoformat(time))
            for line, by, time in select(
                "SELECT line, author, time FROM authors WHERE board = ?", name
            )
        }
        newest = select(
            "SELECT entry FROM versions WHERE board = ? ORDER BY number DESC LIMIT ?",
            name, _MOST_ENTRIES,
        )  # fmt: skip
        entries = [_ENTRY.validate_json(entry) for (entry,) in reversed(newest)]
        self.entries: deque[Entry] = deque(entries, maxlen=_MOST_ENTRIES)
        """The newest changes, the oldest first."""

    @property
    def view_token(self) -> str:
        """The token of the link that only looks: a digest, from which the token does not follow."""
        digest = hashlib.sha256(f"view {self.token}".encode()).digest()
        return urlsafe_b64encode(digest)[: len(self.token)].decode()

    @property
    def last(self) -> Entry | None:
        """The newest change, None if there is none."""
        return self.entries[-1] if self.entries else None

    @property
    def version(self) -> int:
        """The newest version; 0 for a board that was never changed."""
        return self.entries[-1].version if self.entries else 0

    def made_by(self, once: str) -> int | None:
        """Return the version that the change with a key made, None if there is none."""
        query = "SELECT number FROM versions WHERE board = ? AND once = ?"
        found = self.file.select(query, self.name, once) if once else []
        return found[0][0] if found else None

    def write(
        self, entry: Entry, text: str, wrote: Mapping[str, Author], status: BoardStatus
    ) -> None:
        """Write a change: the board's new text and status, and who `wrote` which rows.

        Raises SessionError if it cannot be written; then nothing has changed.
        """
        with self.file.writing() as db:
            values = _status_text(status), text, self.name
            db.execute("UPDATE boards SET status = ?, text = ? WHERE name = ?", values)
            _insert(db, self.name, entry, wrote)
        self.status, self.text = status, text
        self.authors |= wrote
        self.entries.append(entry)


def _insert(db: sqlite3.Connection, board: str, entry: Entry, wrote: Mapping[str, Author]) -> None:
    written = _ENTRY.dump_json(entry, exclude_defaults=True).decode()
    values = board, entry.version, entry.once, written
    db.execute("INSERT OR REPLACE INTO versions VALUES (?, ?, ?, ?)", values)
    db.executemany(
        "INSERT OR REPLACE INTO authors VALUES (?, ?, ?, ?)",
        [(board, row, one.name, one.when.isoformat()) for row, one in wrote.items()],
    )


def digest_of(text: str) -> str:
    """Return a short digest of a text."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def _status_text(status: BoardStatus) -> str:
    return _STATUS.dump_json(status, exclude_defaults=True).decode()


class BoardStore(FileStore):
    """The store of a board's session: its text is in the file of boards."""

    def __init__(self, record: BoardRecord) -> None:
        super().__init__(record.path)
        self._record = record
        self.entry: Entry | None = None
        """The change that the next text is of."""
        self.wrote: Mapping[str, Author] = {}
        """Who wrote which rows with this change."""

    def lock(self) -> None:
        """Do nothing: a server has its folder for itself."""

    def _load(self) -> str:
        return self._record.text

    def _write(self, text: str) -> None:
        assert self.entry is not None
        self._record.write(self.entry, text, self.wrote, self._record.status)

    def _check_untouched(self) -> None:
        """Do nothing: nobody else writes the text."""


def read_journal(file: BoardsFile, name: str, text: str, source: str, journal: str) -> None:
    """Add a board that was a session file beside a journal, whose incomplete lines are skipped."""
    entries: dict[int, Entry] = {}
    authors: dict[str, Author] = {}
    token, status, before, after, digest = "", BoardStatus(), "", "", digest_of(text)
    for line in journal.splitlines():
        with suppress(ValueError, TypeError, KeyError):
            said = json.loads(line)
            if "token" in said:
                token = token or said["token"]
                status = _STATUS.validate_python(said)
                continue
            entry = _ENTRY.validate_python(said)
            entries[entry.version] = entry
            before, after = said.get("before", ""), said.get("after", "")
            others = [(one["row"], one["by"], one["at"]) for one in said.get("others", ())]
            for row, by, at in [*((row, entry.by, said["at"]) for row in said["rows"]), *others]:
                authors[row] = Author(by, datetime.fromisoformat(at))
    if before == digest != after:
        del entries[max(entries)]  # The process was killed before the file was written.
    file.add(name, text, source, status, token, entries.values(), authors)
