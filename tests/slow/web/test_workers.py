"""Workers that die while they work: the server goes on with others."""

import asyncio
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest

from puzzlehunt.game.history import History
from puzzlehunt.session.changes import Question
from puzzlehunt.web.snapshot import BoardSnapshot, answer_of
from puzzlehunt.web.workers import WorkerRequestError, Workers
from servers import ServerProcess


def runs(process: psutil.Process) -> bool:
    """Return whether a process still runs; one that ended may not have been waited for yet."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def forkserver(server: ServerProcess) -> psutil.Process:
    children = psutil.Process(server.process.pid).children()
    return next(one for one in children if runs(one) and "forkserver" in " ".join(one.cmdline()))


def test_workers_that_are_killed_are_replaced_and_questions_answered(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "cryptic")
    try:
        board = server.api("cryptic")
        httpx.get(board, timeout=30)
        for top in range(6):
            parent = forkserver(server)
            parent.suspend()  # It must not begin a worker between this and its end.
            everybody = [*parent.children(), parent]
            nobody, workers_alone = everybody[:0], everybody[:-1]
            rounds = [nobody, workers_alone, everybody, everybody, everybody[::-1], everybody]
            for victim in rounds[top]:
                with suppress(psutil.NoSuchProcess):
                    victim.kill()
            with suppress(psutil.NoSuchProcess):
                parent.resume()
            answer = httpx.get(f"{board}/suggestions?top={top + 1}", timeout=30)
            assert len(answer.json()["suggestions"]) == top + 1
        workers = forkserver(server).children()
        assert workers
    finally:
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(20)
        assert time.monotonic() - began < 15
    assert not [worker for worker in workers if runs(worker)]
    assert "Traceback" not in server.folder.with_suffix(".log").read_text()


def test_a_worker_that_does_not_answer_in_time_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlehunt.web.workers._LONGEST", 3)
    request = BoardSnapshot("x", "2x3", {}, History()), answer_of, Question("candidates", 1)

    async def ask() -> None:
        workers = Workers(1)
        workers.all[0].start()
        assert (await workers.ask(*request))["count"] == 9
        for process in psutil.Process().children(recursive=True):
            if "forkserver" in " ".join(process.cmdline()) and not process.children():
                os.kill(process.pid, signal.SIGSTOP)
        with pytest.raises(WorkerRequestError, match="interrupted"):
            await workers.ask(*request)
        assert (await workers.ask(*request))["count"] == 9
        workers.all[0].end()

    asyncio.run(ask())


def test_no_worker_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "5x8")
    board = server.api("5x8")
    with suppress(httpx.TimeoutException):
        httpx.get(f"{board}/suggestions?top=5", timeout=0.3)
    begun = time.monotonic()
    while not forkserver(server).children():
        assert time.monotonic() < begun + 30
        time.sleep(0.05)
    family = psutil.Process(server.process.pid).children(recursive=True)
    server.process.kill()
    server.process.wait()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not [one for one in alive if runs(one)]
