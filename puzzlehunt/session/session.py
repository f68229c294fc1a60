"""A session: a game being played, that cannot lose what it acknowledged.

Every change is written to the session's file before the call returns, whole or not at all. The
file is a game file (`game:` and `turns:`), so whatever reads games reads sessions.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import platformdirs
from filelock import FileLock, Timeout

from puzzlehunt.codes import words
from puzzlehunt.codes.boards import PairSpace
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import GameFileError, PuzzlehuntError, SessionError, SessionInUseError
from puzzlehunt.explain.remaining import Wider, wider_candidates
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.channelkeys import REST, RateError, split_reads
from puzzlehunt.game.files.document import (
    Document,
    apply_settings,
    dump,
    read_file,
    set_option,
)
from puzzlehunt.game.game import SOLVERS, Game
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.base import Budget
from puzzlehunt.views.markup import Markup, lines

_EVERYTHING = Budget()


class Session:
    """A game, its history with undo and redo, its engine, and the file that it is kept in.

    `reference` is what the file's `game:` says, `settings` what it says beside that, both as
    `whole_reference` and `kept_settings` return them. Without a path nothing is written: see
    `keep_in`, and `resume` for a session that has a file.
    """

    def __init__(
        self, game: Game, reference: str, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.game = game
        self.history = game.history
        self.path: Path | None = None
        self.unsaved: SessionError | None = None
        """Why the newest change is in memory only; None where the file has it."""
        self.reference = reference
        self.settings = dict(settings or {})
        items = game.history.items
        self._past = [History(items[:n]) for n in range(len(items))]
        self._future: list[History] = []
        self._lock: FileLock | None = None
        self._engine: Engine | None = None
        self._adviser: Adviser | None = None
        self._advised: dict[tuple[History, int, Budget], Advice] = {}
        self._wider: tuple[History, Wider | None] | None = None

    def _repr_html_(self) -> Markup:
        return lines(f"{self.game.title}", self.engine._repr_html_())

    # Files.

    @classmethod
    def resume(
        cls,
        path: Path,
        play: Mapping[str, str] | None = None,
        settings: Sequence[str] = (),
        lists: Mapping[str, str] | None = None,
    ) -> "Session":
        """Return the session that a file holds, and become its one writer.

        `play` are changes to its `play` settings, `settings` are `key=value` changes, `lists` are
        word lists for `secret` and `guess`; all are kept. Raises SessionInUseError if another
        program is the writer, GameFileError for a bad file.
        """
        lock = _locked(path)
        try:
            own = changed(read_file(path), play, settings, lists)
            whole = gamefile.find_document(str(path.absolute()), Path())
            whole = changed(whole, play, settings, lists)
            reference = whole_reference(own.value.get("game", ""), path.parent)
            session = cls(gamefile.build(whole), reference, kept_settings(own))
        except PuzzlehuntError:
            lock.release()
            raise
        session.path, session._lock = path, lock
        return session

    def keep_in(self, path: Path, replace: bool = False) -> None:
        """Write the session to a file from now on; one that is there already must be its own.

        With `replace` it may be any. Raises SessionInUseError, SessionError.
        """
        if self.path is not None and _real(path) == _real(self.path):
            self.save()
            return
        lock = _locked(path)
        before = self.path, self._lock
        self.path, self._lock = path, lock
        try:
            if not replace and path.exists():
                raise SessionError(f"{path} exists already; nothing was written")
            self.save()
        except SessionError:
            lock.release()
            self.path, self._lock = before
            raise
        if before[1] is not None:
            before[1].release()

    def save(self) -> None:
        """Write the file, whole or not at all. Raises SessionError if it cannot be written."""
        if self.path is None:
            return
        folder = _real(self.path.parent)
        if self.path.is_symlink():
            folder = Path()
        reference = _reference_from(self.reference, folder)
        kept = {"game": reference} if reference else {}
        document = {
            **kept,
            **_with_lists(self.settings, lambda _, name: _reference_from(name, folder)),
            **gamefile.rows(self.game, self.history),
        }
        write_whole(self.path, dump(document))
        self.unsaved = None

    def close(self) -> None:
        """Let others write the session's file."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def is_of(self, reference: str) -> bool:
        """Return whether this is a session of the game that a whole reference names."""
        own = "" if self.path is None else whole_reference(self.path.name, self.path.parent)
        return not self.reference or reference in (self.reference, own)

    # Changes; each is one step of undo. Where the file cannot be written, the game goes on in
    # memory and `unsaved` says why.

    def play(self, *turns: Turn) -> None:
        """Add turns as one step."""
        self._change(self.history.add(*turns))

    def add_fact(self, fact: Fact) -> None:
        """Add a fact."""
        self._change(self.history.add(fact))

    def edit(self, number: int, turn: Turn) -> None:
        """Replace turn `number` (from 1). Raises SessionError if there is none."""
        self._change(self.history.replace(number, turn))

    def drop(self, number: int) -> None:
        """Take turn `number` (from 1) out. Raises SessionError if there is none."""
        self._change(self.history.drop(number))

    def doubt(self, number: int, chance: float | None = None) -> None:
        """Doubt turn `number` (from 1) as said, or doubt it no more. Raises SessionError."""
        self._change(self.history.doubt(number, chance))

    def clear(self) -> None:
        """Start anew: forget every turn and fact."""
        self._change(History())

    def revise(self, history: History) -> None:
        """Change to another history, as one step."""
        self._change(history)

    def undo(self) -> None:
        """Take the last step back. Raises SessionError if there is none."""
        self._step(self._past, self._future, "undo")

    def redo(self) -> None:
        """Take the last undo back. Raises SessionError if there is none."""
        self._step(self._future, self._past, "redo")

    def _change(self, history: History) -> None:
        self._past.append(self.history)
        self._future.clear()
        self.history = history
        self._try_to_save()

    def _step(self, source: list[History], target: list[History], name: str) -> None:
        if not source:
            raise SessionError(f"nothing to {name}")
        target.append(self.history)
        self.history = source.pop()
        self._try_to_save()

    def set_play(self, **changes: Any) -> None:
        """Change `play` settings; they are kept in the file."""
        self.game = self.game.with_play(changes)
        kept = {key: str(value) for key, value in changes.items()}
        self.settings["play"] = {**self.settings.get("play", {}), **kept}
        self._adviser = None
        self._try_to_save()

    def set_reads(self, text: str) -> None:
        """Change how often marks are read; it is kept in the file, and undo passes it over.

        Raises GameFileError for rates that cannot be, and for rows that could not be read so.
        """
        document = with_reads(self._document(), text, "/rates")
        history = gamefile.rows(self.game, self.history)
        game = gamefile.build(replace(document, value={**document.value, **history}))
        self.settings["reads"] = document.value["reads"]
        self.game = replace(game, play=self.game.play)
        self._engine = self._adviser = self._wider = None
        self._try_to_save()

    def widen(self, name: str) -> None:
        """Take the secrets from another word list; it is kept in the file, and undo passes it over.

        Raises SessionError where they come from no list, GameFileError for one that does not serve.
        """
        document = self._document()
        if document.value.get("secret", {}).get("words") is None:
            raise SessionError("the secrets of this game come from no word list")
        if isinstance(self.game.secrets, PairSpace):
            raise SessionError("pairs of words are too many to change the list; start with --words")
        own = self.settings.get("secret", {})
        if not isinstance(own.get("words", ""), str):
            raise SessionError("the words stand in this session itself; another: play --words LIST")
        found = None if self._wider is None else self._wider[1]
        game = found.game if found and found.name == name else _with_list(document, name)
        self.game = replace(game, play=self.game.play)
        self.settings["secret"] = {**own, "words": _whole_list(name, Path())}
        self._engine = self._adviser = self._wider = None
        self._try_to_save()

    @property
    def list_name(self) -> str:
        """The name or path of the list that secrets come from; empty where it has none."""
        listed = self._document().value.get("secret", {}).get("words")
        return listed if isinstance(listed, str) else ""

    def _document(self) -> Document:
        """Return the description of the game that is played."""
        own = Document(dict(self.settings))
        if not self.reference:
            return own
        return own.inherit(gamefile.find_document(self.reference, Path()))

    def _try_to_save(self) -> None:
        try:
            self.save()
        except SessionError as error:
            self.unsaved = error

    # Questions.

    @property
    def engine(self) -> Engine:
        """The game's engine, at the present history."""
        if self._engine is None:
            self._engine = open_engine(self.game)
        self._engine.follow(self.history)
        return self._engine

    @property
    def is_won(self) -> bool:
        """Whether the newest turn says that its guess was the secret, and all others agree."""
        return self.game.is_won(self.history)

    def fits(self, history: History) -> bool:
        """Return whether anything would fit another history, in a wider list if not in this one.

        True where a wider list cannot be looked at.
        """
        engine = self.engine
        engine.follow(history)
        if engine.satisfiable() or isinstance(self.game.secrets, PairSpace):
            return True
        return self._wider_for(history) is not None

    def wider(self) -> Wider | None:
        """Return what is left in a wider word list where nothing fits; None if nothing is."""
        return None if self.engine.satisfiable() else self._wider_for(self.history)

    def _wider_for(self, history: History) -> Wider | None:
        if self._wider is None or self._wider[0] != history:
            self._wider = (history, wider_candidates(self.game, history))
        return self._wider[1]

    def advise(self, top: int = 1, budget: Budget = _EVERYTHING) -> Advice:
        """Return the best next guesses. Raises NoCandidatesError if nothing is left."""
        adviser, asked = self.adviser, (self.history, top, budget)
        if asked not in self._advised:
            self._advised[asked] = adviser.advise(self.engine, top, budget)
        return self._advised[asked]

    @property
    def advised(self) -> Mapping[History, Advice]:
        """What was advised already, by this strategy, after which history."""
        known = {} if self._adviser is None else self._advised
        return {history: advice for (history, _, _), advice in known.items()}

    @property
    def adviser(self) -> Adviser:
        """What gives the advice, by the game's strategy."""
        if self._adviser is None:
            self._adviser = Adviser(self.game)
            self._advised.clear()
        return self._adviser


def _with_list(document: Document, name: str) -> Game:
    """Return a game with its secrets from another list. Raises GameFileError."""
    bare = {k: v for k, v in document.value.items() if k not in ("facts", "turns")}
    document = Document(bare, document.places, document.folders)
    return gamefile.build(set_option(document, "/widen", ("secret", "words"), name))


def _locked(path: Path) -> FileLock:
    """Return the lock of a session's file, held. The system lets it go when the process ends."""
    try:
        real = _real(path)
        real.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(real.with_name(f".{real.name}.lock"), timeout=0)
        lock.acquire()
    except Timeout:
        raise SessionInUseError(
            f"{path}: another puzzlehunt writes this session; nothing was changed. "
            "Reading it works: puzzlehunt candidates FILE"
        ) from None
    except OSError as error:
        raise _unwritable(path, error) from None
    return lock


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that a reader, or a crash at any moment, sees it whole or not at all.

    Where there is no file but a pipe or a device, it gets the text. Raises SessionError if it
    cannot be written.
    """
    temporary: Path | None = None
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
            return
        real = _real(path)
        handle, name = tempfile.mkstemp(prefix=f".{real.name[:100]}.", dir=real.parent)
        temporary = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode_of(real))
        temporary.replace(real)
    except BaseException as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError | ValueError):
            raise _unwritable(path, error) from None
        raise
    _sync_folder(real.parent)


def _real(path: Path) -> Path:
    """Return the file that a path leads to, through all links. Raises SessionError for none."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError | ValueError) -> SessionError:
    reason = error.strerror if isinstance(error, OSError) else error
    return SessionError(f"{path}: cannot be written ({reason})")


def _mode_of(path: Path) -> int:
    """Return the permissions of a file, or those that a new one would get."""
    if path.exists():
        return path.stat().st_mode
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make a renaming in a folder last, where the system can."""
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# What a session's file refers to: the game that it inherits, and word lists. In memory files have
# their whole paths; in the file, paths from its own folder, so that a folder may move.


def changed(
    document: Document,
    play: Mapping[str, str] | None = None,
    settings: Sequence[str] = (),
    lists: Mapping[str, str] | None = None,
) -> Document:
    """Return a document with settings over it, and play settings and word lists given as options.

    `lists` are word lists for `secret` and `guess`.
    """
    document = apply_settings(document, settings)
    for key, value in (play or {}).items():
        document = set_option(document, f"--{key}", ("play", key), value)
    for key, value in (lists or {}).items():
        document = set_option(document, LIST_OPTIONS[key], (key, "words"), value)
    return document


def with_reads(document: Document, text: str, option: str = "--reads") -> Document:
    """Return a document with how often marks are read, as an option writes it.

    `black=0.1,red=easy` changes those kinds alone, a word such as `learn` all. Raises
    GameFileError.
    """
    try:
        rates = split_reads(text)
    except RateError as error:
        raise GameFileError(f"{option} {text}: {error}") from None
    if isinstance(rates, str):
        return set_option(document, option, ("reads",), rates)
    if isinstance(own := document.value.get("reads"), str):
        document = replace(document, value={**document.value, "reads": {REST: own}})
    for key, rate in rates.items():
        document = set_option(document, f"{option} {key}=", ("reads", key), rate)
    return document


LIST_OPTIONS = {"secret": "--words", "guess": "--guesses"}
"""The options that name word lists, by the key that they stand for."""


def whole_reference(name: str, folder: Path) -> str:
    """Return a game's name as it holds everywhere: a file's whole path, all else as it is."""
    return name if name in gamefile.built_in_games() else _whole_path(name, folder)


def kept_settings(document: Document) -> dict[str, Any]:
    """Return what a document says beside its game and rows, lists of words by their whole paths.

    A solver that is a command is not kept: no file may have one run.
    """
    kept = {k: v for k, v in document.value.items() if k not in ("game", "facts", "turns")}
    play = kept.get("play")
    if isinstance(play, dict) and play.get("solver", SOLVERS[0]) not in SOLVERS:
        kept["play"] = {k: v for k, v in play.items() if k != "solver"}

    return _with_lists(kept, lambda key, n: _whole_list(n, document.folder((key, "words"))))


def _whole_list(name: str, folder: Path) -> str:
    """Return the name of a list as it holds everywhere: a file's whole path, or a built-in name."""
    return name if name in words.built_in_lists() else _whole_path(name, folder)


def _whole_path(name: str, folder: Path) -> str:
    try:
        path = folder / Path(name).expanduser()
        return str(_real(path.parent) / path.name) if name and path.is_file() else name
    except (OSError, RuntimeError, ValueError):
        return name


def _with_lists(settings: Mapping[str, Any], rename: Callable[[str, str], str]) -> dict[str, Any]:
    """Return settings with each list of words renamed, given its key and its name."""
    renamed = dict(settings)
    for key in ("secret", "guess"):
        part = renamed.get(key)
        if isinstance(part, dict) and isinstance(part.get("words"), str):
            renamed[key] = {**part, "words": rename(key, part["words"])}
    return renamed


def _reference_from(reference: str, folder: Path) -> str:
    """Return a whole reference as it must stand in a file of that folder.

    Files that share nothing with the folder but the root keep their whole path, and so do all for
    the folder `.`: what is behind a link is found from two folders.
    """
    if not Path(reference).is_absolute() or folder == Path():
        return reference
    try:
        shared = Path(os.path.commonpath([reference, folder]))
    except ValueError:
        return reference
    if shared.parent == shared:
        return reference
    return Path(os.path.relpath(reference, folder)).as_posix()


def kept_by_itself(reference: str, settings: Sequence[str] = ()) -> Path:
    """Return where a game in a terminal keeps its session: under the user's state folder.

    Each game has one session there, and each change of it by `key=value` settings another.
    """
    stem = Path(reference).stem[:100]
    if stem != reference or settings:
        whole = "\n".join([reference, *settings])
        stem += "-" + hashlib.sha256(whole.encode(errors="replace")).hexdigest()[:8]
    return platformdirs.user_state_path("puzzlehunt") / "sessions" / f"{stem}.yaml"
