"""The boards of a server in one sqlite file: their texts, and who changed what when.

A board has the text of a session file, and a version for each change. Both are written in one
transaction, so that a change is made as a whole or not at all, whenever the process ends.
"""

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Literal, TypeAlias

from annotated_types import Interval
from pydantic import PlainSerializer, TypeAdapter

from puzzlehunt.errors import SessionError
from puzzlehunt.views.page.board_rows import Author

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
StatusName: TypeAlias = Literal["open", "archived", "deleted"]
KEPT_DELETED = timedelta(days=1)
"""How long a deleted board is kept."""
_Time: TypeAlias = Annotated[datetime, PlainSerializer(datetime.isoformat)]


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
    """A change of a board by the person `by`, which made the version `version`.

    `once` is the change's key, and `visitor` tells people without a name apart. `items` are the
    lines that the change wrote or took out, and `undoes` the versions whose changes it took back.
    """

    version: Annotated[int, Interval(ge=0, lt=10**12)]
    by: str
    at: _Time
    once: str = ""
    change: dict[str, Any] | None = None
    visitor: str = ""
    items: tuple[ItemChange, ...] = ()
    undoes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """The name of a board as typed ("" for none), and whether the board may be changed.

    A board that is `archived` or `deleted` only looks; `by` made it so at the time `at`. A deleted
    board is removed after `KEPT_DELETED`.
    """

    name: str = ""
    status: StatusName = "open"
    by: str = ""
    at: _Time | None = None

    @property
    def gone_at(self) -> datetime | None:
        """When a deleted board is removed; None for other boards."""
        return self.at + KEPT_DELETED if self.at and self.status == "deleted" else None

    @property
    def is_gone(self) -> bool:
        """Whether the board was deleted so long ago that nobody can take it back."""
        return self.gone_at is not None and self.gone_at <= datetime.now(UTC)


ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)
STATUS: TypeAdapter[BoardStatus] = TypeAdapter(BoardStatus)
_NEW = BoardStatus()


class BoardsFile:
    """The sqlite file of a server's boards in a folder, perhaps a new one.

    Its methods may be called from any thread. They raise SessionError if the file cannot be read or
    written; then nothing has changed.
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
        written = STATUS.dump_json(status).decode()
        with self.writing() as db:
            values = name, token, source, digest_of(text), written, text
            db.execute("INSERT INTO boards VALUES (?, ?, ?, ?, ?, ?)", values)
            for entry in entries:
                _insert(db, name, entry, wrote or {})

    def write(
        self, name: str, entry: Entry, text: str, wrote: Mapping[str, Author], status: BoardStatus
    ) -> None:
        """Write a change of a board: its new text and status, and who `wrote` which rows."""
        with self.writing() as db:
            values = STATUS.dump_json(status).decode(), text, name
            db.execute("UPDATE boards SET status = ?, text = ? WHERE name = ?", values)
            _insert(db, name, entry, wrote)

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


def _insert(db: sqlite3.Connection, board: str, entry: Entry, wrote: Mapping[str, Author]) -> None:
    written = ENTRY.dump_json(entry, exclude_defaults=True).decode()
    values = board, entry.version, entry.once, written
    db.execute("INSERT OR REPLACE INTO versions VALUES (?, ?, ?, ?)", values)
    db.executemany(
        "INSERT OR REPLACE INTO authors VALUES (?, ?, ?, ?)",
        [(board, row, one.name, one.when.isoformat()) for row, one in wrote.items()],
    )


def digest_of(text: str) -> str:
    """Return a short digest of a text."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def read_journal(file: BoardsFile, name: str, text: str, source: str, journal: str) -> None:
    """Add a board that was a session file beside a journal, whose incomplete lines are skipped."""
    entries: dict[int, Entry] = {}
    authors: dict[str, Author] = {}
    token, status, before, after = "", BoardStatus(), "", ""
    for line in journal.splitlines():
        with suppress(ValueError, TypeError, KeyError):
            said = json.loads(line)
            if "token" in said:
                token = token or said["token"]
                status = STATUS.validate_python(said)
                continue
            entry = ENTRY.validate_python(said)
            entries[entry.version] = entry
            before, after = said.get("before", ""), said.get("after", "")
            others = [(one["row"], one["by"], one["at"]) for one in said.get("others", ())]
            for row, by, at in [*((row, entry.by, said["at"]) for row in said["rows"]), *others]:
                authors[row] = Author(by, datetime.fromisoformat(at))
    if before == digest_of(text) != after:
        del entries[max(entries)]  # The process was killed before the file was written.
    file.add(name, text, source, status, token, entries.values(), authors)
