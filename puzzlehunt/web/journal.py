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

from puzzlehunt.game.files.output import real_path, unwritable
from puzzlehunt.views.page import Writer

TOKEN_BYTES = 16
"""Length of a token (bytes): 128 random bits."""
_MOST_BYTES = 50_000_000
"""Largest journal that is read (bytes)."""


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
        self._read()
        if not self.token:
            self.token = secrets.token_urlsafe(TOKEN_BYTES)
            self._append({"token": self.token})

    def add(self, version: int, writer: Writer, line: str, rows: Iterable[str]) -> None:
        """Append an entry. Raises SessionError where the journal cannot be written."""
        entry = Entry(version, writer, line, tuple(rows))
        self._append(
            {
                "version": version,
                "by": writer.name,
                "at": writer.when.isoformat(timespec="seconds"),
                "line": line,
                "rows": list(entry.rows),
            }
        )
        self._take(entry)

    def _take(self, entry: Entry) -> None:
        self.version, self.last = max(self.version, entry.version), entry
        for row in entry.rows:
            self.writers.setdefault(row, entry.writer)
            self.names.setdefault(row, entry.writer.name)

    def _read(self) -> None:
        """Read the journal as far as it can be read: a line that was cut off is passed over."""
        try:
            if not self._path.exists():
                return
            with self._path.open(encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST_BYTES)
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
            try:
                os.write(descriptor, f"\n{json.dumps(said)}".encode())
            finally:
                os.close(descriptor)
        except OSError as error:
            raise unwritable(self._path, error) from None


def check_token(token: str, given: str) -> bool:
    """Return whether a given token is right; takes as long for a wrong one."""
    return secrets.compare_digest(token.encode(), given.encode())
