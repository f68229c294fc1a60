"""A board's journal: its token, its version, and who wrote which row when.

It lies beside the board's file, which holds the game itself. Each line is JSON: first the token,
then one entry a change, appended before the change is acknowledged.
"""

import json
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from puzzlehunt.game.files.output import real_path, unwritable, write_atomically
from puzzlehunt.views.page import Writer

TOKEN_BYTES = 16
"""Length of a token (bytes): 128 random bits."""
_LONGEST = 1_000_000
"""A journal longer than this is written anew (bytes)."""
_MOST_BYTES = 50_000_000
"""Largest journal that is read (bytes)."""
_MOST_WRITERS = 5_000
"""Of how many rows, the newest, the writers are known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A change: the version that it made, who made it when, by what line, and the rows it wrote."""

    version: int
    writer: Writer
    line: str
    rows: tuple[str, ...]


class Journal:
    """The journal of one board's file; it is made where there is none."""

    def __init__(self, board_file: Path) -> None:
        target = real_path(board_file)
        self._path = target.with_name(f".{target.name}.journal")
        self.token = ""
        self.version = 0
        """The newest version; 0 for a board that was never changed."""
        self.writers: dict[str, Writer] = {}
        """Who wrote a row first, by the row's text."""
        self.names: dict[str, str] = {}
        """The names of these writers, by the row's text."""
        self.last: Entry | None = None
        """The newest entry."""
        self._size = 0
        """About how long the file is (bytes)."""
        self._read()
        if not self.token:
            self.token, self._size = secrets.token_urlsafe(TOKEN_BYTES), 0
            self._shorten()

    def add(self, version: int, writer: Writer, line: str, rows: Iterable[str]) -> None:
        """Append an entry. Raises SessionError where the journal cannot be written.

        Of the rows only those that stand in no earlier entry are written: who wrote them first
        stays known.
        """
        new_rows = tuple(row for row in rows if row not in self.writers)
        entry = Entry(version, writer, line, new_rows)
        self._append(_written(entry))
        self._take(entry)
        if self._size > _LONGEST:
            self._shorten()

    def _take(self, entry: Entry) -> None:
        self.version, self.last = max(self.version, entry.version), entry
        for row in entry.rows:
            self.writers.setdefault(row, entry.writer)
            self.names.setdefault(row, entry.writer.name)
        while len(self.writers) > _MOST_WRITERS:
            oldest = next(iter(self.writers))
            del self.writers[oldest], self.names[oldest]

    def _shorten(self) -> None:
        """Write the journal anew, where it is new or long: an entry for each writer and time.

        Raises SessionError.
        """
        if self._size and self._size <= _LONGEST:
            return
        rows: dict[Writer, list[str]] = {}
        for row, writer in self.writers.items():
            rows.setdefault(writer, []).append(row)
        entries = [Entry(self.version, writer, "", tuple(of)) for writer, of in rows.items()]
        entries += [] if self.last is None else [self.last]
        lines = [json.dumps(each) for each in ({"token": self.token}, *map(_written, entries))]
        text = "\n".join(lines)
        write_privately(self._path, text)
        self._size = len(text)

    def _read(self) -> None:
        """Read the journal as far as it can be read: a line that was cut off is passed over."""
        try:
            if not self._path.exists():
                return
            with self._path.open(encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST_BYTES)
                self._size = len(text)
        except OSError as error:
            raise unwritable(self._path, error) from None
        for line in text.splitlines():
            with suppress(ValueError, KeyError, TypeError, AttributeError):
                said = json.loads(line)
                if "token" in said:
                    self.token = self.token or str(said["token"])
                    continue
                writer = Writer(str(said["by"]), datetime.fromisoformat(said["at"]))
                rows = tuple(map(str, said["rows"]))
                self._take(Entry(int(said["version"]), writer, str(said["line"]), rows))

    def _append(self, said: dict[str, object]) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                self._size += file.write(f"\n{json.dumps(said)}".encode())
        except OSError as error:
            raise unwritable(self._path, error) from None


def _written(entry: Entry) -> dict[str, object]:
    return {
        "version": entry.version,
        "by": entry.writer.name,
        "at": entry.writer.when.isoformat(timespec="seconds"),
        "line": entry.line,
        "rows": list(entry.rows),
    }


def write_privately(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all. Raises SessionError."""
    if not path.exists():
        try:
            path.touch(0o600)
        except OSError as error:
            raise unwritable(path, error) from None
    write_atomically(path, text)


def check_token(token: str, given: str) -> bool:
    """Return whether a given token is right; takes as long for a wrong one."""
    return secrets.compare_digest(token.encode(), given.encode())
