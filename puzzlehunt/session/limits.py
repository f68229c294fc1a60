"""Limits: how long a person waits for an answer, and how much memory it may take.

What reaches a limit is interrupted as by Ctrl-C, which every engine, session and file withstands.
"""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from puzzlehunt.errors import LimitError

DEFAULT_SECONDS = 10.0
"""How long a person waits where nothing else is asked for (seconds)."""
_MOST_BYTES = 1_000_000_000
"""Most memory that an answer may take beyond what the program held before (bytes)."""
_STATM = Path("/proc/self/statm")
"""Where Linux says how many pages of memory the program holds."""
_PAUSE, _MEMORY_PAUSE = 0.1, 0.2
"""How long until the first look at the clock, and until the first at the memory (seconds)."""
_IMPORTING = {"<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>"}
"""The files of Python that import modules."""
_WHOLE = {"__del__", "refresh"}
"""Functions that are done whole: an error in the first is lost, numba's second is done once."""
_LONGEST_WHOLE = 30.0
"""How long an import may put off an interrupt (seconds): somebody's strategy may never end."""


class Watch:
    """Interrupts the main thread once an answer takes too long or too much memory."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.reached = ""
        """The limit that was reached: `in 10 s`; empty for none."""
        self._begin = time.monotonic()
        self._is_over = threading.Event()
        self._is_heard = False
        """Whether the main thread was interrupted."""
        self._put_off_at = 0.0
        """When an interrupt was put off first; 0 where none is."""
        self._held: int | None = None
        """The memory that the program held at the first look (bytes)."""
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def hint(self) -> str:
        """The option that lets an answer take longer than the limit."""
        if "memory" in self.reached:
            return "--seconds 0 sets no limit"
        return f"--seconds {6 * self.seconds:g} waits longer"

    def begin(self) -> None:
        """Start to watch."""
        self._thread.start()

    def answered(self) -> None:
        """Note that the answer is there; the main thread is not interrupted any more."""
        self._is_over.set()

    def end(self) -> None:
        """Stop to watch."""
        self.answered()
        self._thread.join()

    def hear(self, _number: int, frame: FrameType | None) -> None:
        """Take a signal in the main thread: raise KeyboardInterrupt where that ends the answer.

        What half an import or a deletion would leave behind is not done again; there the signal
        is put off, and comes again.
        """
        if self._is_over.is_set() and self.reached and not self._is_heard:
            return  # It came too late.
        if self._has_to_wait(frame):
            self._put_off_at = self._put_off_at or time.monotonic()
            return
        self._put_off_at = 0.0
        self._is_heard = True
        raise KeyboardInterrupt

    def lose(self) -> None:
        """Note that the interrupt was raised where Python drops errors; the signal comes again."""
        self._is_heard = False
        self._put_off_at = time.monotonic()

    def _has_to_wait(self, frame: FrameType | None) -> bool:
        """Return whether something runs that has to be done whole."""
        is_late = self._put_off_at and time.monotonic() - self._put_off_at > _LONGEST_WHOLE
        while frame is not None:
            code = frame.f_code
            if code.co_name in _WHOLE or (code.co_filename in _IMPORTING and not is_late):
                return True
            frame = frame.f_back
        return False

    def _run(self) -> None:
        """Send signals to the main thread from when a limit is reached or one was put off."""
        main_thread = threading.main_thread().ident
        assert main_thread is not None
        while not self._is_over.wait(_PAUSE):
            if self.reached and self._is_heard:
                continue
            if not self._put_off_at:
                self.reached = self.reached or self._reached_now()
            if self.reached or self._put_off_at:
                signal.pthread_kill(main_thread, signal.SIGINT)

    def _reached_now(self) -> str:
        """Return the limit that is reached at this moment, empty for none."""
        waited = time.monotonic() - self._begin
        if waited >= self.seconds:
            return f"in {self.seconds:g} s"
        if waited >= _MEMORY_PAUSE:
            held = memory_held()
            if self._held is None:
                self._held = held
            if held - self._held > _MOST_BYTES:
                return f"within {_MOST_BYTES / 1e9:g} GB of memory"
        return ""


def memory_held() -> int:
    """Return how much memory the program holds now, where Linux tells; else its most (bytes)."""
    import resource  # there is none on Windows

    with suppress(OSError):
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


_watches: list[Watch] = []
"""The watches of the limits that hold now, outermost first."""


@contextmanager
def limited(seconds: float) -> Iterator[Watch]:
    """Interrupt what takes longer than so many seconds or too much memory; 0 sets no limit.

    Yields the watch, which says whether a limit was reached. Raises LimitError where the interrupt
    was not caught, and KeyboardInterrupt for one by the player. Only the main thread can be
    interrupted: in others there is no limit.
    """
    watch, before = Watch(seconds), signal.getsignal(signal.SIGINT)
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield watch
        return
    report_lost = sys.unraisablehook

    def lose(lost: "sys.UnraisableHookArgs") -> None:
        """Take an error that Python would print and drop, as those of weak references are."""
        if lost.exc_type is KeyboardInterrupt:
            watch.lose()
        else:
            report_lost(lost)

    sys.unraisablehook = lose
    signal.signal(signal.SIGINT, watch.hear)
    _watches.append(watch)
    try:
        watch.begin()
        try:
            yield watch
        finally:
            watch.answered()
    except KeyboardInterrupt:
        if not watch.reached:
            raise
        raise LimitError(watch.reached, watch.hint) from None
    finally:
        watch.end()
        _watches.remove(watch)
        sys.unraisablehook = report_lost
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)


def allow(seconds: float) -> None:
    """Let the answer that is worked on take so many seconds, unless a limit was asked for."""
    for watch in _watches:
        if watch.seconds == DEFAULT_SECONDS:
            watch.seconds = max(watch.seconds, seconds)


def when_stopped() -> str:
    """Return when an answer ended that was interrupted: `in 10 s`, or by the player."""
    reached = [watch.reached for watch in _watches if watch.reached]
    return reached[0] if reached else "before it was stopped"
