"""Files of sessions: who writes one, how it is written whole, and where one is kept by default."""

import hashlib
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import platformdirs
from filelock import FileLock, Timeout

from puzzlehunt.errors import SessionError, SessionInUseError


def locked(path: Path) -> FileLock:
    """Return the lock of a session's file, held. The system lets it go when the process ends."""
    try:
        real = real_path(path)
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
        real = real_path(path)
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


def real_path(path: Path) -> Path:
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


def default_path(reference: str, settings: Sequence[str] = ()) -> Path:
    """Return where a game in a terminal keeps its session: under the user's state folder.

    Each game has one session there, and each change of it by `key=value` settings another.
    """
    stem = Path(reference).stem[:100]
    if stem != reference or settings:
        whole = "\n".join([reference, *settings])
        stem += "-" + hashlib.sha256(whole.encode(errors="replace")).hexdigest()[:8]
    return platformdirs.user_state_path("puzzlehunt") / "sessions" / f"{stem}.yaml"
