"""A session: a game being played, that cannot lose what it acknowledged.

Every change is written to the session's file before the call returns, whole or not at all. The
file is a game file (`game:` and `turns:`), so whatever reads games reads sessions.
"""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import platformdirs
from filelock import FileLock, Timeout

from puzzlehunt import gamefile
from puzzlehunt.codes import Code
from puzzlehunt.engines import Engine, open_engine
from puzzlehunt.errors import PuzzlehuntError, SessionError, SessionInUseError
from puzzlehunt.game import Game
from puzzlehunt.history import Fact, History, Turn
from puzzlehunt.strategies import Advice, Adviser, Budget

_EVERYTHING = Budget()


class Session:
    """A game, its history with undo and redo, its engine, and the file that it is kept in.

    `reference` is what the file's `game:` says, `settings` what it says beside that. Without a
    path nothing is written. Use `create` or `resume` for a session with a file.
    """

    def __init__(
        self, game: Game, reference: str, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.game = game
        self.history = game.history
        self.path: Path | None = None
        self.reference = reference
        self.settings = dict(settings or {})
        items = game.history.items
        self._past = [History(items[:n]) for n in range(len(items))]
        self._future: list[History] = []
        self._lock: FileLock | None = None
        self._engine: Engine | None = None
        self._adviser: Adviser | None = None

    # Files.

    @classmethod
    def resume(cls, path: Path, play: Mapping[str, str] | None = None) -> "Session":
        """Return the session that a file holds, and become its one writer.

        `play` are changes to its `play` settings; they are kept. Raises SessionInUseError if
        another program is the writer, GameFileError for a bad file.
        """
        lock = _locked(path)
        try:
            own = gamefile.read_file(path)
            whole = gamefile.find_document(str(path.absolute()), Path())
            for key, value in (play or {}).items():
                whole = gamefile.set_option(whole, f"--{key}", ("play", key), value)
                own = gamefile.set_option(own, f"--{key}", ("play", key), value)
            settings = {k: v for k, v in own.value.items() if k not in ("game", "facts", "turns")}
            session = cls(gamefile.build(whole), own.value.get("game", ""), settings)
        except PuzzlehuntError:
            lock.release()
            raise
        session.path, session._lock = path, lock
        return session

    def keep_in(self, path: Path) -> None:
        """Write the session to a file from now on. Raises SessionInUseError, SessionError."""
        lock = _locked(path)
        before = self.path, self._lock
        self.path, self._lock = path, lock
        try:
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
        reference = _reference_from(self.reference, self.path)
        kept = {"game": reference} if reference else {}
        document = {
            **kept,
            **self.settings,
            "facts": [fact.text for fact in self.history.facts],
            "turns": [self.game.format_turn(turn) for turn in self.history.turns],
        }
        write_whole(self.path, gamefile.dump(document))

    def close(self) -> None:
        """Let others write the session's file."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def is_of(self, reference: str) -> bool:
        """Return whether this is a session of the game that a reference names."""
        if self.path is None or not self.reference:
            return True
        here = self.path.parent.absolute()
        return reference in (self.reference, str(self.path.absolute())) or (
            os.path.normpath(reference) == os.path.normpath(here / self.reference)
        )

    # Changes; each is one step of undo.

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

    def doubt(self, number: int) -> None:
        """Doubt turn `number` (from 1), or doubt it no more. Raises SessionError."""
        self._change(self.history.doubt(number))

    def clear(self) -> None:
        """Start anew: forget every turn and fact."""
        self._change(History())

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
        self.save()

    def _step(self, source: list[History], target: list[History], name: str) -> None:
        if not source:
            raise SessionError(f"nothing to {name}")
        target.append(self.history)
        self.history = source.pop()
        self.save()

    def set_play(self, **changes: Any) -> None:
        """Change `play` settings; they are kept in the file."""
        self.game = self.game.with_play(changes)
        kept = {key: str(value) for key, value in changes.items()}
        self.settings["play"] = {**self.settings.get("play", {}), **kept}
        self._adviser = None
        self.save()

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
        """Whether the newest turn says that its guess was the secret."""
        turns = self.history.turns
        return bool(turns) and self.game.rule.wins(turns[-1].clue)

    def advise(self, top: int = 1, budget: Budget = _EVERYTHING) -> Advice:
        """Return the best next guesses. Raises NoCandidatesError if nothing is left."""
        return self._advisers().advise(self.engine, top, budget)

    def rate(self, guess: Code, budget: Budget = _EVERYTHING) -> Advice:
        """Return what one guess would be worth. Raises NoCandidatesError if nothing is left."""
        return self._advisers().rate(self.engine, guess, budget)

    def _advisers(self) -> Adviser:
        if self._adviser is None:
            self._adviser = Adviser(self.game)
        return self._adviser


def _locked(path: Path) -> FileLock:
    """Return the lock of a session's file, held. The system lets it go when the process ends."""
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise SessionInUseError(
            f"{path}: another puzzlehunt writes this session; nothing was changed. "
            "Reading it works: puzzlehunt candidates FILE"
        ) from None
    except OSError as error:
        raise SessionError(f"{path}: cannot be written ({error.strerror})") from None
    return lock


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that a reader, or a crash at any moment, sees it whole or not at all.

    Raises SessionError if it cannot be written.
    """
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode_of(path))
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise SessionError(f"{path}: cannot be written ({error.strerror})") from None


def _mode_of(path: Path) -> int:
    """Return the permissions of a file, or those that a new one would get."""
    if path.exists():
        return path.stat().st_mode
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make a renaming in a folder last; only POSIX systems can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _reference_from(reference: str, path: Path) -> str:
    """Return a game's reference as it must stand in a session file."""
    if not reference or not Path(reference).is_absolute():
        return reference
    try:
        return os.path.relpath(reference, path.parent.absolute())
    except ValueError:
        return reference


def kept_by_itself(name: str) -> Path:
    """Return where a game in a terminal keeps its session: under the user's state folder."""
    stem = Path(name).stem
    if stem != name:
        stem += "-" + hashlib.sha256(str(Path(name).absolute()).encode()).hexdigest()[:8]
    return platformdirs.user_state_path("puzzlehunt") / "sessions" / f"{stem}.yaml"
