"""Worker processes, which answer questions about boards while the server goes on.

A worker answers one request at a time in its main thread, where a limit of time, or a newer version
of the board, can interrupt it as Ctrl-C would. One worker is always left for boards whose answers
are quick, so that a heavy board never keeps others waiting.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.session.limits import memory_held
from puzzlehunt.web.snapshot import Page, WorkerRequest, answer, open_session

_KEPT_SESSIONS = 8
"""How many boards' sessions, with what their engines know, a worker keeps."""
_MOST_REQUESTS = 200
"""How many requests a session answers before it is opened anew, without what it remembers."""
_MOST_BYTES = 500_000_000
"""Memory above which a worker is replaced after its answer (bytes)."""
_NICE = 15
"""Niceness of workers, so that the server itself comes first."""
_MOST_WAITING = 300
"""How many jobs may wait for a worker."""
_SECTIONS = 4
"""How many sections of a page, each with a limit of its own, one request makes at most."""
_PATIENCE = 3.0
"""How long an interrupted worker may take to stop before it is ended (seconds)."""
_STARTS, _PAUSE = 10, 0.05
"""How often a process is started before that is given up, and the pause between (seconds)."""
_PRELOADED = [
    "puzzlehunt.engines.choice", "puzzlehunt.explanation.certainty",
    "puzzlehunt.explanation.conflict", "puzzlehunt.explanation.review",
    "puzzlehunt.explanation.unread", "puzzlehunt.session.conversation",
    "puzzlehunt.strategies.adviser", "puzzlehunt.views.terminal", "puzzlehunt.views.json",
    "puzzlehunt.views.page.fragments", "puzzlehunt.web.snapshot",
]  # fmt: skip
"""Modules that every worker needs: loaded once, before the workers are forked."""
_HEAVY = 0.7
"""A board whose last answer took longer to compute is heavy (seconds)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of an answer."""

    value: Any


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an answer: what the worker holds (bytes), how long it computed (seconds).

    `error` and `message` are the class and the message of the error that ended it, "" for none.
    """

    memory: int = 0
    seconds: float = 0.0
    error: str = ""
    message: str = ""


_INTERRUPTED = Finished(error="KeyboardInterrupt")
_BUSY = Finished(error="BusyError", message="too many questions wait; ask again later")


class AnswerError(PuzzlehuntError):
    """A worker's error: `kind` is the name of the class that it had there."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class InterruptedAnswerError(AnswerError):
    """An answer was given up, for a newer version, or because its worker ended."""

    def __init__(self) -> None:
        super().__init__("BusyError", "the board changes too fast for an answer; ask again")


# In the worker.


def work(connection: Connection) -> None:
    """Answer requests from a connection until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    sessions: OrderedDict[str, Any] = OrderedDict()
    with contextlib.suppress(EOFError, OSError):
        while True:
            request, began = connection.recv(), time.process_time()
            error = _answer(connection, sessions, request)
            kind = "" if error is None else type(error).__name__
            message = "" if error is None else str(error)
            if isinstance(error, MemoryError | RecursionError):
                message = "that is too much for one answer"
            elif error is not None and not isinstance(error, PuzzlehuntError):
                sessions.pop(request.snapshot.board, None)
                if not isinstance(error, KeyboardInterrupt):
                    kind, message = "UnexpectedError", f"this should not happen: {error!r:.200}"
            seconds = time.process_time() - began
            connection.send(Finished(memory_held(), seconds, kind, message))


def _answer(
    connection: Connection, sessions: OrderedDict[str, Any], request: WorkerRequest
) -> BaseException | None:
    """Send the pieces of an answer, which an interrupt ends; return its error, None without one."""
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            for piece in answer(request, partial(_session, sessions)):
                connection.send(Piece(piece))
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - sent to whoever asked
        return error
    return None


def _session(sessions: OrderedDict[str, Any], request: WorkerRequest) -> Any:
    """Return the session of a request's board, which may be kept from the one before."""
    snapshot = request.snapshot
    game = (snapshot.reference, snapshot.settings)
    kept = sessions.pop(snapshot.board, None)
    if kept is None or kept[0] != game or kept[2] >= _MOST_REQUESTS:
        kept = [game, open_session(snapshot), 0]
    kept[2] += 1
    sessions[snapshot.board] = kept
    while len(sessions) > _KEPT_SESSIONS:
        sessions.popitem(last=False)
    return kept[1]


# In the server.


class Job:
    """A request that waits for a worker or is answered by one; its pieces come in order.

    `urgency` is 0 for what somebody has asked, 1 for a page, 2 for its details; `longest` is how
    long a worker may take (seconds).
    """

    def __init__(self, request: WorkerRequest, is_heavy: bool) -> None:
        question = request.question
        self.request = request
        self.is_heavy = is_heavy
        self.board = request.snapshot.board
        self.is_page = isinstance(question, Page)
        self.urgency = 1 + question.details if isinstance(question, Page) else 0
        self.longest = request.seconds * (_SECTIONS if self.is_page else 1)
        self.began: float | None = None
        """When a worker took it (seconds, monotonic); None while it waits."""
        self.is_cancelled = False
        self.messages: asyncio.Queue[Piece | Finished] = asyncio.Queue()

    async def pieces(self) -> AsyncIterator[Any]:
        """Yield the pieces. Raises AnswerError, InterruptedAnswerError."""
        while isinstance(message := await self.messages.get(), Piece):
            yield message.value
        if message.error == _INTERRUPTED.error:
            raise InterruptedAnswerError
        if message.error:
            raise AnswerError(message.error, message.message)

    async def result(self) -> Any:
        """Return the last piece. Raises AnswerError, InterruptedAnswerError."""
        last = None
        async for piece in self.pieces():
            last = piece
        return last


def _started() -> tuple[Connection, BaseProcess]:
    """Return a connection to a new worker process, and the process.

    What forks the processes is a process itself. Where it ends just then, another one is begun.
    Raises EOFError or OSError where that does not help.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    for tries_left in reversed(range(_STARTS)):
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs,), daemon=True)
        try:
            process.start()
            break
        except (EOFError, OSError):
            ours.close()
            if not tries_left:
                raise
            time.sleep(_PAUSE)
        finally:
            theirs.close()
    return ours, process


class _Worker:
    """One worker process, and the job that it answers."""

    def __init__(self, pool: "Workers") -> None:
        self._pool = pool
        self.job: Job | None = None
        self.boards: OrderedDict[str, None] = OrderedDict()
        """The boards that it answered last, whose engines it may still have."""
        self._connection, self._process = _started()
        self._loop = asyncio.get_running_loop()
        self._deadline: asyncio.TimerHandle | None = None
        """What interrupts a job that does not end by itself."""
        self._ending: asyncio.TimerHandle | None = None
        """What ends the process if an interrupt does not end its job."""
        self._loop.add_reader(self._connection.fileno(), self._read)

    def take(self, job: Job) -> None:
        """Begin to answer a job."""
        self.job, job.began = job, time.monotonic()
        self.boards[job.board] = None
        self.boards.move_to_end(job.board)
        while len(self.boards) > _KEPT_SESSIONS:
            self.boards.popitem(last=False)
        self._deadline = self._loop.call_later(job.longest + _PATIENCE, self.interrupt)
        try:
            self._connection.send(job.request)
        except OSError:
            self._pool.lost(self)

    def interrupt(self) -> None:
        """Give up the job that is answered; the worker is ended if it does not stop in time."""
        if self._process.pid is not None and self._ending is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGINT)
            self._ending = self._loop.call_later(_PATIENCE, self._process.kill)

    def finish(self, end: Finished) -> Job | None:
        """End the job that is answered; return it, None where there is none."""
        job, self.job = self.job, None
        for timer in (self._ending, self._deadline):
            if timer is not None:
                timer.cancel()
        self._ending = self._deadline = None
        if job is not None:
            job.messages.put_nowait(end)
        return job

    def end(self) -> None:
        """End the process and its job, if that was not done yet."""
        self.finish(_INTERRUPTED)
        if not self._connection.closed:
            self._loop.remove_reader(self._connection.fileno())
            self._connection.close()
            self._process.kill()
            self._process.join(1)

    def _read(self) -> None:
        try:
            while self._connection.poll():
                message = self._connection.recv()
                if isinstance(message, Finished):
                    self._pool.finished(self, message)
                elif self.job is not None:
                    self.job.messages.put_nowait(message)
        except (EOFError, OSError):
            self._pool.lost(self)


class Workers:
    """The worker processes, and the jobs that wait for them."""

    def __init__(self, count: int) -> None:
        self._count = max(2, count)
        self._workers: list[_Worker] = []
        self._waiting: deque[Job] = deque()
        self._seconds: dict[str, float] = {}
        """How long the newest answer was computed, by board (seconds)."""
        self.is_open = False

    def open(self) -> None:
        """Start the processes; called in the running event loop."""
        self.is_open = True
        self._workers = [_Worker(self) for _ in range(self._count)]

    def close(self) -> None:
        """End the processes; jobs that are left are given up."""
        self.is_open = False
        for worker in self._workers:
            worker.end()
        for job in self._waiting:
            job.messages.put_nowait(_INTERRUPTED)
        self._workers, self._waiting = [], deque()

    def ask(self, request: WorkerRequest, is_large: bool = False) -> Job:
        """Return the job of a request. `is_large` says that its game may be heavy."""
        known = self._seconds.get(request.snapshot.board, 1.0 if is_large else 0.0)
        job = Job(request, known > _HEAVY)
        if len(self._waiting) >= _MOST_WAITING:
            job.messages.put_nowait(_BUSY)
        else:
            self._waiting.append(job)
            self._assign()
        return job

    def cancel(self, job: Job) -> None:
        """Give a job up, whether it waits or is answered; nothing for one that is finished."""
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
        """Take a worker back that has finished its job."""
        job = worker.finish(end)
        if job is not None:
            known = self._seconds.get(job.board, 0.0) if job.is_cancelled else 0.0
            self._seconds[job.board] = max(known, end.seconds)
        if end.memory > _MOST_BYTES:
            self._replace(worker)
        self._assign()

    def lost(self, worker: _Worker) -> None:
        """Replace a worker whose process is gone."""
        worker.finish(_INTERRUPTED)
        if self.is_open:
            self._replace(worker)
            self._assign()

    def _replace(self, worker: _Worker) -> None:
        if worker in self._workers:
            worker.end()
            self._workers[self._workers.index(worker)] = _Worker(self)

    def _assign(self) -> None:
        """Give waiting jobs to idle workers: one page a board, not all workers to heavy ones."""
        while True:
            idle = [worker for worker in self._workers if worker.job is None]
            pages = {w.job.board for w in self._workers if w.job is not None and w.job.is_page}
            heavy = sum(worker.job is not None and worker.job.is_heavy for worker in self._workers)
            may_be_heavy = heavy < len(self._workers) - 1
            ready = (
                job
                for job in self._waiting
                if (may_be_heavy or not job.is_heavy) and not (job.is_page and job.board in pages)
            )
            job = min(ready, key=lambda job: job.urgency, default=None)
            if not idle or job is None:
                return
            self._waiting.remove(job)
            knows = [worker for worker in idle if job.board in worker.boards]
            (knows or sorted(idle, key=lambda worker: len(worker.boards)))[0].take(job)
