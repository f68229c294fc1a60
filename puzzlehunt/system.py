"""What differs between operating systems, in one place: signals and files; and what rooms are.

Every function does the same on Linux, macOS and Windows, or says what it cannot do.
"""

import _thread
import os
import re
import signal
import threading
from contextlib import suppress
from pathlib import Path
from types import ModuleType

try:
    import resource
except ImportError:  # on Windows
    HAS_POSIX = False
else:
    HAS_POSIX = True


def interrupt_main_thread() -> None:
    """Interrupt the main thread as Ctrl-C does, from another thread."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main(signal.SIGINT)


def raise_file_limit(most: int) -> int:
    """Let the process open up to `most` files, if it may; return how many it may open now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return most if soft == resource.RLIM_INFINITY else soft


def sync_folder(folder: Path) -> None:
    """Write a folder's entries to disk, so that a renamed file outlasts a crash (POSIX alone)."""
    with suppress(OSError):  # Windows opens no folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def file_stem(name: str) -> str:
    """Return `name` with `-` in place of characters that paths reserve, `file-` if it is empty."""
    return re.sub(r'[\x00-\x1f<>:"/\\|?*]+', "-", name).strip(". ") or "file-"


class Room(ModuleType):
    """A package that, called, returns what its function `named` does: names and sentences."""

    def __call__(self) -> dict[str, str]:
        """Return the names of what there is, each with a sentence about it."""
        found: dict[str, str] = vars(self)["named"]()
        return found
