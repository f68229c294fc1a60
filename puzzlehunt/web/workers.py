"""Worker processes, which answer questions about boards without blocking the server.

A worker does one thing at a time. If that takes too long, or nobody wants it any longer, it is
killed and another one begins, which builds the engines of its boards again.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.session.outcomes import Failed
from puzzlehunt.web.snapshot import LONGEST_ANSWER, BoardSnapshot

_LONGEST = LONGEST_ANSWER + 3.0
"""Time after which a worker without an answer is killed (seconds)."""


class WorkerRequestError(PuzzlehuntError):
    """A worker could not answer; `kind` is the name of its error's class.

    `kind` is `BusyError` if the answer was interrupted.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def work(connection: Connection) -> None:
    """Answer each request from a connection, a function to call, or say how it `Failed`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()
    os.nice(15)
    with suppress(EOFError, OSError):
        while True:
            snapshot, function, given = connection.recv()
            try:
                session = () if snapshot is None else (snapshot.session(),)
                answer = function(*session, *given)
            except PuzzlehuntError as error:
                answer = Failed(type(error).__name__, str(error))
            except Exception as error:  # noqa: BLE001 - sent to whoever asked
                answer = Failed("UnexpectedError", f"this should not happen: {error!r:.200}")
            connection.send(answer)


def _end_with_server() -> None:
    """End the process at once when the server's process has ended, even if it was killed."""
    if (server := multiprocessing.parent_process()) is not None:
        server.join()
    os._exit(0)


class _Worker:
    """A worker process as the server sees it, which begins again after it was killed."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._connection: Connection

    def start(self) -> None:
        """Start the process if none runs. Raises EOFError or OSError if that fails."""
        if self._process is None:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["puzzlehunt.web.snapshot"])
            self._connection, theirs = context.Pipe()
            process = context.Process(target=work, args=(theirs,), daemon=True)
            with theirs:
                process.start()
            self._process = process

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(1)
            self._connection.close()
            self._process = None

    async def ask(self, *request: object) -> Any:
        """Return the answer, or how it `Failed`; kill the process if nobody waits for it."""
        for _ in range(4):  # workers may die meanwhile
            try:
                self.start()
                self._connection.send(request)
                if await asyncio.to_thread(self._connection.poll, _LONGEST):
                    return self._connection.recv()
                self.end()
                break
            except BaseException as error:
                self.end()
                if not isinstance(error, EOFError | OSError):
                    raise
                await asyncio.sleep(0.1)  # the fork server may have died as well
        return Failed("BusyError", "the answer was interrupted; ask again")


class Workers:
    """The workers of a server. Whoever has waited longest has the next."""

    def __init__(self, count: int) -> None:
        self.all = [_Worker() for _ in range(count)]
        self._idle = list(self.all)
        self._free = asyncio.Semaphore(count)
        self._last: dict[str, _Worker] = {}
        """The worker that each board had last, and that may still have the board's engine."""

    async def ask(
        self, snapshot: BoardSnapshot | None, function: Callable[..., Any], *given: object
    ) -> Any:
        """Return what a function returns in a worker, called with the snapshot's session.

        Without a snapshot, it is called with `given` alone. Raises WorkerRequestError.
        """
        board = "" if snapshot is None else snapshot.board
        async with self._free:
            last = self._last.get(board)
            worker = self._last[board] = last if last in self._idle else self._idle[0]
            self._idle.remove(worker)
            try:
                answer = await worker.ask(snapshot, function, given)
            finally:
                self._idle.append(worker)
        if isinstance(answer, Failed):
            raise WorkerRequestError(answer.kind, answer.message)
        return answer
