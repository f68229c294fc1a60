"""Writes files atomically, and does not overwrite files that somebody may need.

Every command that writes a file uses this module.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from shutil import copymode

from puzzlehunt.errors import GameFileError, SessionError
from puzzlehunt.game.files.document import read_file
from puzzlehunt.system import sync_folder


def write_new(path: Path, data: str | bytes, *, force: bool | None = None) -> None:
    """Write a new file (or to a pipe) if `check_free` allows it. Raises SessionError."""
    check_free(path, force=force)
    write_atomically(path, data)


def check_free(path: Path, *, force: bool | None = None) -> None:
    """Raise SessionError if the file cannot be created: its folder is missing, or it exists.

    With `force` it may exist, unless it is a game or a session; None: no option --force is there.
    """
    with writing(path):
        is_file = path.is_file()
    if path.is_dir():
        raise SessionError(f"{path} is a folder; name a file")
    if is_file and not force:
        mend = "nothing was written" if force is None else "--force writes over it"
        raise SessionError(f"{path} exists already; {mend}")
    if is_file:
        with suppress(GameFileError):
            if {"game", "secret", "facts", "turns"} & {*read_file(path).value}:
                problem = f"{path} is a game file, which is never overwritten; name another file"
                raise SessionError(problem)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert the operating system's errors about writing to a path to SessionError.

    Raises it at once if the path's folder is missing.
    """
    try:
        if not path.absolute().parent.is_dir():
            raise SessionError(f"{path}: there is no folder {path.parent}; make it first")
        yield
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SessionError(f"{path}: cannot be written ({reason})") from None


def make_folder(path: Path) -> None:
    """Create a folder and its parents if they are missing. Raises SessionError."""
    if not path.parent.is_dir():
        make_folder(path.parent)
    with writing(path):
        path.mkdir(exist_ok=True)


def real_path(path: Path) -> Path:
    """Return the absolute path with links resolved. Raises SessionError if that is impossible."""
    with writing(path):
        return Path(os.path.realpath(path))


def write_atomically(path: Path, data: str | bytes) -> None:
    """Write a file so that readers see either the old or the new data, even after a crash.

    Text is written as UTF-8, to a pipe or a device directly. Raises SessionError if that fails.
    """
    with writing(path):
        raw = data.encode() if isinstance(data, str) else data
        if path.exists() and not path.is_file():
            path.write_bytes(raw)
            return
        target = real_path(path)
        new = target.with_name(f".{target.name[:100]}.{token_hex(4)}.tmp")
        try:
            with new.open("xb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                copymode(target, new)
            new.replace(target)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        sync_folder(target.parent)


def remove_leftovers(path: Path) -> None:
    """Remove temporary files of a file whose writers were killed; nobody else may write it now."""
    for left in path.parent.glob(".*.????????.tmp"):
        if left.name[:-13] == f".{path.name[:100]}":
            left.unlink(missing_ok=True)
