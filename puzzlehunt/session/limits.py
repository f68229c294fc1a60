"""Limits of an answer: its time, its memory, the length of its lists.

An answer that reaches a limit is interrupted as by Ctrl-C. Engines, sessions and files stay valid
after an interrupt at any point.
"""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from puzzlehunt.errors import LimitError
from puzzlehunt.system import interrupt_main_thread, memory_held

DEFAULT_SECONDS = 10.0
"""Default limit of time (seconds)."""
LISTED_CANDIDATES = 20
"""Default number of candidates in a list."""
LONGEST_LIST = 100_000
"""All candidates of a board are listed if they are at most as many."""
LISTED_GUESSES = 5
"""Default number of guesses, marks, conflicts or suspects in a list."""
_MOST_BYTES = 1_000_000_000
"""An answer may take this much memory (bytes) beyond what the program held before."""
_PAUSE, _MEMORY_PAUSE = 0.1, 0.2
"""Delay of the first check of the clock, and of the first check of the memory (seconds)."""
_IMPORTING = {"<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>"}
"""The files of Python that import modules."""
_LONGEST_WHOLE = 30.0
"""Longest time for which an import may defer an interrupt (seconds): it may never end."""


class Watch:
    """Interrupts the main thread if an answer takes too much time or memory."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.reached = ""
        """The limit that was reached, such as `in 10 s`; empty if none was."""
        self.is_over = threading.Event()
        """Set once the answer is complete; no interrupt follows."""
        self._is_heard = False
        """Whether the main thread was interrupted."""
        self._put_off_at = 0.0
        """When an interrupt was first deferred; 0 if none is deferred."""

    @property
    def hint(self) -> str:
        """What to type to allow more time or memory: `--seconds 60 waits longer`."""
        if "memory" in self.reached:
            return "--seconds 0 sets no limit"
        return f"--seconds {6 * self.seconds:g} waits longer"

    def on_signal(self, _number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt, unless the answer is complete or an import has to finish."""
        if self.is_over.is_set() and self.reached and not self._is_heard:
            return  # It came too late.
        if self._has_to_wait(frame):
            self._put_off_at = self._put_off_at or time.monotonic()
            return
        self._put_off_at = 0.0
        self._is_heard = True
        raise KeyboardInterrupt

    def on_lost(self) -> None:
        """Note that Python discarded the interrupt, so that the signal is sent again."""
        self._is_heard = False
        self._put_off_at = time.monotonic()

    def _has_to_wait(self, frame: FrameType | None) -> bool:
        """Return whether something runs that could not be done again: an import, or numba's setup.

        numba enters its functions in a `refresh`, once.
        """
        is_late = self._put_off_at and time.monotonic() - self._put_off_at > _LONGEST_WHOLE
        while frame is not None:
            code = frame.f_code
            if code.co_name == "refresh" or (code.co_filename in _IMPORTING and not is_late):
                return True
            frame = frame.f_back
        return False

    def run(self) -> None:
        """Interrupt the main thread when a limit is reached, or a deferred interrupt is due."""
        begin, first_held = time.monotonic(), 0
        while not self.is_over.wait(_PAUSE):
            waited = time.monotonic() - begin
            held = memory_held() if waited >= _MEMORY_PAUSE else 0
            first_held = first_held or held
            if not (self.reached or self._put_off_at):
                if waited >= self.seconds:
                    self.reached = f"in {self.seconds:g} s"
                elif held - first_held > _MOST_BYTES:
                    self.reached = f"within {_MOST_BYTES / 1e9:g} GB of memory"
            if self._put_off_at or (self.reached and not self._is_heard):
                interrupt_main_thread()


_watches: list[Watch] = []
"""The watches of the limits that hold now, outermost first."""


@contextmanager
def limited(seconds: float) -> Iterator[Watch]:
    """Interrupt a block that takes more than `seconds` (0: no limit) or too much memory.

    Yields the watch, whose `reached` names the limit, if one was reached. Raises LimitError if the
    block did not catch the interrupt, and KeyboardInterrupt if the player pressed Ctrl-C. There is
    no limit outside the main thread, since only the main thread can be interrupted.
    """
    watch, before = Watch(seconds), signal.getsignal(signal.SIGINT)
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield watch
        return
    report_lost, thread = sys.unraisablehook, threading.Thread(target=watch.run, daemon=True)

    def on_lost(lost: "sys.UnraisableHookArgs") -> None:
        """Take an error that Python would print and drop, as in `__del__` and weak references."""
        if lost.exc_type is KeyboardInterrupt:
            watch.on_lost()
        else:
            report_lost(lost)

    sys.unraisablehook = on_lost
    signal.signal(signal.SIGINT, watch.on_signal)
    _watches.append(watch)
    try:
        thread.start()
        try:
            yield watch
        finally:
            watch.is_over.set()
    except KeyboardInterrupt as stop:
        if not watch.reached:
            raise
        # What was interrupted may say how far it came.
        reached = ": ".join(filter(None, [watch.reached, str(stop)]))
        raise LimitError(reached, watch.hint) from None
    finally:
        watch.is_over.set()
        thread.join()
        _watches.remove(watch)
        sys.unraisablehook = report_lost
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)


def extend_limit(seconds: float) -> None:
    """Extend the present answer's time limit to `seconds`, if it is the default limit."""
    for watch in _watches:
        if watch.seconds == DEFAULT_SECONDS:
            watch.seconds = max(watch.seconds, seconds)


def when_stopped() -> str:
    """Return what ended the present answer: the limit, such as `in 10 s`, or the player."""
    reached = [watch.reached for watch in _watches if watch.reached]
    return reached[0] if reached else "before it was stopped"
