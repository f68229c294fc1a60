"""Worker processes, which answer questions about boards while the server goes on.

A worker answers one task at a time in its main thread, where a limit of time, or a newer version of
the board, can interrupt it as Ctrl-C would. One worker is always left for boards whose answers are
quick, so that a heavy board never keeps others waiting.
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
from typing import Any

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.session.limits import memory_held
from puzzlehunt.web.snapshot import Page, WorkerRequest, answer, open_session

_KEPT_SESSIONS = 8
"""How many boards' sessions, with what their engines know, a worker keeps."""
_MOST_TASKS = 200
"""How many tasks a session answers before it is opened anew, without what it remembers."""
_MOST_BYTES = 500_000_000
"""Memory above which a worker is replaced after its task (bytes)."""
_NICE = 15
"""Niceness of workers, so that the server itself comes first."""
_MOST_WAITING = 300
"""How many jobs may wait for a worker."""
_SECTIONS = 4
"""How many parts of a page, each with a limit of its own, one task makes at most."""
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
class Failure:
    """The error that ended an answer: the name of its class, and its message."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an answer: what the worker holds (bytes), how long it computed (seconds)."""

    memory: int
    seconds: float = 0.0
    was_interrupted: bool = False


class AnswerError(PuzzlehuntError):
    """A worker's error, as it is told: `kind` is the name of the class that it had there."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.kind = failure.kind


class InterruptedAnswerError(PuzzlehuntError):
    """An answer was given up, for a newer version, or because its worker ended."""


# In the worker.


def work(connection: Connection) -> None:
    """Answer tasks from a connection until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    sessions: OrderedDict[str, Any] = OrderedDict()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        last: Any = None
        was_interrupted, began = False, time.process_time()
        try:
            _begin()
            try:
                for piece in answer(task, partial(_session, sessions)):
                    connection.send(Piece(piece))
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt:
            was_interrupted = True
            sessions.pop(task.snapshot.board, None)
        except PuzzlehuntError as error:
            last = Failure(type(error).__name__, str(error))
        except (MemoryError, RecursionError) as error:
            last = Failure(type(error).__name__, "that is too much for one answer")
        except Exception as error:  # noqa: BLE001 - told to whoever asked; the worker goes on
            sessions.pop(task.snapshot.board, None)
            last = Failure("UnexpectedError", f"this should not happen: {error!r:.200}")
        if last is not None:
            connection.send(last)
        seconds = time.process_time() - began
        connection.send(Finished(memory_held(), seconds, was_interrupted))


def _begin() -> None:
    """Let an interrupt end the task from now on."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _session(sessions: OrderedDict[str, Any], task: WorkerRequest) -> Any:
    """Return the session of a task's board, which may be kept from the task before."""
    snapshot = task.snapshot
    game = (snapshot.reference, snapshot.settings)
    kept = sessions.pop(snapshot.board, None)
    if kept is None or kept[0] != game or kept[2] >= _MOST_TASKS:
        kept = [game, open_session(snapshot), 0]
    kept[2] += 1
    sessions[snapshot.board] = kept
    while len(sessions) > _KEPT_SESSIONS:
        sessions.popitem(last=False)
    return kept[1]


# In the server.


class Job:
    """A task that waits for a worker or is answered by one; its pieces come in order."""

    def __init__(self, task: WorkerRequest, is_heavy: bool) -> None:
        self.task = task
        self.is_heavy = is_heavy
        self.began: float | None = None
        """When a worker took it (seconds, monotonic); None while it waits."""
        self.is_given_up = False
        self.messages: asyncio.Queue[Any] = asyncio.Queue()

    @property
    def board(self) -> str:
        """The board that the task is about."""
        return self.task.snapshot.board

    @property
    def is_page(self) -> bool:
        """Whether the answer is what a page shows, for which nobody has asked."""
        return isinstance(self.task.question, Page)

    @property
    def longest(self) -> float:
        """How long a worker may take for it (seconds): a page has several sections."""
        return self.task.seconds * (_SECTIONS if self.is_page else 1)

    @property
    def urgency(self) -> int:
        """How soon it should be answered: what somebody has asked (0), a page, its details (2)."""
        question = self.task.question
        return 1 + question.details if isinstance(question, Page) else 0

    async def pieces(self) -> AsyncIterator[Any]:
        """Yield the pieces. Raises AnswerError, InterruptedAnswerError."""
        failure: Failure | None = None
        while True:
            message = await self.messages.get()
            if isinstance(message, Piece):
                yield message.value
            elif isinstance(message, Failure):
                failure = message
            elif failure is not None:
                raise AnswerError(failure)
            elif message.was_interrupted:
                raise InterruptedAnswerError
            else:
                return

    async def result(self) -> Any:
        """Return the last piece. Raises AnswerError, InterruptedAnswerError."""
        last = None
        async for piece in self.pieces():
            last = piece
        return last


def _started() -> tuple[Any, Any]:
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
        self._ending: asyncio.TimerHandle | None = None
        """What ends the process if an interrupt does not end its job."""
        self._deadline: asyncio.TimerHandle | None = None
        """What interrupts a job that does not end by itself."""
        asyncio.get_running_loop().add_reader(self._connection.fileno(), self._read)

    def take(self, job: Job) -> None:
        """Begin to answer a job."""
        self.job, job.began = job, time.monotonic()
        self.boards[job.board] = None
        self.boards.move_to_end(job.board)
        while len(self.boards) > _KEPT_SESSIONS:
            self.boards.popitem(last=False)
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(job.longest + _PATIENCE, self.interrupt)
        try:
            self._connection.send(job.task)
        except OSError:
            self._lost()

    def interrupt(self) -> None:
        """Give up the job that is answered; the worker is ended if it does not stop in time."""
        if self._process.pid is not None and self._ending is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGINT)
            loop = asyncio.get_running_loop()
            self._ending = loop.call_later(_PATIENCE, self._process.kill)

    def end(self) -> None:
        """End the process, if that was not done yet."""
        if self._connection.closed:
            return
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._connection.fileno())
        self._forget_timers()
        self._connection.close()
        self._process.kill()
        self._process.join(1)

    def _forget_timers(self) -> None:
        for timer in (self._ending, self._deadline):
            if timer is not None:
                timer.cancel()
        self._ending = self._deadline = None

    def _read(self) -> None:
        try:
            while self._connection.poll():
                self._hear(self._connection.recv())
        except (EOFError, OSError):
            self._lost()

    def _hear(self, message: Any) -> None:
        job = self.job
        if job is not None:
            job.messages.put_nowait(message)
        if isinstance(message, Finished):
            self.job = None
            self._forget_timers()
            self._pool.finished(self, job, message)

    def _lost(self) -> None:
        """Tell that the process is gone."""
        job, self.job = self.job, None
        self._pool.lost(self, job)


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
            if worker.job is not None:
                worker.job.messages.put_nowait(Finished(0, was_interrupted=True))
            worker.end()
        for job in self._waiting:
            job.messages.put_nowait(Finished(0, was_interrupted=True))
        self._workers, self._waiting = [], deque()

    def ask(self, task: WorkerRequest, is_large: bool = False) -> Job:
        """Return the job of a task. `is_large` says that its game may be heavy."""
        board = task.snapshot.board
        is_heavy = self._seconds.get(board, 1.0 if is_large else 0.0) > _HEAVY
        job = Job(task, is_heavy)
        if len(self._waiting) >= _MOST_WAITING:
            job.messages.put_nowait(
                Failure("BusyError", "too many questions wait; ask again later")
            )
            job.messages.put_nowait(Finished(0))
            return job
        self._waiting.append(job)
        self._assign()
        return job

    def give_up(self, job: Job) -> None:
        """Give a job up, whether it waits or is answered; nothing for one that is finished."""
        if job.is_given_up:
            return
        job.is_given_up = True
        if job in self._waiting:
            self._waiting.remove(job)
            job.messages.put_nowait(Finished(0, was_interrupted=True))
            return
        for worker in self._workers:
            if worker.job is job:
                worker.interrupt()

    def finished(self, worker: _Worker, job: Job | None, end: Finished) -> None:
        """Take a worker back that has finished a job."""
        if job is not None:
            known = self._seconds.get(job.board, 0.0)
            self._seconds[job.board] = max(known, end.seconds) if job.is_given_up else end.seconds
        if end.memory > _MOST_BYTES:
            self._replace(worker)
        self._assign()

    def lost(self, worker: _Worker, job: Job | None) -> None:
        """Replace a worker whose process is gone."""
        if job is not None:
            job.messages.put_nowait(Finished(0, was_interrupted=True))
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
