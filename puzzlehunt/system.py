"""What differs between operating systems, in one place: signals, memory, processes and files.

Every function does the same on Linux, macOS and Windows, or says what it cannot do.
"""

import _thread
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    import asyncio
    from multiprocessing.connection import Connection

try:
    import fcntl
    import resource
    import termios
except ImportError:  # on Windows
    HAS_POSIX = False
else:
    HAS_POSIX = True

_STATM = Path("/proc/self/statm")
"""The file in which Linux says how many pages of memory the process holds."""
_REPLACE_TRIES, _REPLACE_PAUSE = 40, 0.05
"""Attempts to replace a file that another program has open, and the pause between (seconds)."""
_RESERVED = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]", re.IGNORECASE)
"""Names that are devices on Windows, whatever extension follows."""


# Signals and processes.


def interrupt_main_thread() -> None:
    """Interrupt the main thread as Ctrl-C does, from another thread."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main(signal.SIGINT)


def interrupt_process(number: int) -> None:
    """Interrupt another process as Ctrl-C does; on Windows, end it. It may be gone."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(number, signal.SIGINT if HAS_POSIX else signal.SIGTERM)


def yield_processor(steps: int) -> None:
    """Lower the priority of this process, where the system has one (`nice`)."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(steps)


def start_method() -> Literal["forkserver", "spawn"]:
    """Return the start method of `multiprocessing` for worker processes."""
    return "forkserver" if HAS_POSIX else "spawn"


def start_reading(
    loop: "asyncio.AbstractEventLoop", connection: "Connection", read: Callable[[], None]
) -> None:
    """Call `read` in an event loop each time something has arrived, until `stop_reading`.

    `read` takes all that has arrived. Event loops cannot wait for pipes on Windows: a thread does.
    """
    if HAS_POSIX:
        loop.add_reader(connection.fileno(), read)
    else:
        threading.Thread(target=_read, args=(loop, connection, read), daemon=True).start()


def _read(
    loop: "asyncio.AbstractEventLoop", connection: "Connection", read: Callable[[], None]
) -> None:
    was_read = threading.Event()

    def read_all() -> None:
        read()
        was_read.set()

    with suppress(OSError, RuntimeError):  # the connection or the loop is closed
        while not connection.closed:
            connection.poll(None)
            was_read.clear()
            loop.call_soon_threadsafe(read_all)
            was_read.wait()


def stop_reading(loop: "asyncio.AbstractEventLoop", connection: "Connection") -> None:
    """End what `start_reading` began, before the connection is closed."""
    if HAS_POSIX:
        loop.remove_reader(connection.fileno())


# Memory and files.


def memory_held() -> int:
    """Return the memory of the process (bytes): its size on Linux, its peak on macOS, else 0."""
    if not HAS_POSIX:
        return 0
    with suppress(OSError):
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def raise_file_limit(most: int) -> int:
    """Let the process open up to `most` files, if it may; return how many it may open now."""
    if not HAS_POSIX:
        return most
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = most if hard == resource.RLIM_INFINITY else min(hard, most)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return most if soft == resource.RLIM_INFINITY else soft


def has_bytes_waiting(stream: TextIO) -> bool:
    """Return whether a pipe has input to read, without reading it; False if nobody can tell."""
    if not HAS_POSIX:
        return False
    with suppress(OSError, ValueError):
        waiting = fcntl.ioctl(stream.fileno(), termios.FIONREAD, bytes(4))
        return any(waiting)
    return False


def pipe_encoding(encoding: str) -> str:
    """Return the encoding for a stream that is no terminal, whose own encoding is given.

    Windows gives such streams the code page of the console, in which a game file that `games`
    prints could not be read again: there they are UTF-8, unless PYTHONIOENCODING is set.
    """
    return encoding if HAS_POSIX or os.environ.get("PYTHONIOENCODING") else "utf-8"


def replace_file(new: Path, old: Path) -> None:
    """Rename `new` to `old`, which may exist.

    Windows refuses this while another program has `old` open; then it is tried again for two
    seconds. Raises OSError.
    """
    for _ in range(0 if HAS_POSIX else _REPLACE_TRIES):
        try:
            new.replace(old)
        except PermissionError:
            time.sleep(_REPLACE_PAUSE)
        else:
            return
    if HAS_POSIX or new.exists():
        new.replace(old)


def sync_folder(folder: Path) -> None:
    """Write a folder's entries to disk, so that a renamed file outlasts a crash (POSIX alone)."""
    if HAS_POSIX:
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def file_stem(name: str) -> str:
    """Return a file name, without its extension, that every operating system accepts.

    It is `name` with `-` in place of characters that paths reserve, and with `file-` before it if
    it is empty or the name of a device on Windows.
    """
    stem = re.sub(r'[\x00-\x1f<>:"/\\|?*]+', "-", name).strip(". ")
    is_device = _RESERVED.fullmatch(stem.partition(".")[0].strip())
    return f"file-{stem}" if is_device or not stem else stem
