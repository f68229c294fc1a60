"""Session files: their text and keys, the lock that allows one writer, the paths of new files.

A reference is the value of the key `game`: the name of a built-in game, a size such as 4x6, or the
path of a game file. The paths of games and word lists are absolute in memory, and relative to the
session's file on the disk, so that a folder can be moved.
"""

import copy
import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock, Timeout

from puzzlehunt.codes import words
from puzzlehunt.codes.files import path_written
from puzzlehunt.errors import GameFileError, PuzzlehuntError, SessionError, SessionInUseError
from puzzlehunt.game.facts import FACT
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import real_path, remove_leftovers, write_atomically, writing
from puzzlehunt.game.files.document import (
    Document,
    KeyPath,
    dump,
    read_document,
    read_text,
    sessions_folder,
    set_option,
)
from puzzlehunt.game.files.reads import REST, RateError, split_reads
from puzzlehunt.game.files.serialise import edited, history_keys, wordings_of
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.game.play import SOLVERS, TREE_PREFIX, names_code
from puzzlehunt.game.turn_notation import format_guess, parse_plain_turn, read_line
from puzzlehunt.session.changes import Change
from puzzlehunt.system import file_stem

_LONGEST = 4_000_000
"""Greatest length of a file (characters), all of which can be read again."""
_FORMERLY_WAITING = re.compile(
    r"^# Row (\d{1,6}) waits for its clue: (\S[^\r\n]*)(?:\r?\n|\Z)", re.MULTILINE
)
"""The comment by which files kept a guess without its clue before it was a row."""
_NO_CHANGES = Document({})


@dataclass(frozen=True, slots=True)
class Stored:
    """The content of a session, as a store keeps it.

    `reference` is the value of a file's key `game`, in the form that `absolute_reference` returns.
    `settings` are the file's other keys except facts and turns. `writers` has the author of each
    turn, by the turn's line. `pending` is the last turn as it was typed if it waits for its clue.
    """

    game: Game
    reference: str
    settings: Mapping[str, Any]
    history: History
    writers: Mapping[str, str] = field(default_factory=dict)
    pending: Turn | None = None


class Store(Protocol):
    """Keeps a session, which others may change as well. Its methods raise SessionError."""

    @property
    def path(self) -> Path | None:
        """The path of the session's file; None if the store is not a file."""

    @property
    def is_outdated(self) -> bool:
        """Whether there is a newer version of the session than the one read last."""

    def read(self) -> Stored:
        """Return the newest version of the session."""

    def submit(self, game: Game, change: Change) -> bool:
        """Send a change of the version read last; return False if the caller has to `save`."""

    def save(self, state: Stored) -> None:
        """Store a session, unless its changes are submitted."""

    def close(self) -> None:
        """Release the session's file, or end the connection to its server."""


class FileStore:
    """A session file, which this process may write only while it holds the file's lock.

    `author_text` is the text of the file's author, "" for a new file; it is edited in place, so
    that undo restores it. `changes` are keys of a game file whose values replace those of the file.
    `played` is the name of the game as the user typed it; the file may call its game by that name.
    """

    is_outdated = False

    def __init__(self, path: Path, changes: Document = _NO_CHANGES, played: str = "") -> None:
        self.path = path
        self.author_text = ""
        self._changes = changes
        self._played = played
        self._lock: FileLock | None = None
        self._known_texts: tuple[str, ...] = ()
        """The file's text as it was read or written last, and a text that is being written."""
        self._history = History()
        self._pending: Turn | None = None
        self._rows: Mapping[str, list[str]] | None = None
        """The keys `facts` and `turns` as they were read last; None for a file that never was.

        Their history, and the turn that waited, are kept beside them."""
        self._wordings: Mapping[Item, str] = {}
        """How each fact and turn was written then."""

    def copied_to(self, path: Path) -> "FileStore":
        """Return the store of a new file at `path`, which starts with this file's text and rows."""
        store = copy.copy(self)
        store.path, store._lock, store._known_texts = path, None, ()
        return store

    def lock(self) -> None:
        """Acquire the file's lock. Raises SessionInUseError, or SessionError for a bad folder."""
        if self._lock is None:
            self._lock = acquire_lock(self.path)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def read(self) -> Stored:
        """Read the file. Raises GameFileError."""
        text = self._load()
        self._known_texts = (text,)
        text, number, waiting = _without_comment(text)
        own = read_document(text, str(self.path), self.path.parent)
        self.author_text = text
        document = replace(self._changes, value=keepable(self._changes.value)).inherit(own)
        whole = self._changes.inherit(
            gamefile.inherited(own, played=gamefile.path_of(self._played, Path()))
        )
        game = gamefile.build(whole)
        self._rows = {key: whole.value.get(key, []) for key in ("facts", "turns")}
        history = self._history = game.history
        self._wordings = wordings_of(game, whole)
        rows = [line for line in self._rows["turns"] if not line.startswith(FACT)]
        pending = self._pending = _guess_alone(game, "".join(rows[-1:]))
        former = _guess_alone(game, waiting)
        if former and all(turn.guess != former.guess for turn in history.turns[number - 1 :]):
            history, pending = history.add(former), former
        return Stored(
            game,
            absolute_reference(document.value.get("game", ""), self.path.parent),
            kept_settings(document),
            history,
            pending=pending,
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
            value = {**keys, **self._rows_of(state, authored)}
            old = self.author_text
            text = edited(old, value, str(self.path)) if authored.value else dump(value)
        except GameFileError as error:
            raise SessionError(str(error)) from None
        if len(text) > _LONGEST:
            raise SessionError(f"{self.path}: a text as long as this could not be read again")
        self._known_texts = (*self._known_texts[:1], text)
        self._write(text)
        self._known_texts = (text,)

    def _load(self) -> str:
        return read_text(self.path)

    def _write(self, text: str) -> None:
        write_atomically(self.path, text)

    def _rows_of(self, state: Stored, authored: Document) -> dict[str, list[str]]:
        """Return the keys `facts` and `turns`; a turn that waits is written as its guess alone."""
        known = self._rows or {}
        own = {key: rows for key, rows in known.items() if key in authored.value}
        if self._rows and (state.history, state.pending) == (self._history, self._pending):
            return own
        wordings = dict(self._wordings)
        if self._pending is not None:
            wordings.pop(self._history.turns[-1], None)
        if state.pending is not None:
            last = state.history.turns[-1]
            note = f" # {last.note}" if last.note else ""
            wordings[last] = format_guess(state.game, state.pending) + note
        rows = history_keys(state.game, state.history, wordings)
        return {key: lines for key, lines in rows.items() if key in own or lines != known.get(key)}

    def _check_untouched(self) -> None:
        """Raise SessionError if another program changed the file."""
        is_known = not self._known_texts or not self.path.is_file()
        if not is_known and read_text(self.path) not in self._known_texts:
            raise SessionError(f"{self.path} was changed by another program, and is left as it is")


def _without_comment(text: str) -> tuple[str, int, str]:
    """Return a file's text without the comment of a guess, and its number and line ("": none)."""
    found = _FORMERLY_WAITING.search(text)
    if found is None:
        return text, 1, ""
    return text[: found.start()] + text[found.end() :], int(found[1]), found[2]


def _guess_alone(game: Game, line: str) -> Turn | None:
    """Return the turn of a line that is a guess without a clue; None for any other line."""
    with suppress(PuzzlehuntError):
        read = read_line(game, line)
        if read.guess and not read.clue:
            return parse_plain_turn(game, read)
    return None


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
            holder = f"{path} is open in another puzzlehunt, which writes it"
            raise SessionInUseError(f"{holder}; to play together: puzzlehunt serve") from None
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


# The keys of a file other than its turns.


def with_reads(document: Document, text: str, option: str) -> Document:
    """Return a game file with its key `reads` changed, which says how often marks are read.

    A text such as `black=0.1,red=easy` changes the rates of those kinds of marks only; a word such
    as `learn` changes the rates of all kinds. Error messages call the setting by the name `option`:
    `--reads` or `reads`. Raises GameFileError for a malformed text. It is not checked whether the
    game has these kinds of marks.
    """
    try:
        rates = split_reads(text)
    except RateError as error:
        raise GameFileError(str(error), f"{option} {text}") from None
    if isinstance(rates, str):
        return set_option(document, option, ("reads",), rates)
    if isinstance(word := document.value.get("reads"), str):
        document = replace(document, value={**document.value, "reads": {REST: word}})
    for key, rate in rates.items():
        document = set_option(document, f"{option} {key}=", ("reads", key), rate)
    return document


def absolute_reference(name: str, folder: Path) -> str:
    """Return a reference that means the same in every folder: a file becomes an absolute path.

    A built-in game or a size keeps its name. A relative path counts from `folder`.
    """
    name = gamefile.own_name(name)
    return name if name in gamefile.built_in_games() else _absolute_path(name, folder)


def kept_settings(document: Document) -> dict[str, Any]:
    """Return the keys of a game file that a session stores, with absolute paths.

    The keys for the game, the facts and the turns are left out.
    """
    value = keepable(document.value)
    settings = {k: v for k, v in value.items() if k not in ("game", "facts", "turns")}
    return _with_renamed_files(
        settings, lambda path, name: absolute_list(name, document.origin(path).folder)
    )


def keepable(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a game file except those that name code or commands."""
    play = value.get("play")
    if not isinstance(play, dict) or not play:
        return dict(value)
    kept = {
        key: text
        for key, text in play.items()
        if not (key == "solver" and text not in SOLVERS)
        and not (key == "strategy" and isinstance(text, str) and names_code(text))
    }
    return {**value, "play": kept} if kept else {k: v for k, v in value.items() if k != "play"}


def absolute_list(name: str, folder: Path) -> str:
    """Return a built-in word list's name unchanged, and a file's name as an absolute path."""
    return name if name in words.built_in_lists() else _absolute_path(name, folder)


def _absolute_path(name: str, folder: Path) -> str:
    try:
        path = folder / path_written(name)
        return str(real_path(path.parent) / path.name) if name and path.is_file() else name
    except (OSError, RuntimeError, ValueError):
        return name


def _with_renamed_files(
    settings: Mapping[str, Any], rename: Callable[[KeyPath, str], str]
) -> dict[str, Any]:
    """Return settings in which the word lists and the tree have other names.

    `rename` is called with the path of a key, and the name of its word list or its tree's file; it
    returns the new name.
    """
    renamed = dict(settings)
    keys = ("secret", "words", ""), ("guess", "words", ""), ("play", "strategy", TREE_PREFIX)
    for section, key, prefix in keys:
        values = settings.get(section)
        name = values.get(key) if isinstance(values, dict) else None
        if isinstance(name, str) and name.startswith(prefix):
            new = prefix + rename((section, key), name.removeprefix(prefix))
            renamed[section] = {**renamed[section], key: new}
    return renamed


def file_keys(
    authored: Document, reference: str, settings: Mapping[str, Any], path: Path
) -> dict[str, Any]:
    """Return the keys, except facts and turns, that a session's file at `path` should have.

    `authored` is what the file's author wrote there; a key of it is kept as written if its meaning
    has not changed. The other keys come from the session's `reference` and its `settings`, whose
    absolute paths become relative to the file.
    """
    # A file behind a link is read from two folders: absolute paths are right in both.
    folder = Path() if path.is_symlink() else real_path(path.parent)
    kept = keepable(settings)
    keys = _with_renamed_files(kept, lambda _, name: relative_reference(name, folder))
    game_key = {"game": relative_reference(reference, folder)} if reference else {}
    meanings = kept_settings(authored)
    as_written = {key: authored.value[key] for key, v in meanings.items() if v == settings.get(key)}
    written = authored.value.get("game")
    if written is not None and absolute_reference(written, path.parent) == reference:
        as_written["game"] = written
    return game_key | keys | as_written


def relative_reference(reference: str, folder: Path) -> str:
    """Return an absolute reference, or a word list's name, as a file in `folder` writes it.

    A path becomes relative to the folder if both are below a common folder other than the root. If
    the folder is `.`, paths stay absolute.
    """
    if not Path(reference).is_absolute() or folder == Path():
        return reference
    with suppress(ValueError):  # on another drive
        common = Path(os.path.commonpath([reference, folder]))
        if common.parent != common:
            return Path(os.path.relpath(reference, folder)).as_posix()
    return reference
