"""Reading files that somebody else may have written: regular ones, of bounded size.

A program that reads a named pipe may wait for ever, and a device such as /dev/zero has no end.
"""

import os
import stat
from pathlib import Path

_STREAMS = ("/dev/", "/proc/")
"""Beginnings of paths of open streams, such as /dev/stdin and those of `<(...)`."""


def path_written(name: str) -> Path:
    """Return the path for a text, with `~` and `~anna` expanded if such home folders exist."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a regular file, or of a pipe that the shell has opened.

    Raises OSError for a file of more than `most` bytes, and for any other kind of file, without
    waiting for its content. The error's `strerror` names the reason.
    """
    # A named pipe, too, is opened without waiting until somebody writes to it.
    at_once = getattr(os, "O_NONBLOCK", 0)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | at_once)) as file:
        mode = os.fstat(file.fileno()).st_mode
        is_pipe = stat.S_ISFIFO(mode) and str(path.absolute()).startswith(_STREAMS)
        if not (stat.S_ISREG(mode) or is_pipe or str(path) == os.devnull):
            raise OSError(0, "it is not a regular file")
        if is_pipe:
            os.set_blocking(file.fileno(), True)
        raw = file.read(most + 1)
    if len(raw) > most:
        raise OSError(0, f"it is larger than {most // 1_000_000} MB")
    return raw
