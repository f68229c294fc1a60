"""Worker processes, which answer questions about boards without blocking the server.

A worker answers one request at a time in its main thread, so that a time limit or a newer version
of the board can interrupt it like Ctrl-C. One worker is always reserved for boards with fast
answers, so that slow boards never keep others waiting.
"""

import asyncio
import multiprocessing
import os
import signal
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from puzzlehunt.errors import PuzzlehuntError, in_own_file
from puzzlehunt.session.session import Session
from puzzlehunt.system import memory_held
from puzzlehunt.web.snapshot import BoardSnapshot, Page, WorkerRequest, answer, open_session

_KEPT_SESSIONS = 8
"""Number of boards whose sessions, with their engines, a worker keeps."""
_MOST_REQUESTS = 200
"""Requests that a session answers before a new session, with empty caches, replaces it."""
_MOST_BYTES = 500_000_000
"""Memory above which a worker is replaced after its answer (bytes)."""
_NICE = 15
_MOST_WAITING = 300
_SECTIONS = 4
"""Largest number of sections of a page in one request; each has a time limit of its own."""
_PATIENCE = 3.0
"""Time in which an interrupted worker has to stop; after it the process is killed (seconds)."""
_STARTS, _PAUSE = 10, 0.05
"""Attempts to start a process, and the pause between them (seconds)."""
_PRELOADED = [
    "puzzlehunt.engines.choice", "puzzlehunt.explanation.certainty",
    "puzzlehunt.explanation.conflict", "puzzlehunt.explanation.review",
    "puzzlehunt.explanation.unread", "puzzlehunt.session.conversation",
    "puzzlehunt.strategies.adviser", "puzzlehunt.views.terminal", "puzzlehunt.views.json",
    "puzzlehunt.views.page.fragments", "puzzlehunt.web.snapshot",
]  # fmt: skip
"""Modules that every worker needs: loaded once, before the workers are forked."""
_HEAVY = 0.7
"""Computing time of the last answer above which a board is heavy (seconds)."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The last message of a worker about a request: the request was answered, or it failed.

    `memory` is the memory that the worker uses (bytes), `seconds` the CPU time that the answer
    took. `error` is the class name of the error that ended the answer and `message` its text; both
    are "" if there was none.
    """

    memory: int = 0
    seconds: float = 0.0
    error: str = ""
    message: str = ""


_INTERRUPTED = Finished(error="KeyboardInterrupt")
"""The end of an answer whose worker has died or been closed, or that was cancelled."""
_BUSY = Finished(error="BusyError", message="too many questions wait; ask again later")


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


_Sessions: TypeAlias = OrderedDict[str, tuple[object, Session, int]]
"""For each board: its game, its session, and the number of requests of that session."""


def work(connection: Connection) -> None:
    """Answer the requests from a connection, piece by piece, until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.nice(_NICE)
    sessions: _Sessions = OrderedDict()
    with suppress(EOFError, OSError):
        while True:
            request, began = connection.recv(), time.process_time()
            kind = message = ""
            try:
                signal.signal(signal.SIGINT, signal.default_int_handler)
                try:
                    for piece in answer(request, partial(_session, sessions)):
                        connection.send(piece)
                finally:
                    signal.signal(signal.SIGINT, signal.SIG_IGN)
            except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - sent to whoever asked
                kind, message = type(error).__name__, str(error)
                if isinstance(error, MemoryError | RecursionError):
                    message = "that is too much for one answer"
                elif not isinstance(error, PuzzlehuntError):
                    sessions.pop(request.snapshot.board, None)
                    if not isinstance(error, KeyboardInterrupt):
                        unexpected = f"this should not happen: {error!r:.200}"
                        kind, message = "UnexpectedError", in_own_file(error) or unexpected
            seconds = time.process_time() - began
            connection.send(Finished(memory_held(), seconds, kind, message))


def _session(sessions: _Sessions, snapshot: BoardSnapshot) -> Session:
    """Return the session of a board: one kept from earlier requests, or a new one."""
    game = (snapshot.reference, snapshot.settings)
    known_game, session, count = sessions.pop(snapshot.board, (None, None, 0))
    if session is None or known_game != game or count >= _MOST_REQUESTS:
        session, count = open_session(snapshot), 0
    sessions[snapshot.board] = game, session, count + 1
    while len(sessions) > _KEPT_SESSIONS:
        sessions.popitem(last=False)
    return session


# In the server.


class Job:
    """A request to the workers, and the pieces of its answer in order.

    The request waits for a worker, is being answered, or is finished.
    """

    def __init__(self, request: WorkerRequest, is_heavy: bool) -> None:
        question = request.question
        self.request = request
        self.is_heavy = is_heavy
        self.board = request.snapshot.board
        self.urgency = 1 + question.details if isinstance(question, Page) else 0
        """0 for a question or a line, 1 for a page, 2 for a page's details; 0 goes first."""
        self.began: float | None = None
        """Time at which a worker began the request (seconds, monotonic); None before."""
        self.is_cancelled = False
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


def _started(tries: int = _STARTS) -> tuple[Connection, BaseProcess]:
    """Return a connection to a new worker process, and the process.

    If the fork server ends meanwhile, another one is started. Raises EOFError or OSError.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,), daemon=True)
    with theirs:
        try:
            process.start()
        except (EOFError, OSError):
            ours.close()
            if tries == 1:
                raise
        else:
            return ours, process
    time.sleep(_PAUSE)
    return _started(tries - 1)


class _Worker:
    def __init__(self, pool: "Workers") -> None:
        self._pool = pool
        self.job: Job | None = None
        self.boards: deque[str] = deque(maxlen=_KEPT_SESSIONS)
        """The boards of the worker's last requests, whose engines it may still have."""
        self._connection, self._process = _started()
        self._loop = asyncio.get_running_loop()
        self._deadline: asyncio.TimerHandle | None = None
        """Timer that interrupts a job which does not end by itself."""
        self._ending: asyncio.TimerHandle | None = None
        """Timer that kills the process if an interrupt does not end its job."""
        self._loop.add_reader(self._connection.fileno(), self._read)

    def take(self, job: Job) -> None:
        self.job, job.began = job, time.monotonic()
        if job.board in self.boards:
            self.boards.remove(job.board)
        self.boards.append(job.board)
        longest = job.request.seconds * (_SECTIONS if job.urgency else 1)
        self._deadline = self._loop.call_later(longest + _PATIENCE, self.interrupt)
        try:
            self._connection.send(job.request)
        except OSError:
            self._pool.finished(self, _INTERRUPTED)

    def interrupt(self) -> None:
        """Interrupt the running job; the worker is killed if it does not stop in time."""
        if self._process.pid is not None and self._ending is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGINT)
            self._ending = self._loop.call_later(_PATIENCE, self._process.kill)

    def finish(self, end: Finished) -> Job | None:
        job, self.job = self.job, None
        for timer in (self._ending, self._deadline):
            if timer is not None:
                timer.cancel()
        self._ending = self._deadline = None
        if job is not None:
            job.messages.put_nowait(end)
        return job

    def end(self) -> None:
        self.finish(_INTERRUPTED)
        if not self._connection.closed:
            self._loop.remove_reader(self._connection.fileno())
            self._process.kill()
            self._process.join(1)
            self._connection.close()

    def _read(self) -> None:
        try:
            while self._connection.poll():
                message = self._connection.recv()
                if isinstance(message, Finished):
                    self._pool.finished(self, message)
                elif self.job is not None:
                    self.job.messages.put_nowait(message)
        except (EOFError, OSError):
            self._pool.finished(self, _INTERRUPTED)


class Workers:
    """The worker processes of a server, and the jobs that wait for a worker."""

    def __init__(self, count: int) -> None:
        self._count = max(2, count)
        self._workers: list[_Worker] = []
        self._waiting: deque[Job] = deque()
        self._seconds: dict[str, float] = {}
        """CPU time of the newest answer about each board (seconds)."""
        self.is_open = False

    def open(self) -> None:
        """Start the worker processes. An event loop must be running."""
        self.is_open = True
        self._workers = [_Worker(self) for _ in range(self._count)]

    def close(self) -> None:
        """End the worker processes and cancel the remaining jobs."""
        self.is_open = False
        for worker in self._workers:
            worker.end()
        for job in self._waiting:
            job.messages.put_nowait(_INTERRUPTED)
        self._workers, self._waiting = [], deque()

    def ask(self, request: WorkerRequest) -> Job:
        """Queue a request; return its job. If too many requests wait, the job fails at once."""
        seconds = self._seconds.get(request.snapshot.board)
        is_heavy = request.snapshot.is_large if seconds is None else seconds > _HEAVY
        job = Job(request, is_heavy)
        if len(self._waiting) >= _MOST_WAITING:
            job.messages.put_nowait(_BUSY)
        else:
            self._waiting.append(job)
            self._assign()
        return job

    def cancel(self, job: Job) -> None:
        """Cancel a waiting or running job; a finished one is not affected."""
        if job.is_cancelled:
            return
        job.is_cancelled = True
        if job in self._waiting:
            self._waiting.remove(job)
            job.messages.put_nowait(_INTERRUPTED)
        for worker in self._workers:
            if worker.job is job:
                worker.interrupt()

    def finished(self, worker: _Worker, end: Finished) -> None:
        """Finish a worker's job with `end`; replace a worker that has died or uses much memory."""
        job, is_lost = worker.finish(end), end is _INTERRUPTED
        if job is not None and not is_lost:
            known = self._seconds.get(job.board, 0.0) if job.is_cancelled else 0.0
            self._seconds[job.board] = max(known, end.seconds)
        if self.is_open and worker in self._workers:
            if is_lost or end.memory > _MOST_BYTES:
                worker.end()
                self._workers[self._workers.index(worker)] = _Worker(self)
            self._assign()

    def _assign(self) -> None:
        """Give waiting jobs to idle workers.

        A board has at most one page job at a time, and heavy jobs leave one worker free.
        """
        while True:
            idle = [worker for worker in self._workers if worker.job is None]
            taken = [worker.job for worker in self._workers if worker.job is not None]
            pages = {job.board for job in taken if job.urgency}
            may_be_heavy = sum(job.is_heavy for job in taken) < len(self._workers) - 1
            ready = (
                job
                for job in self._waiting
                if (may_be_heavy or not job.is_heavy) and not (job.urgency and job.board in pages)
            )
            job = min(ready, key=lambda job: job.urgency, default=None)
            if not idle or job is None:
                return
            self._waiting.remove(job)
            knows = [worker for worker in idle if job.board in worker.boards]
            (knows or sorted(idle, key=lambda worker: len(worker.boards)))[0].take(job)
