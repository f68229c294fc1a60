"""The file of a session: its lock, its text as the author wrote it, and what others do to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock

from puzzlehunt.errors import SessionError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import write_atomically
from puzzlehunt.game.files.document import Document, dump, read_document, read_text
from puzzlehunt.game.files.editing import edited
from puzzlehunt.game.files.serialise import history_keys, wordings_of
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item
from puzzlehunt.session.pending import split_pending, with_pending
from puzzlehunt.session.settings import absolute_reference, keepable, kept_settings
from puzzlehunt.session.storage import acquire_lock

_SURELY_READABLE = 50_000
"""Length of a text that breaks none of the limits of game files (characters)."""


class SessionFile:
    """A file that this process writes while it holds the file's lock, and otherwise only reads.

    What is written is the text that the file's author wrote, `author_text`, changed in place, so
    that a step back brings back what stood there. A new file has no such text. Below it stands the
    comment of a pending guess, if there is one, which is not the author's.
    """

    def __init__(self, path: Path, author_text: str = "") -> None:
        self.path = path
        self.author_text = author_text
        self.pending = ""
        """The file's line about a pending guess, as `pending_line` returns it, or ""."""
        self.before_writing: Callable[[str], None] | None = None
        """Called with the file's new text just before that is written."""
        self._lock: FileLock | None = None
        self._known_text: str | None = None
        """The file's text as it was read or written last; None for a file that never was."""
        self._new_text: str | None = None
        """The text that is being written, or that an interrupt may have kept from being written."""
        self._known_state: tuple[int, ...] = ()
        """What the system said of the file when it was read last: every change shows in it."""

    @property
    def is_locked(self) -> bool:
        """Whether this process is the file's one writer."""
        return self._lock is not None

    def lock(self) -> None:
        """Become the file's writer; do nothing if this process is.

        Raises SessionInUseError while another process is, SessionError where the file's folder
        cannot be written.
        """
        if self._lock is None:
            self._lock = acquire_lock(self.path)

    def close(self) -> None:
        """Release the lock, so that another program may write the file."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def read(self) -> Document:
        """Return what stands in the file now. Raises GameFileError."""
        self._known_state = self._state()
        text = read_text(self.path)
        document = read_document(text, str(self.path), self.path.parent)
        self._known_text = text
        self.author_text, self.pending = split_pending(text)
        return document

    @property
    def has_changed(self) -> bool:
        """Whether the file has changed since it was read last."""
        return self._state() != self._known_state

    def _state(self) -> tuple[int, ...]:
        try:
            stat = self.path.stat()
        except OSError:
            return ()
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    def authored(self) -> Document:
        """Return what the author's text says, of which `write` then makes what is to stand there.

        An empty document for a new file. The author may have changed comments since the file was
        read. Raises SessionError where anything else was changed, GameFileError where that is no
        game file any more.
        """
        self._take_over_comments()
        if not self.author_text:
            return Document({})
        return read_document(self.author_text, str(self.path), self.path.parent)

    @property
    def known_text(self) -> str:
        """The file's text as it was read or written last; "" for a file that never was."""
        return self._known_text or ""

    def text_of(self, value: Mapping[str, Any], pending: str = "") -> str:
        """Return what makes the file say `value`, which has at least the keys of `authored`.

        `pending` is the line about a pending guess, as `pending_line` returns it. Raises
        GameFileError where what its author wrote would be lost, or the file would be too large to
        be read again.
        """
        if self.author_text:
            text = edited(self.author_text, value, str(self.path))
        else:
            text = dump(value)
            if len(text) > _SURELY_READABLE:
                read_document(text, str(self.path), self.path.parent)
        return with_pending(text, pending) if pending else text

    def write(self, text: str, pending: str) -> None:
        """Write the file, as `text_of` returned it. Raises SessionError where that cannot be."""
        if self.before_writing is not None:
            self.before_writing(text)
        self._new_text = text
        write_atomically(self.path, text)
        self._known_text, self.pending = text, pending

    def _take_over_comments(self) -> None:
        """Take the text that stands in the file now for the author's, if it says the same."""
        if self._known_text is None or not self.path.is_file():
            return
        text = read_text(self.path)
        if text in (self._known_text, self._new_text):
            return
        values = [read_document(each, "", Path()).value for each in (text, self._known_text)]
        if values[0] != values[1]:
            raise SessionError(f"{self.path} was changed by another program, and is left so")
        self._known_text = text
        self.author_text, _ = split_pending(text)


# What a file says.


@dataclass(frozen=True, slots=True)
class FileContents:
    """What a session's file says, with what is inherited from the game that it names."""

    game: Game
    reference: str
    settings: Mapping[str, Any]
    rows: Mapping[str, list[str]]
    """The keys `facts` and `turns`, as they are written."""
    wordings: Mapping[Item, str]
    """How each fact and turn is written."""

    @classmethod
    def of(cls, file: SessionFile, changes: Document, played: str = "") -> "FileContents":
        """Return what a file says, with the values of `changes` instead of its own.

        `played` is the game's name as somebody typed it: the file may name the game so, too.
        """
        kept_changes = replace(changes, value=keepable(changes.value))
        document = kept_changes.inherit(file.read())
        path = str(file.path.absolute())
        whole = changes.inherit(gamefile.find_document(path, Path(), played))
        game = gamefile.build(whole)
        return cls(
            game,
            absolute_reference(document.value.get("game", ""), file.path.parent),
            kept_settings(document),
            {key: whole.value.get(key, []) for key in ("facts", "turns")},
            wordings_of(game, whole),
        )


def rows_of(
    game: Game, history: History, read: FileContents | None, authored: Document
) -> dict[str, list[str]]:
    """Return the keys `facts` and `turns` of the file of a history, whose author wrote `authored`.

    `read` is what the file said when it was read last, None for a new one.
    """
    if read is None:
        return history_keys(game, history)
    own_rows = {key: v for key, v in read.rows.items() if key in authored.value}
    if history == read.game.history:
        return own_rows
    rows = history_keys(game, history, read.wordings)
    return {key: lines for key, lines in rows.items() if key in own_rows or lines != read.rows[key]}
