"""A server's boards, in one sqlite file: find, create, upload, read from files, remove.

A board has the text of a session file, who wrote which row, and a version for each change. They are
written in one transaction, so that a change is made as a whole or not at all, whenever the process
ends.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from secrets import compare_digest, token_urlsafe
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from puzzlehunt.errors import GameFileError, PuzzlehuntError, SessionError, counted
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import make_folder
from puzzlehunt.game.files.document import dump, read_document, read_text
from puzzlehunt.views.page.board_rows import Author
from puzzlehunt.web.board import (
    ENTRY,
    MOST_ROWS,
    STATUS,
    BoardStatus,
    Entry,
    NoRoomError,
    TeamBoard,
    digest_of,
    plain_title,
)
from puzzlehunt.web.uploads import check_upload

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
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
"""


class Boards:
    """The boards of a server, at most `most`, in the sqlite file of a folder, perhaps a new one.

    Session files that lie in the folder are read into it once, with the journals beside them. Its
    methods may be called from any thread. They raise SessionError if the file cannot be read or
    written; then nothing has changed.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self.folder = folder
        self._path = folder / "boards.sqlite"
        self._most = most
        self._lock = Lock()
        self._boards = WeakValueDictionary[str, TeamBoard]()
        """Those that somebody uses: nobody else may read or write them beside."""
        try:
            self._path.touch(0o600)
            self._db = sqlite3.connect(self._path, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise SessionError(f"{self._path}: cannot be used ({error})") from None
        with self.writing() as db:
            db.executescript(_SCHEMA)
        for path in sorted(folder.glob("*.yaml")):
            with suppress(GameFileError):  # it stays where it is
                self._read_in(path)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction, which is made as a whole or not at all."""
        try:
            with self._lock, self._db:
                yield self._db
        except sqlite3.Error as error:
            raise SessionError(f"{self._path}: cannot be used ({error})") from None

    def select(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self.writing() as db:
            return db.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def names(self) -> list[str]:
        """Return the names of all boards."""
        return [name for (name,) in self.select("SELECT name FROM boards")]

    def find(self, board_id: str) -> tuple[TeamBoard, bool] | None:
        """Return the board whose address ends with `board_id`, None if there is none.

        The truth value is whether the address may write; it is false for one that only looks.
        """
        if (board := self._board(board_id[:-23])) is not None:
            for one, may_write in ((board.id, True), (board.view_id, False)):
                if compare_digest(one.encode(), board_id.encode()):
                    return board, may_write
        return None

    def _board(self, name: str) -> TeamBoard | None:
        board = self._boards.get(name)
        if board is None and name in self.names():
            board = self._boards.setdefault(name, TeamBoard(self, name))
        return board

    def former_authors(self, name: str, rows: Iterable[str]) -> tuple[Author | None, ...]:
        """Return the authors of rows by the table of a former version."""
        query, wrote = "SELECT line, author, time FROM authors WHERE board = ?", dict[str, Author]()
        with suppress(SessionError):
            for line, by, time in self.select(query, name):
                wrote[line] = Author(by, datetime.fromisoformat(time))
        return _authors(rows, wrote)

    def purge(self) -> list[str]:
        """Remove the boards that were deleted a day ago; return their names."""
        found, now = filter(None, map(self._board, self.names())), datetime.now(UTC)
        gone = [board.name for board in found if (board.status.gone_at or now) < now]
        for name in gone:
            self.remove(name)
        return gone

    def remove(self, name: str) -> None:
        """Remove a board with all its versions."""
        self._boards.pop(name, None)
        with self.writing() as db:
            db.execute("DELETE FROM boards WHERE name = ?", (name,))

    def write(self, name: str, entry: Entry, text: str, status: BoardStatus) -> None:
        """Write a change of a board, and the board's new text and status."""
        with self.writing() as db:
            query = "UPDATE boards SET status = ?, text = ? WHERE name = ?"
            db.execute(query, (_json(status), text, name))
            _insert(db, name, entry)

    # New boards.

    def open_file(self, path: Path) -> TeamBoard:
        """Return the board that was read from a session file with its present text, perhaps now.

        The file stays as it is. Raises BrokenBoardError, and GameFileError for an unreadable file.
        """
        source, text = str(path.resolve()), read_text(path)
        board = self._board(self._read_from(source, text))
        return board or self._make(path.stem, text, source=source)

    def open_game(self, name: str) -> TeamBoard:
        """Return the board with the name of a built-in game or a size; create it if it is new."""
        return self._board(_plain_name(name)) or self.create(name)

    def create(self, game: str, name: str = "") -> TeamBoard:
        """Create a board for a built-in game or a size; return it. Raises PuzzlehuntError."""
        gamefile.load(game)
        return self._make(name or game, dump({"game": game}), name)

    def upload(self, text: str, name: str = "") -> TeamBoard:
        """Create a board from the text of a game or session file. Raises PuzzlehuntError."""
        check_upload(text)
        return self._make(name or "board", text, name)

    def _make(self, name: str, text: str, typed: str = "", source: str = "") -> TeamBoard:
        """Add a board, with its name as it was `typed`."""
        if len(self.names()) >= self._most:
            raise NoRoomError(f"{counted(self._most, 'board')} already, and no more may be made")
        name = self._free_name(name)
        self._add(name, text, source, BoardStatus(plain_title(typed)))
        try:
            board = self._boards[name] = TeamBoard(self, name)
            if len(board.session.history) > MOST_ROWS:
                raise NoRoomError(f"a board has at most {MOST_ROWS:,} rows")
        except PuzzlehuntError:
            self.remove(name)
            raise
        return board

    def _add(
        self, name: str, text: str, source: str, status: BoardStatus,
        entry: Entry | None = None, token: str = "",
    ) -> None:  # fmt: skip
        values = name, token or token_urlsafe(16), source, digest_of(text), _json(status), text
        with self.writing() as db:
            db.execute("INSERT INTO boards VALUES (?, ?, ?, ?, ?, ?)", values)
            if entry is not None:
                _insert(db, name, entry)

    def _free_name(self, name: str) -> str:
        """Return an unused name for a board: the given one in plain letters, perhaps numbered."""
        free = plain = _plain_name(name)
        numbers, taken = count(2), {*self.names()}
        while free in taken:
            free = f"{plain}-{next(numbers)}"
        return free

    def _read_from(self, source: str, text: str) -> str:
        """Return the name of the board with this source and first text, "" if there is none."""
        query = "SELECT name FROM boards WHERE source = ? AND digest = ?"
        return next((name for (name,) in self.select(query, source, digest_of(text))), "")

    def _read_in(self, path: Path) -> None:
        """Read a session file of the folder into the file of boards, and move it away."""
        journal = path.with_name(f".{path.name}.journal")
        lines = journal.read_text(encoding="utf-8", errors="replace") if journal.is_file() else ""
        text, source = read_text(path), str(path.resolve())
        if not self._read_from(source, text):  # else, the process ended before it was moved
            read = _journal(text, lines.splitlines())
            self._add(self._free_name(path.stem), text, source, *read)
        make_folder(path.parent / "read")
        for file in (path, journal):
            if file.is_file():
                file.rename(path.parent / "read" / file.name)


def _json(status: BoardStatus) -> str:
    return STATUS.dump_json(status, exclude_defaults=True).decode()


def _insert(db: sqlite3.Connection, board: str, entry: Entry) -> None:
    written = ENTRY.dump_json(entry, exclude_defaults=True).decode()
    values = board, entry.version, entry.once, written
    db.execute("INSERT INTO versions VALUES (?, ?, ?, ?)", values)


def _journal(text: str, lines: Sequence[str]) -> tuple[BoardStatus, Entry | None, str]:
    """Return the status, newest version and token of a board of former versions.

    It was a session file with a journal of its changes; lines that are no changes are skipped.
    """
    token, status, newest, wrote = "", BoardStatus(), None, dict[str, Author]()
    for line in lines:
        with suppress(ValueError, TypeError, KeyError):
            said = json.loads(line)
            if "token" in said:
                token, status = said["token"], STATUS.validate_python(said)
                continue
            newest = Entry(int(said["version"]), said["by"], datetime.fromisoformat(said["at"]))
            for one in (*({**said, "row": row} for row in said["rows"]), *said.get("others", ())):
                wrote[one["row"]] = Author(one["by"], datetime.fromisoformat(one["at"]))
    value = read_document(text, "", Path()).value
    items = [str(item) for key in ("facts", "turns") for item in value.get(key, ())]
    return replace(status, authors=_authors(items, wrote)), newest, token


def _authors(rows: Iterable[str], wrote: Mapping[str, Author]) -> tuple[Author | None, ...]:
    # A row is known by its line without its note, and without a doubt of a later change.
    named = ((row.partition(" # ")[0], row.partition(" ?")[0]) for row in rows)
    return tuple(wrote.get(line) or wrote.get(plain) for line, plain in named)


def _plain_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:50] or "board"
