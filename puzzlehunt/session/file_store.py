"""Session files: their text, the lock that allows one writer, and the paths of new files."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from puzzlehunt.errors import GameFileError, SessionError, SessionInUseError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import real_path, remove_leftovers, write_atomically, writing
from puzzlehunt.game.files.document import Document, dump, read_document, read_text
from puzzlehunt.game.files.serialise import edited, history_keys, wordings_of
from puzzlehunt.game.files.trusted_files import sessions_folder
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item
from puzzlehunt.session.changes import Change
from puzzlehunt.session.settings import absolute_reference, file_keys, keepable, kept_settings
from puzzlehunt.session.store import Stored, read_pending, split_pending, with_pending
from puzzlehunt.system import file_stem

_SURELY_READABLE = 50_000
"""Length of a text that breaks none of the limits of game files (characters)."""
_NO_CHANGES = Document({})


class FileStore:
    """A session file, which this process may write only while it holds the file's lock.

    `author_text` is the part of the text that belongs to the file's author, "" for a new file. It
    is edited in place, so that undo restores it. The pending guess is a comment below it. `changes`
    are keys of a game file whose values replace those of the file.
    """

    is_outdated = False

    def __init__(self, path: Path, changes: Document = _NO_CHANGES) -> None:
        self.path = path
        self.author_text = ""
        self._changes = changes
        self._lock: FileLock | None = None
        self._known_text: str | None = None
        """The file's text as it was read or written last; None for a file that never was."""
        self._new_text: str | None = None
        """The text that is being written, or that an interrupt may have kept from being written."""
        self._history = History()
        """The history that the file held when it was read last."""
        self._rows: Mapping[str, list[str]] | None = None
        """The keys `facts` and `turns` as they were read last; None for a file that never was."""
        self._wordings: Mapping[Item, str] = {}
        """How each fact and turn was written then."""

    def copied_to(self, path: Path) -> "FileStore":
        """Return the store of a new file at `path`, which starts with this file's text and rows."""
        copy = FileStore(path, self._changes)
        copy.author_text = self.author_text
        copy._history, copy._rows, copy._wordings = self._history, self._rows, self._wordings
        return copy

    # The lock.

    def lock(self) -> None:
        """Acquire the file's lock. Raises SessionInUseError, or SessionError for a bad folder."""
        if self._lock is None:
            self._lock = acquire_lock(self.path)

    def open(self, *, in_memory: bool) -> SessionError | None:
        """Acquire the file's lock, which makes this process the writer.

        Raises the errors of `lock`. With `in_memory`, the error of a file that cannot be locked,
        though no other program writes it, is returned.
        """
        try:
            self.lock()
        except SessionInUseError:
            raise
        except SessionError as error:
            if not in_memory:
                raise
            return error
        return None

    def close(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # The text.

    def read(self, played: str = "") -> Stored:
        """Read the file; return the game, its settings, its history and the pending guess.

        `played` is the name of the game as the user typed it; the file may call its game by that
        name. Raises GameFileError.
        """
        text = self._load()
        own = read_document(text, str(self.path), self.path.parent)
        self._known_text = text
        self.author_text, pending_line = split_pending(text)
        document = replace(self._changes, value=keepable(self._changes.value)).inherit(own)
        whole = self._changes.inherit(
            gamefile.inherited(own, played=gamefile.path_of(played, Path()))
        )
        game = gamefile.build(whole)
        self._rows = {key: whole.value.get(key, []) for key in ("facts", "turns")}
        self._history, self._wordings = game.history, wordings_of(game, whole)
        return Stored(
            game,
            absolute_reference(document.value.get("game", ""), self.path.parent),
            kept_settings(document),
            game.history,
            pending=read_pending(game, game.history, pending_line),
        )

    def submit(self, _game: Game, _change: Change) -> bool:
        return False

    def save(self, state: Stored) -> None:
        """Write the file completely or not at all. Raises SessionError if it cannot be written."""
        self.lock()
        try:
            self._check_untouched()
            authored = Document({})
            if self.author_text:
                authored = read_document(self.author_text, str(self.path), self.path.parent)
            keys = file_keys(authored, state.reference, state.settings, self.path)
            text = self._text_of({**keys, **self._rows_of(state, authored)})
        except GameFileError as error:
            raise SessionError(str(error)) from None
        if line := state.pending_line:
            text = with_pending(text, line)
        self._new_text = text
        self._write(text)
        self._known_text = text

    def _load(self) -> str:
        return read_text(self.path)

    def _write(self, text: str) -> None:
        write_atomically(self.path, text)

    def _text_of(self, value: Mapping[str, object]) -> str:
        """Return the author's text, edited to hold `value`.

        Raises GameFileError if text of the author would be lost, or the file would be too large to
        be read again.
        """
        if self.author_text:
            return edited(self.author_text, value, str(self.path))
        text = dump(value)
        if len(text) > _SURELY_READABLE:
            read_document(text, str(self.path), self.path.parent)
        return text

    def _rows_of(self, state: Stored, authored: Document) -> dict[str, list[str]]:
        if self._rows is None:
            return history_keys(state.game, state.history)
        own = {key: rows for key, rows in self._rows.items() if key in authored.value}
        if state.history == self._history:
            return own
        rows = history_keys(state.game, state.history, self._wordings)
        return {key: lines for key, lines in rows.items() if key in own or lines != self._rows[key]}

    def _check_untouched(self) -> None:
        """Raise SessionError if another program changed the file."""
        if self._known_text is None or not self.path.is_file():
            return
        if read_text(self.path) not in (self._known_text, self._new_text):
            raise SessionError(f"{self.path} was changed by another program, and is left as it is")


def acquire_lock(path: Path) -> FileLock:
    """Acquire and return the lock of a file. Raises SessionInUseError or SessionError."""
    target = real_path(path)
    lock = FileLock(target.with_name(f".{target.name}.lock"), timeout=0, thread_local=False)
    with writing(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire()
            remove_leftovers(target)
        except Timeout:
            raise SessionInUseError(
                f"{path} is open in another puzzlehunt, which writes it; to play together: "
                "puzzlehunt serve"
            ) from None
    return lock


def set_aside(path: Path) -> Path:
    """Rename a session's file, adding the time of its last change; return the new path.

    Raises SessionError if the file cannot be renamed.
    """
    with writing(path):
        target = dated_path(path, datetime.fromtimestamp(path.stat().st_mtime))
        path.rename(target)
    return target


def dated_path(path: Path, time: datetime) -> Path:
    """Return a free path beside `path`, with the date and time after the file's name."""
    stem = f"{path.stem}-{time:%Y-%m-%d-%H%M}"
    names = (stem if n == 1 else f"{stem}-{n}" for n in count(1))
    return next(p for p in map(path.with_name, (f"{n}.yaml" for n in names)) if not p.exists())


def default_path(reference: str, settings: Sequence[str] = ()) -> Path:
    """Return the path of the file that keeps a game played in a terminal.

    The file is in the user's state folder. Each game has its own file for each choice of
    `settings`, which are texts `key=value`.
    """
    stem = file_stem(Path(reference).stem[:100])
    if stem != reference or settings:
        identity = "\n".join([reference, *settings])
        stem += "-" + hashlib.sha256(identity.encode(errors="replace")).hexdigest()[:8]
    return sessions_folder() / f"{stem}.yaml"
