"""Limits of an answer: the length of its lists, and its time, which ends it as Ctrl-C would."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from puzzlehunt.errors import LimitError
from puzzlehunt.system import interrupt_main_thread

DEFAULT_SECONDS = 10.0
"""Default limit of time (seconds)."""
LISTED_CANDIDATES = 20
"""Default number of candidates in a list."""
LONGEST_LIST = 100_000
"""So many candidates are listed at most if all are asked for."""
LISTED_GUESSES = 5
"""Default number of guesses, marks, conflicts or suspects in a list."""
_PAUSE = 0.1
"""Time between two looks at the clock (seconds)."""


def longest_wait(budget: float, seconds: float | None = None) -> float:
    """Return the time limit of an answer: the default one leaves time for two `budget`s."""
    return seconds if seconds not in (None, DEFAULT_SECONDS) else max(DEFAULT_SECONDS, 2 * budget)


class Watch:
    """Interrupts the main thread if an answer takes too much time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.reached = ""
        """The limit that was reached, such as `in 10 s`; empty if it was not."""
        self.is_over = threading.Event()
        """Set once the answer is complete; no interrupt follows."""
        self._is_heard = False
        """Whether the main thread was interrupted."""

    def on_signal(self, _number: int, _frame: object) -> None:
        """Raise KeyboardInterrupt, unless it comes when the answer is complete."""
        if self.is_over.is_set() and self.reached and not self._is_heard:
            return
        self._is_heard = True
        raise KeyboardInterrupt

    def on_lost(self, lost: "sys.UnraisableHookArgs") -> None:
        """Take an error that Python drops, as in `__del__`: the interrupt is sent again."""
        if lost.exc_type is KeyboardInterrupt:
            self._is_heard = False
        else:
            sys.__unraisablehook__(lost)

    def run(self) -> None:
        """Interrupt the main thread when the limit is reached."""
        begin = time.monotonic()
        while not self.is_over.wait(_PAUSE):
            if time.monotonic() - begin >= self.seconds and not self._is_heard:
                self.reached = f"in {self.seconds:g} s"
                interrupt_main_thread()


@contextmanager
def limited(seconds: float, longer: str = "--seconds ") -> Iterator[Watch]:
    """Interrupt a block that takes more than `seconds` (0: no limit).

    Yields the watch. Raises LimitError, which proposes the option `longer`, if the block did not
    catch the interrupt, and KeyboardInterrupt if the player pressed Ctrl-C. There is no limit
    outside the main thread, which alone can be interrupted.
    """
    watch = Watch(seconds)
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield watch
        return
    handler, hook = signal.signal(signal.SIGINT, watch.on_signal), sys.unraisablehook
    sys.unraisablehook = watch.on_lost
    thread = threading.Thread(target=watch.run, daemon=True)
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
        raise LimitError(reached, f"{longer}{6 * watch.seconds:g} waits longer") from None
    finally:
        watch.is_over.set()
        thread.join()
        sys.unraisablehook = hook
        signal.signal(signal.SIGINT, handler or signal.SIG_DFL)
