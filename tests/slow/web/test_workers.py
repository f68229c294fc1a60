"""Workers that die while they work: the server goes on with others."""

import signal
import time
from contextlib import suppress
from pathlib import Path

import httpx
import psutil

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
