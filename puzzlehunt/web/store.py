"""A server's boards, in one sqlite file: find, create, upload, read from files, remove.

A board has the text of a session file, who wrote which row, and a version for each change. They are
written in one transaction: a change is made as a whole or not at all, whenever the process ends.
"""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from secrets import compare_digest, token_urlsafe
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from puzzlehunt.errors import PuzzlehuntError, SessionError, counted
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import make_folder
from puzzlehunt.game.files.document import dump, read_text
from puzzlehunt.game.turn_notation import format_item
from puzzlehunt.views.page.board_rows import Author
from puzzlehunt.web.board import (
    ENTRY,
    MOST_ROWS,
    STATUS,
    BoardStatus,
    Entry,
    Submission,
    TeamBoard,
    digest_of,
    plain_name,
)
from puzzlehunt.web.uploads import check_upload

_SCHEMA = Path(__file__).with_name("boards.sql").read_text("utf-8")


class Boards:
    """The boards of a server, at most `most`, in the sqlite file of a folder.

    Session files in the folder are read into it once, with the journals beside them; boards that
    were deleted a day ago are removed. Its methods may be called from any thread. They raise
    SessionError if the file cannot be read or written; then nothing has changed.
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
        self.purge()
        for path in sorted(folder.glob("*.yaml")):
            with suppress(PuzzlehuntError):  # it stays where it is
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

    def purge(self) -> None:
        """Remove the boards that were deleted a day ago."""
        query = "SELECT name, status FROM boards WHERE status LIKE '%deleted%'"
        for name, status in self.select(query):
            if (gone_at := STATUS.validate_json(status).gone_at) and gone_at < datetime.now(UTC):
                self.remove(name)

    def remove(self, name: str) -> None:
        """Remove a board with all its versions."""
        self._boards.pop(name, None)
        self.select("DELETE FROM boards WHERE name = ?", name)

    def write(self, name: str, entry: Entry, text: str, status: BoardStatus) -> None:
        """Write a change of a board, and its new text and status."""
        values = STATUS.dump_json(status, exclude_defaults=True).decode(), text, name
        made = ENTRY.dump_json(entry, exclude_defaults=True).decode()
        with self.writing() as db:
            db.execute("UPDATE boards SET status = ?, text = ? WHERE name = ?", values)
            version = name, entry.version, entry.once, made
            db.execute("INSERT INTO versions VALUES (?, ?, ?, ?)", version)

    def open(self, name: str) -> TeamBoard:
        """Return the board with a name, or the one of a game, a size or a file's present text.

        If there is none, it is made now; a file stays as it is. Raises PuzzlehuntError.
        """
        name = gamefile.own_name(name) or name
        path = gamefile.path_of(name)
        if path is None:
            return self._board(_plain_name(name)) or self.create(name)
        source, text = str(path.resolve()), read_text(path)
        query = "SELECT name FROM boards WHERE source = ? AND digest = ?"
        known = self.select(query, source, digest_of(text))
        board = self._board(known[0][0]) if known else None
        return board or self.create(path.stem, file=text, source=source)

    def create(
        self, game: str, title: str = "", rows: str = "", by: str = "", file: str | None = None,
        source: str = "",
    ) -> TeamBoard:  # fmt: skip
        """Create a board with a title ("" for none) and pasted rows; return it.

        It is of a built-in game or a size, or of `file`, the text of a game or session file, which
        may name other files if it comes from the path `source`. Raises PuzzlehuntError if the game
        or the rows are refused; no board is left then.
        """
        if file is None:
            gamefile.load(game)
        elif not source:
            check_upload(file)
        self.purge()
        taken, plain = {*self.names()}, _plain_name(title or game)
        text = dump({"game": game}) if file is None else file
        if len(taken) >= self._most:
            raise SessionError(f"{counted(self._most, 'board')} already, and no more may be made")
        names = chain([plain], (f"{plain}-{number}" for number in count(2)))
        name = next(one for one in names if one not in taken)
        status = json.dumps({"name": plain_name(title, 60)})
        values = name, token_urlsafe(16), source, digest_of(text), status, text
        self.select("INSERT INTO boards VALUES (?, ?, ?, ?, ?, ?)", *values)
        try:
            board = self._boards[name] = TeamBoard(self, name)
            if len(board.session.history) > MOST_ROWS:
                raise SessionError(f"{name}: a board has at most {MOST_ROWS:,} rows")
            if rows.strip() and (failed := board.submit(Submission(rows, by)).failed):
                raise PuzzlehuntError(f"the rows cannot be read: {failed.message}")
        except PuzzlehuntError:
            self.remove(name)
            raise
        return board

    def _read_in(self, path: Path) -> None:
        """Read a session file of the folder into the file of boards, and move it away.

        A board of former versions has a journal of its changes beside it; of this, the address, the
        status, the newest version and the authors are kept.
        """
        board, journal = self.open(str(path)), path.with_name(f".{path.name}.journal")
        if journal.is_file() and not board.entries:  # else, it ended before they were moved
            token, status, wrote = board.token, BoardStatus(), dict[str, Author]()
            newest = Entry(0, "", datetime.now(UTC))
            for line in journal.read_text(encoding="utf-8", errors="replace").splitlines():
                with suppress(ValueError, TypeError, KeyError):  # it is no change
                    said = json.loads(line)
                    if "token" in said:
                        token, status = said["token"], STATUS.validate_python(said)
                        continue
                    by = Author(said["by"], datetime.fromisoformat(said["at"]))
                    newest = Entry(int(said["version"]), by.name, by.when)
                    wrote |= dict.fromkeys(said["rows"], by)
                    for one in said.get("others", ()):  # rows that somebody else had written
                        wrote[one["row"]] = Author(one["by"], datetime.fromisoformat(one["at"]))
            rows = (format_item(board.game, item) for item in board.session.history)
            # A row is known by its line without its note, and without a doubt of a later change.
            named = ((row.partition(" # ")[0], row.partition(" ?")[0]) for row in rows)
            authors = tuple(wrote.get(line) or wrote.get(plain) for line, plain in named)
            self.select("UPDATE boards SET token = ? WHERE name = ?", token, board.name)
            self.write(board.name, newest, board.text, replace(status, authors=authors))
        del self._boards[board.name]
        make_folder(path.parent / "read")
        for file in (path, journal):
            if file.is_file():
                file.rename(path.parent / "read" / file.name)


def _plain_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:50] or "board"
