"""An interrupt, as of Ctrl-C, or a kill at any line of the package."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import puzzlehunt

PACKAGE = str(Path(puzzlehunt.__file__).parent)


def interrupted_everywhere(
    action: Callable[[], object], folder: str = "", step: int = 1
) -> Iterator[int]:
    """Do something again and again, interrupted once at a later line each time.

    Yields, after each time, at which line (from 1) it was interrupted, until it ends before the
    interrupt. Only lines below a folder of the package are counted; `step` lines are left out each
    time.
    """
    line = 1
    while True:
        with suppress(KeyboardInterrupt):
            _interrupt_at(line, action, str(Path(PACKAGE, folder)))
            return
        yield line
        line += step


def killed_everywhere(
    action: Callable[[], object], folder: str = "", step: int = 1
) -> Iterator[int]:
    """Do something again and again in processes of their own, killed at a later line each time.

    Yields as `interrupted_everywhere` does.
    """
    line = 1
    while True:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                _interrupt_at(line, action, str(Path(PACKAGE, folder)), _kill)
                code = 0
            finally:
                os._exit(code)
        status = os.waitpid(child, 0)[1]
        if not os.WIFSIGNALED(status):
            assert status == 0
            return
        yield line
        line += step


def interrupt_after(seconds: float) -> None:
    """Interrupt this process as Ctrl-C does, also where a shell runs it in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT)).start()


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _interrupt() -> None:
    raise KeyboardInterrupt


def _interrupt_at(
    line: int, action: Callable[[], object], folder: str, stop: Callable[[], None] = _interrupt
) -> None:
    left = line

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(folder):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                stop()
        return trace

    _traced(trace, action)


def _traced(trace: Callable[..., Any], action: Callable[[], object]) -> None:
    """Run an action with a trace function, and put the old one back."""
    old = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(old)
