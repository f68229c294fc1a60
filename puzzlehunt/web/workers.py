"""Worker processes, which answer questions about boards without blocking the server.

A worker answers one request at a time. If an answer takes too long, or nobody wants it any longer,
the worker is killed and another one begins, which builds the engines of its boards again.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from puzzlehunt.errors import PuzzlehuntError, in_own_file
from puzzlehunt.session.session import Session
from puzzlehunt.web.snapshot import BoardSnapshot, Page, WorkerRequest, answer, open_session

_KEPT_SESSIONS = 8
"""Number of boards whose sessions, with their engines, a worker keeps."""
_NICE = 15
_MOST_WAITING = 300
_SECTIONS = 4
"""Largest number of sections of a page in one request; each has a time limit of its own."""
_PATIENCE = 3.0
"""Time after its limit for which an answer may go on; then its worker is killed (seconds)."""
_PAUSE = 0.1
"""Pause before a process is started again, if the fork server has ended meanwhile (seconds)."""
_PRELOADED = [
    "puzzlehunt.engines.choice", "puzzlehunt.explanation.certainty",
    "puzzlehunt.explanation.conflict", "puzzlehunt.explanation.review",
    "puzzlehunt.explanation.unread", "puzzlehunt.session.conversation",
    "puzzlehunt.strategies.adviser", "puzzlehunt.views.terminal", "puzzlehunt.views.json",
    "puzzlehunt.views.page.fragments", "puzzlehunt.web.snapshot",
]  # fmt: skip
"""Modules that every worker needs: loaded once, before the workers are forked."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The last message of a worker about a request: the request was answered, or it failed.

    `error` is the class name of the error that ended the answer and `message` its text; both are ""
    if there was none.
    """

    error: str = ""
    message: str = ""


_INTERRUPTED = Finished("KeyboardInterrupt")
"""The end of an answer whose worker has died or been closed, or that was cancelled."""
_BUSY = Finished("BusyError", "too many questions wait; ask again later")


class WorkerRequestError(PuzzlehuntError):
    """A request failed in a worker; `kind` is the class name of the error.

    `kind` is `BusyError` if too many requests wait or if the answer was interrupted.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class InterruptedAnswerError(WorkerRequestError):
    """An answer was interrupted: by a newer version, a time limit or the end of its worker."""

    def __init__(self) -> None:
        super().__init__("BusyError", "the board changes too fast for an answer; ask again")


# In the worker.


_Sessions: TypeAlias = OrderedDict[str, tuple[object, Session]]
"""For each board: its game, and its session."""


def work(connection: Connection) -> None:
    """Answer the requests from a connection, piece by piece, until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_server, daemon=True).start()
    os.nice(_NICE)
    sessions: _Sessions = OrderedDict()
    with suppress(EOFError, OSError):
        while True:
            request = connection.recv()
            end = Finished()
            try:
                for piece in answer(request, partial(_session, sessions)):
                    connection.send(piece)
            except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - sent to whoever asked
                end = Finished(type(error).__name__, str(error))
                if isinstance(error, MemoryError | RecursionError):
                    end = Finished(end.error, "that is too much for one answer")
                elif not isinstance(error, PuzzlehuntError):
                    sessions.pop(request.snapshot.board, None)
                    unexpected = f"this should not happen: {error!r:.200}"
                    end = Finished("UnexpectedError", in_own_file(error) or unexpected)
            connection.send(end)


def _end_with_server() -> None:
    """End the process at once when the server's process has ended, even if it was killed."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(0)


def _session(sessions: _Sessions, snapshot: BoardSnapshot) -> Session:
    """Return the session of a board: one kept from earlier requests, or a new one."""
    game = (snapshot.reference, snapshot.settings)
    known_game, session = sessions.pop(snapshot.board, (None, None))
    if session is None or known_game != game:
        session = open_session(snapshot)
    sessions[snapshot.board] = game, session
    while len(sessions) > _KEPT_SESSIONS:
        sessions.popitem(last=False)
    return session


# In the server.


class Job:
    """A request to the workers, and the pieces of its answer in order."""

    def __init__(self, request: WorkerRequest) -> None:
        self.request = request
        self.board = request.snapshot.board
        self.began: float | None = None
        """Time at which a worker began the request (seconds, of the loop); None before."""
        self.messages: asyncio.Queue[Any] = asyncio.Queue()
        """The pieces of the answer, and then a `Finished`."""

    async def pieces(self) -> AsyncIterator[Any]:
        """Yield the pieces of the answer as they arrive. Raises WorkerRequestError."""
        while not isinstance(message := await self.messages.get(), Finished):
            yield message
        if message.error == _INTERRUPTED.error:
            raise InterruptedAnswerError
        if message.error:
            raise WorkerRequestError(message.error, message.message)

    async def result(self) -> Any:
        """Return the last piece of the answer, None if it has none. Raises WorkerRequestError."""
        last = None
        async for piece in self.pieces():
            last = piece
        return last


class _Worker:
    """A worker process as the server sees it. Raises EOFError or OSError if it cannot start."""

    def __init__(self, pool: "Workers") -> None:
        self._pool = pool
        self.job: Job | None = None
        self.boards: deque[str] = deque(maxlen=_KEPT_SESSIONS)
        """The boards of the worker's last requests, whose engines it may still have."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOADED)
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs,), daemon=True)
        with theirs:
            self._process.start()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._connection.fileno(), self._read)

    def take(self, job: Job) -> None:
        self.job, job.began = job, self._loop.time()
        if job.board in self.boards:
            self.boards.remove(job.board)
        self.boards.append(job.board)
        sections = _SECTIONS if isinstance(job.request.question, Page) else 1
        self._loop.call_later(job.request.seconds * sections + _PATIENCE, self.drop, job)
        with suppress(OSError):  # then it has died, as `_read` sees
            self._connection.send(job.request)

    def drop(self, job: Job) -> None:
        """Kill the process, unless it has finished the job."""
        if self.job is job:
            self._process.kill()

    def finish(self, end: Finished) -> None:
        if self.job is not None:
            self.job.messages.put_nowait(end)
        self.job = None

    def end(self) -> None:
        self.finish(_INTERRUPTED)
        self._loop.remove_reader(self._connection.fileno())
        self._process.kill()
        self._process.join(1)
        self._connection.close()

    def _read(self) -> None:
        try:
            while self._connection.poll():
                message = self._connection.recv()
                if isinstance(message, Finished):
                    self.finish(message)
                    self._pool.assign()
                elif self.job is not None:
                    self.job.messages.put_nowait(message)
        except (EOFError, OSError):
            self._pool.replace(self)


class Workers:
    """The worker processes of a server, and the jobs that wait for one, the oldest first."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._workers: list[_Worker] = []
        self._waiting: deque[Job] = deque()
        self.is_open = False

    def open(self) -> None:
        """Start the worker processes. An event loop must be running."""
        self.is_open = True
        self._start()

    def _start(self) -> None:
        """Start the worker processes that are missing, and give them the waiting jobs."""
        try:
            while self.is_open and len(self._workers) < self._count:
                self._workers.append(_Worker(self))
        except (EOFError, OSError):
            asyncio.get_running_loop().call_later(_PAUSE, self._start)
        self.assign()

    def close(self) -> None:
        """End the worker processes and cancel the remaining jobs."""
        self.is_open = False
        for worker in self._workers:
            worker.end()
        for job in self._waiting:
            job.messages.put_nowait(_INTERRUPTED)
        self._workers, self._waiting = [], deque()

    def replace(self, worker: _Worker) -> None:
        """Start another worker instead of one that has died."""
        worker.end()
        self._workers.remove(worker)
        self._start()

    def ask(self, request: WorkerRequest) -> Job:
        """Queue a request; return its job. If too many requests wait, the job fails at once."""
        job = Job(request)
        if len(self._waiting) >= _MOST_WAITING:
            job.messages.put_nowait(_BUSY)
        else:
            self._waiting.append(job)
            self.assign()
        return job

    def cancel(self, job: Job) -> None:
        """Cancel a waiting or running job; a finished one is not affected."""
        if job in self._waiting:
            self._waiting.remove(job)
            job.messages.put_nowait(_INTERRUPTED)
        for worker in self._workers:
            worker.drop(job)

    def assign(self) -> None:
        """Give waiting jobs to idle workers, if possible to one that knows the board."""
        while self._waiting and (idle := [one for one in self._workers if one.job is None]):
            job = self._waiting.popleft()
            knows = [one for one in idle if job.board in one.boards]
            (knows or sorted(idle, key=lambda one: len(one.boards)))[0].take(job)
