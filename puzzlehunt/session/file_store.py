"""Session files: their text and keys, the lock that allows one writer, the paths of new files.

A reference is the value of the key `game`: a built-in game's name, a size such as 4x6, or a game
file's path. The paths of games and word lists are absolute in memory, and relative to the
session's file on the disk, so that a folder can be moved.
"""

import copy
import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from puzzlehunt.codes import words
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import GameFileError, SessionError, SessionInUseError
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import real_path, remove_leftovers, write_atomically, writing
from puzzlehunt.game.files.codes_and_channel import split_reads
from puzzlehunt.game.files.document import (
    MOST_BYTES,
    Document,
    dump,
    edited,
    read_document,
    read_text,
    state_folder,
)
from puzzlehunt.game.game import Game
from puzzlehunt.game.play import SOLVERS, TREE_PREFIX, names_code
from puzzlehunt.game.turn_notation import format_row, read_line
from puzzlehunt.system import file_stem


class FileStore:
    """A session file, which this process may write only while it holds the file's lock.

    `author_text` is the text of the file's author, "" for a new file; it is edited in place, so
    that undo restores it. `changes` and `played` are those of `Session.resume`.
    """

    def __init__(self, path: Path, changes: Document | None = None, played: str = "") -> None:
        self.path = path
        self.author_text = ""
        self.awaited: Code | None = None
        """The guess of the last row if that row is a guess alone, whose clue is awaited."""
        self._changes = changes or Document({})
        self._played = played
        self._lock: FileLock | None = None
        self._known_texts: tuple[str, ...] = ()
        """The file's text as it was read or written last, and a text that is being written."""
        self._rows: Mapping[str, list[str]] = {}
        """The keys `facts` and `turns` as they were read, from the file or the game it names."""
        self._wordings: dict[str, str] = {}
        """How the author wrote each of these lines, by the line as the game writes it."""

    def copied_to(self, path: Path) -> "FileStore":
        """Return the store of a new file, which starts with this file's text and rows."""
        store = copy.copy(self)
        store.path, store._lock, store._known_texts = path, None, ()
        return store

    def lock(self) -> None:
        """Acquire the file's lock. Raises SessionInUseError, or SessionError for a bad folder."""
        if self._lock is None:
            self._lock = acquire_lock(self.path)

    def close(self) -> None:
        """Release the file's lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def read(self, text: str | None = None) -> tuple[Game, str, dict[str, Any]]:
        """Return the game with its rows, its reference and the settings in the file, or in a text.

        Raises GameFileError.
        """
        if text is None:
            text = read_text(self.path)
            self._known_texts = (text,)
        self.author_text, self.awaited = text, None
        own = read_document(text, str(self.path), self.path.parent)
        played = gamefile.path_of(self._played)
        whole = self._changes.inherit(gamefile.inherited(own, played=played))
        self._rows = {key: whole.value.get(key, []) for key in ("facts", "turns")}
        game = gamefile.build(whole)
        for key, lines in gamefile.history_keys(game, game.history).items():
            if len(lines) == len(self._rows[key]):
                self._wordings |= zip(lines, self._rows[key], strict=True)
        turn = meaning.unread_turn(game, game.history)
        if turn and not read_line(game, self._rows["turns"][-1]).clue:
            self.awaited = turn.code
            self._wordings.pop(format_row(game, turn), None)
        settings = kept_settings(Document(kept_settings(self._changes)).inherit(own))
        return game, settings.pop("game", ""), settings

    def save(self, game: Game, reference: str, settings: Mapping[str, Any]) -> None:
        """Write the file completely or not at all. Raises SessionError."""
        self.lock()
        known = self._known_texts
        try:
            if known and self.path.is_file() and read_text(self.path) not in known:
                other = "was changed by another program, and is left as it is"
                raise SessionError(f"{self.path} {other}")
            text = self.written(game, reference, settings)
            if len(text.encode()) > MOST_BYTES:
                raise SessionError(f"{self.path}: a session file has at most 16 MB")
        except GameFileError as error:
            raise SessionError(str(error)) from None
        self._known_texts = (*known[:1], text)
        write_atomically(self.path, text)
        self._known_texts = (text,)

    def written(self, game: Game, reference: str, settings: Mapping[str, Any]) -> str:
        """Return the text parsed last, edited to hold a game with its rows and these settings.

        What means the same stays as it was written. Raises GameFileError.
        """
        authored, folder = Document({}), real_path(self.path.parent)
        if self.author_text:
            authored = read_document(self.author_text, str(self.path), self.path.parent)
        kept = {"game": reference, **settings} if reference else settings
        value = _with_files(kept, lambda _, name: _relative(name, folder))
        for key, wanted in kept_settings(authored).items():
            if wanted == kept.get(key):
                value[key] = authored.value[key]
        for key, lines in gamefile.history_keys(game, game.history).items():
            rows = [self._wordings.get(line, line) for line in lines]
            turn = meaning.unread_turn(game, game.history) if key == "turns" else None
            if turn and turn.code == self.awaited and not turn.doubt:
                note = f" # {turn.note}" if turn.note else ""
                rows[-1] = game.format_code(turn.code) + note
            if key in authored.value or rows != self._rows.get(key):
                value[key] = rows
        return edited(self.author_text, value, str(self.path)) if authored.value else dump(value)


def acquire_lock(path: Path) -> FileLock:
    """Acquire and return the lock of a file. Raises SessionInUseError or SessionError."""
    target = real_path(path)
    lock = FileLock(target.with_name(f".{target.name}.lock"), timeout=0, thread_local=False)
    with writing(path):
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
        time = datetime.fromtimestamp(path.stat().st_mtime)
        target = path.with_stem(f"{path.stem}-{time:%Y-%m-%d-%H%M}")
        while target.exists():
            target = target.with_stem(f"{target.stem}-2")
        return path.rename(target)


def default_path(reference: str, settings: Sequence[str]) -> Path:
    """Return the path of the file that keeps a game played in a terminal.

    It is in the user's state folder, one for each choice of `settings` (texts `key=value`).
    """
    stem = file_stem(Path(reference).stem[:100])
    if stem != reference or settings:
        identity = "\n".join([reference, *settings])
        stem += "-" + hashlib.sha256(identity.encode(errors="replace")).hexdigest()[:8]
    return state_folder("sessions") / f"{stem}.yaml"


# The keys of a file other than its turns.


def with_reads(document: Document, text: str, option: str) -> Document:
    """Return a document of settings with how often marks are read, the key `reads`.

    A text such as `black=0.1,red=easy` changes those kinds of marks only, a word such as `learn`
    all kinds. Error messages call the setting `option`. Raises GameFileError for a malformed text;
    whether the game has these kinds is not checked.
    """
    try:
        rates = split_reads(text)
    except ValueError as error:
        raise GameFileError(str(error), f"{option} {text}") from None
    if isinstance(rates, str):
        return document.with_option(option, "reads", rates)
    for key, rate in rates.items():
        document = document.with_option(option, f"reads.{key}", rate)
    return document


def kept_settings(document: Document) -> dict[str, Any]:
    """Return the keys of a valid game file that a session stores, with absolute paths.

    Facts and turns are left out, and what names code or a command.
    """
    settings = {k: v for k, v in document.value.items() if k not in ("facts", "turns")}
    if play := settings.get("play"):
        settings["play"] = {
            key: text
            for key, text in play.items()
            if not (key == "solver" and text not in SOLVERS)
            and not (key == "strategy" and names_code(text))
        }
        if not settings["play"]:
            del settings["play"]
    return _with_files(
        settings, lambda path, name: absolute_reference(name, document.origin(path).folder)
    )


def whole_game(reference: str, settings: Mapping[str, Any]) -> Document:
    """Return the game file of a session without rows: its settings and those of its game."""
    document = Document(dict(settings))
    if reference:
        document = document.inherit(gamefile.find_document(reference, Path()))
    return document.without_rows()


def game_of_length(reference: str, settings: Mapping[str, Any], length: int) -> Game:
    """Return a game without rows, with words of a length. Raises PuzzlehuntError."""
    document = whole_game(reference, settings)
    if {"words", "language"}.isdisjoint(document.value.get("secret", {})):
        raise SessionError("no word list")
    changed = Document({}).with_option("", "secret.length", str(length))
    return gamefile.build(changed.inherit(document))


def _with_files(settings: Mapping[str, Any], rename: Callable[[str, str], str]) -> dict[str, Any]:
    """Return settings in which `rename`, given a key's path and the name there, renames files."""
    renamed = dict(settings)
    if "game" in settings:
        renamed["game"] = rename("game", settings["game"])
    keys = [("secret", "words", ""), ("secret", "without", ""), ("guess", "words", "")]
    keys.append(("play", "strategy", TREE_PREFIX))
    for section, key, prefix in keys:
        name = (settings.get(section) or {}).get(key)
        if isinstance(name, str) and name.startswith(prefix):
            new = prefix + rename(f"{section}.{key}", name.removeprefix(prefix))
            renamed[section] = {**renamed[section], key: new}
    return renamed


def absolute_reference(name: str, folder: Path = Path()) -> str:
    """Return a reference that means the same in every folder: a file becomes an absolute path.

    A built-in game or word list or a size keeps its name. A relative path counts from `folder`.
    """
    file = None if name in words.BUILT_IN_LISTS else gamefile.path_of(name, folder)
    if file is None or not file.is_file():
        return gamefile.own_name(name) or name
    return str(real_path(file.parent) / file.name)


def _relative(name: str, folder: Path) -> str:
    """Return a name in which an absolute path is relative to a folder, if it is on its drive."""
    with suppress(ValueError):
        if Path(name).is_absolute():
            return Path(os.path.relpath(name, folder)).as_posix()
    return name
