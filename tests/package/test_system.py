"""What differs between systems: each branch, with the other system's answers forced."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from puzzlehunt import system
from puzzlehunt.engines.solvers import process
from puzzlehunt.errors import LimitError, PuzzlehuntError
from puzzlehunt.game.files.atomic import write_atomically
from puzzlehunt.session.limits import limited

OWN = "secret: {words: [CRANE, CHOSE, CLOSE]}\nrule: marks\n"
AS_ON_WINDOWS = """
import os, signal, sys
absent = ("fcntl", "resource", "termios")
saved = {name: sys.modules.pop(name, None) for name in absent}
sys.modules.update(dict.fromkeys(absent))
from puzzlehunt import system
for name in absent:
    del sys.modules[name]
del os.nice, signal.pthread_kill
assert not system.HAS_POSIX
sys.stdout.reconfigure(encoding="cp1252")
sys.stdin.reconfigure(encoding="cp1252")
from puzzlehunt.cli.main import main
main()
"""


@pytest.fixture(params=[True, False], ids=["posix", "windows"])
def is_posix(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Force a branch; True is the one of this system."""
    monkeypatch.setattr(system, "HAS_POSIX", request.param)
    if not request.param:
        monkeypatch.delattr(signal, "pthread_kill")
        monkeypatch.delattr(os, "nice")
    return bool(request.param)


def test_an_answer_is_interrupted_at_its_limit(is_posix: bool) -> None:
    def endless() -> None:
        with limited(0.1):
            while True:
                time.sleep(0.01)

    with pytest.raises(LimitError):
        endless()


def test_the_memory_held_is_that_of_the_process_or_unknown(
    is_posix: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (system.memory_held() > 10_000_000) == is_posix
    monkeypatch.setattr(system, "_STATM", Path("/nowhere"))
    peak = system.memory_held()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert system.memory_held() * 1024 == pytest.approx(peak, rel=0.01)


def test_files_may_be_opened_up_to_a_limit(is_posix: bool) -> None:
    assert system.raise_file_limit(64) >= 64
    assert is_posix or system.raise_file_limit(64) == 64


def test_workers_are_started_and_step_back_as_the_system_can(is_posix: bool) -> None:
    assert system.start_method() == ("forkserver" if is_posix else "spawn")
    assert system.start_method() in multiprocessing.get_all_start_methods()
    system.yield_processor(0)


def test_an_event_loop_reads_all_that_arrives_and_the_end(is_posix: bool) -> None:
    async def read() -> list[object]:
        ours, theirs = multiprocessing.Pipe()
        loop, read, is_over = asyncio.get_running_loop(), list[object](), asyncio.Event()

        def take() -> None:
            try:
                while ours.poll():
                    read.append(ours.recv())
            except EOFError:
                system.stop_reading(loop, ours)
                ours.close()
                is_over.set()

        system.start_reading(loop, ours, take)
        for number in range(3):
            theirs.send(number)
            await asyncio.sleep(0.01)
        theirs.close()
        await asyncio.wait_for(is_over.wait(), 10)
        return read

    assert asyncio.run(read()) == [0, 1, 2]


def test_another_process_is_interrupted_or_ended(is_posix: bool) -> None:
    waiting = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(waiting, **pipes) as running:
        assert running.stdout is not None
        running.stdout.readline()
        system.interrupt_process(running.pid)
        running.wait(10)
    assert running.returncode == (-signal.SIGINT if is_posix else -signal.SIGTERM)
    system.interrupt_process(running.pid)


def test_a_pipe_tells_whether_something_waits(is_posix: bool) -> None:
    ours, theirs = os.pipe()
    with os.fdopen(ours) as stream, os.fdopen(theirs, "w") as writer:
        assert not system.has_bytes_waiting(stream)
        print("HORSE B_WR_", file=writer, flush=True)
        assert system.has_bytes_waiting(stream) == is_posix


class HeldFile(type(Path())):  # type: ignore[misc]
    """A file that cannot be replaced while another program has it open."""

    tries = 3

    def replace(self, target: Path) -> Path:
        HeldFile.tries -= 1
        if HeldFile.tries > 0:
            raise PermissionError(13, "another program has the file open")
        return Path(super().replace(target))


def test_a_file_that_is_open_elsewhere_is_replaced_once_it_is_closed(
    is_posix: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "_REPLACE_PAUSE", 0)
    old, new = tmp_path / "old", HeldFile(tmp_path / "new")
    old.write_text("old")
    new.write_text("new")
    HeldFile.tries = 3
    if is_posix:
        with pytest.raises(PermissionError):
            system.replace_file(new, old)
    else:
        system.replace_file(new, old)
        assert old.read_text() == "new"
        HeldFile.tries = 100
        new.write_text("newer")
        with pytest.raises(PermissionError):
            system.replace_file(new, old)


def test_a_file_is_written_atomically(is_posix: bool, tmp_path: Path) -> None:
    for text in ("one", "two"):
        write_atomically(tmp_path / "game.yaml", text)
        assert [path.read_text() for path in tmp_path.iterdir()] == [text]


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("cryptic", "cryptic"),
        ("con", "file-con"),
        ("NUL", "file-NUL"),
        ("com1", "file-com1"),
        ("aux.2", "file-aux.2"),
        ("console", "console"),
        ("14:03", "14-03"),
        ('a<b>:"c"|?*', "a-b-c-"),
        ("../up", "-up"),
        ("ends. ", "ends"),
        ("", "file-"),
    ],
)
def test_a_file_has_a_name_that_every_system_takes(name: str, stem: str) -> None:
    assert system.file_stem(name) == stem
    assert system.file_stem(stem) == stem


def test_programs_are_solvers_on_posix_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "HAS_POSIX", False)
    with pytest.raises(PuzzlehuntError, match="--solver z3"):
        process.Process(None, "z3 -in", ["z3", "-in"])  # type: ignore[arg-type]


@pytest.mark.parametrize("own", ["cp1252", "utf-8"])
def test_a_pipe_is_utf_8_on_windows_unless_it_is_set(
    is_posix: bool, monkeypatch: pytest.MonkeyPatch, own: str
) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    assert system.pipe_encoding(own) == (own if is_posix else "utf-8")
    monkeypatch.setenv("PYTHONIOENCODING", own)
    assert system.pipe_encoding(own) == own


@pytest.mark.parametrize(
    ("arguments", "typed", "printed"),
    [
        (["games", "dordle"], "", "Guilherme S. Töws"),
        (["play", "own.yaml"], "CRANE 🟩⬛⬛⬛🟩\n/share\n", "🟩⬛⬛⬛🟩"),
    ],
    ids=["games", "play"],
)
def test_the_program_runs_without_what_windows_lacks_and_writes_utf_8(
    home: Path, arguments: list[str], typed: str, printed: str
) -> None:
    (home / "own.yaml").write_text(OWN)
    alone = {key: value for key, value in os.environ.items() if key != "PYTHONIOENCODING"}
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS, *arguments],
        input=typed.encode(), capture_output=True, env=alone, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert printed in done.stdout.decode()


def test_characters_that_a_code_page_lacks_are_escaped(home: Path) -> None:
    (home / "own.yaml").write_text(OWN)
    done = subprocess.run(
        [sys.executable, "-m", "puzzlehunt", "play", "own.yaml"],
        input="CRANE G...G\n/share\n".encode("cp1252"), capture_output=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )  # fmt: skip
    assert done.returncode == 0
    assert r"\U0001f7e9" in done.stdout.decode("cp1252")
