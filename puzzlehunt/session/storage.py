"""Files of sessions: the lock of their one writer, atomic writes, and the default path."""

import hashlib
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from puzzlehunt.errors import SessionError, SessionInUseError
from puzzlehunt.game.files.naming import sessions_folder


def acquire_lock(path: Path) -> FileLock:
    """Return the lock of a session's file, which this process then holds; make the file's folder.

    The system releases the lock when the process ends. Raises SessionInUseError where another
    process holds it, SessionError where the folder cannot be written.
    """
    try:
        target = real_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(target.with_name(f".{target.name}.lock"), timeout=0)
        lock.acquire()
    except Timeout:
        raise SessionInUseError(
            f"{path} is open in another puzzlehunt, which writes it; nothing was changed. "
            f"Looking works: puzzlehunt candidates {path}"
        ) from None
    except OSError as error:
        raise _unwritable(path, error) from None
    return lock


def write_new(path: Path, text: str, *, overwrite: bool = False) -> None:
    """Write a text to a new file, by `write_atomically`, or to a pipe or a device.

    Raises SessionError if the file cannot be written, or exists and `overwrite` is false.
    """
    if path.is_file() and not overwrite:
        raise SessionError(f"{path} exists already; nothing was written")
    write_atomically(path, text)


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that readers see the old text or the new one, even after a crash.

    A pipe or a device is written to directly. Raises SessionError if the file cannot be written.
    """
    temporary_file: Path | None = None
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="")
            return
        target = real_path(path)
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
        temporary_file = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary_file.chmod(_mode_of(target))
        temporary_file.replace(target)
    except BaseException as error:
        if temporary_file is not None:
            temporary_file.unlink(missing_ok=True)
        if isinstance(error, OSError | ValueError):
            raise _unwritable(path, error) from None
        raise
    _sync_folder(target.parent)


def real_path(path: Path) -> Path:
    """Return the absolute path that links lead to. Raises SessionError for an impossible path."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError | ValueError) -> SessionError:
    reason = error.strerror if isinstance(error, OSError) else error
    return SessionError(f"{path}: cannot be written ({reason})")


def _mode_of(path: Path) -> int:
    """Return the permissions of a file, or those that a new file would get."""
    if path.exists():
        return path.stat().st_mode
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Write a folder's entries to disk, so that a renamed file outlasts a crash (POSIX only)."""
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def set_aside(path: Path) -> Path:
    """Rename a session's file after the time of its last change; return its new path.

    Raises SessionError if it cannot be renamed.
    """
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime)
        target = dated_path(path, changed)
        path.rename(target)
    except OSError as error:
        raise _unwritable(path, error) from None
    return target


def dated_path(path: Path, time: datetime) -> Path:
    """Return a path where no file is yet: that of a session, with a time after its name."""
    stem = f"{path.stem}-{time:%Y-%m-%d-%H%M}"
    names = (stem if n == 1 else f"{stem}-{n}" for n in count(1))
    return next(p for p in map(path.with_name, (f"{n}.yaml" for n in names)) if not p.exists())


def default_path(reference: str, settings: Sequence[str] = ()) -> Path:
    """Return the file, in the user's state folder, that keeps a game played in a terminal.

    Each game has a file of its own for each choice of `settings`, which are texts `key=value`.
    """
    stem = Path(reference).stem[:100]
    if stem != reference or settings:
        identity = "\n".join([reference, *settings])
        stem += "-" + hashlib.sha256(identity.encode(errors="replace")).hexdigest()[:8]
    return sessions_folder() / f"{stem}.yaml"
