"""Worker processes, which answer questions about boards without blocking the server.

A worker answers one request at a time. If an answer takes too long, or nobody wants it any longer,
the worker is killed and another one begins, which builds the engines of its boards again.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from puzzlehunt.errors import PuzzlehuntError, in_own_file
from puzzlehunt.session.session import Session
from puzzlehunt.web.snapshot import Page, Upload, WorkerRequest, answer

_KEPT_SESSIONS = 8
"""Number of boards whose sessions, with their engines, a worker keeps."""
_NICE = 15
_MOST_WAITING = 300
_MOST_TRIES = 4
"""Attempts to answer a request if workers die meanwhile."""
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


class WorkerRequestError(PuzzlehuntError):
    """A request failed in a worker; `kind` is the class name of the error.

    `kind` is `BusyError` if too many requests wait or if the answer was interrupted.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind

    def __str__(self) -> str:
        return str(self.args[1])


class InterruptedAnswerError(WorkerRequestError):
    """An answer was interrupted: by a newer version, a time limit or the end of its worker."""


# In the worker.


def work(connection: Connection) -> None:
    """Answer the requests from a connection until the server ends.

    The pieces of each answer are sent, and then None or the error that ended the answer.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_server, daemon=True).start()
    os.nice(_NICE)
    sessions: dict[str, tuple[object, Session]] = {}
    with suppress(EOFError, OSError):
        while True:
            request, end = connection.recv(), None
            try:
                for piece in answer(request, _session(sessions, request)):
                    connection.send(piece)
            except Exception as error:  # noqa: BLE001 - sent to whoever asked
                kind, message = type(error).__name__, str(error)
                if isinstance(error, MemoryError | RecursionError):
                    message = "that is too much for one answer"
                elif not isinstance(error, PuzzlehuntError):
                    sessions.clear()
                    unexpected = f"this should not happen: {error!r:.200}"
                    kind, message = "UnexpectedError", in_own_file(error) or unexpected
                end = WorkerRequestError(kind, message)
            connection.send(end)


def _end_with_server() -> None:
    """End the process at once when the server's process has ended, even if it was killed."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(0)


def _session(sessions: dict[str, tuple[object, Session]], request: WorkerRequest) -> Session | None:
    """Return the session of a board: one kept from earlier requests, or a new one.

    An upload has none.
    """
    snapshot = request.snapshot
    if isinstance(request.question, Upload):
        return None
    game = (snapshot.reference, snapshot.settings)
    known_game, session = sessions.pop(snapshot.board, (None, None))
    if session is None or known_game != game:
        session = snapshot.session()
    sessions[snapshot.board] = game, session
    if len(sessions) > _KEPT_SESSIONS:
        del sessions[next(iter(sessions))]
    return session


# In the server.


class Job:
    """A request to the workers, and the pieces of its answer in order."""

    def __init__(self, request: WorkerRequest) -> None:
        self.request = request
        self.board = request.snapshot.board
        self.began: float | None = None
        """Time at which a worker began the request (seconds, of the loop); None before."""
        self.tries = 0
        self.messages: asyncio.Queue[Any] = asyncio.Queue()
        """The pieces of the answer, and then None or an error."""

    async def pieces(self) -> AsyncIterator[Any]:
        """Yield the pieces of the answer as they arrive. Raises WorkerRequestError."""
        while (message := await self.messages.get()) is not None:
            if isinstance(message, WorkerRequestError):
                raise message
            yield message

    async def result(self) -> Any:
        """Return the last piece of the answer, None if it has none. Raises WorkerRequestError."""
        last = None
        async for piece in self.pieces():
            last = piece
        return last

    def interrupt(self) -> None:
        """End the answer; workers do not try it again."""
        self.tries = _MOST_TRIES
        sentence = "the board changes too fast for an answer; ask again"
        self.messages.put_nowait(InterruptedAnswerError("BusyError", sentence))


class _Worker:
    """A worker process as the server sees it. Raises EOFError or OSError if it cannot start."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.boards: deque[str] = deque(maxlen=_KEPT_SESSIONS)
        """The boards of the worker's last requests, whose engines it may still have."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOADED)
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs,), daemon=True)
        with theirs:
            self.process.start()


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

    def close(self) -> None:
        """End the worker processes and interrupt the remaining jobs."""
        self.is_open = False
        for worker in list(self._workers):
            self._end(worker)
        for job in self._waiting:
            job.interrupt()

    def ask(self, request: WorkerRequest) -> Job:
        """Queue a request; return its job. If too many requests wait, the job fails at once."""
        job = Job(request)
        if len(self._waiting) >= _MOST_WAITING:
            sentence = "too many questions wait; ask again later"
            job.messages.put_nowait(WorkerRequestError("BusyError", sentence))
        else:
            self._waiting.append(job)
            self._assign()
        return job

    def cancel(self, job: Job) -> None:
        """Interrupt a waiting or running job; a finished one is not affected."""
        if job in self._waiting:
            self._waiting.remove(job)
            job.interrupt()
        for worker in self._workers:
            if worker.job is job:
                job.interrupt()
                worker.process.kill()

    def _start(self) -> None:
        """Start the worker processes that are missing, and give them the waiting jobs."""
        loop = asyncio.get_running_loop()
        try:
            while self.is_open and len(self._workers) < self._count:
                worker = _Worker()
                self._workers.append(worker)
                loop.add_reader(worker.connection.fileno(), self._read, worker)
        except (EOFError, OSError):
            loop.call_later(_PAUSE, self._start)
        self._assign()

    def _assign(self) -> None:
        """Give waiting jobs to idle workers, if possible to one that knows the board."""
        loop = asyncio.get_running_loop()
        while self._waiting and (idle := [one for one in self._workers if one.job is None]):
            job = self._waiting.popleft()
            knows = [one for one in idle if job.board in one.boards]
            worker = (knows or sorted(idle, key=lambda one: len(one.boards)))[0]
            worker.job, job.began, job.tries = job, loop.time(), job.tries + 1
            if job.board in worker.boards:
                worker.boards.remove(job.board)
            worker.boards.append(job.board)
            sections = _SECTIONS if isinstance(job.request.question, Page) else 1
            loop.call_later(job.request.seconds * sections + _PATIENCE, self.cancel, job)
            with suppress(OSError):  # then it has died, as `_read` sees
                worker.connection.send(job.request)

    def _read(self, worker: _Worker) -> None:
        """Pass on what a worker has sent; if it has died, another one takes its job."""
        try:
            while worker.connection.poll():
                message = worker.connection.recv()
                if worker.job is not None:
                    worker.job.messages.put_nowait(message)
                if message is None or isinstance(message, WorkerRequestError):
                    worker.job = None
                    self._assign()
        except (EOFError, OSError):
            self._end(worker)
            self._start()

    def _end(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        asyncio.get_running_loop().remove_reader(worker.connection.fileno())
        worker.process.kill()
        worker.process.join(1)
        worker.connection.close()
        if (job := worker.job) is not None and job.tries < _MOST_TRIES:
            self._waiting.appendleft(job)
        elif job is not None:
            job.interrupt()
