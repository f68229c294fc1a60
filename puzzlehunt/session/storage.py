"""Files of sessions: the lock of their one writer, and the paths of those that keep themselves."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from puzzlehunt.errors import SessionInUseError
from puzzlehunt.game.files.atomic import real_path, unwritable
from puzzlehunt.game.files.trusted_files import sessions_folder


def acquire_lock(path: Path) -> FileLock:
    """Return the lock of a session's file, which this process then holds; make the file's folder.

    The system releases the lock when the process ends. Raises SessionInUseError where another
    process holds it, SessionError where the folder cannot be written.
    """
    try:
        target = real_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(target.with_name(f".{target.name}.lock"), timeout=0, thread_local=False)
        lock.acquire()
    except Timeout:
        raise SessionInUseError(
            f"{path} is open in another puzzlehunt, which writes it; nothing was changed. "
            f"Looking works: puzzlehunt candidates {path}"
        ) from None
    except OSError as error:
        raise unwritable(path, error) from None
    return lock


def set_aside(path: Path) -> Path:
    """Rename a session's file after the time of its last change; return its new path.

    Raises SessionError if it cannot be renamed.
    """
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime)
        target = dated_path(path, changed)
        path.rename(target)
    except OSError as error:
        raise unwritable(path, error) from None
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
