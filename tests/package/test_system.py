"""What differs between systems: each branch, with the other system's answers forced."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from puzzlehunt import system
from puzzlehunt.errors import LimitError
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
del signal.pthread_kill
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
    monkeypatch.setattr(system, "Path", lambda _: Path("/nowhere"))
    assert (system.memory_held() > 10_000) == is_posix


def test_a_pipe_tells_whether_something_waits(is_posix: bool) -> None:
    ours, theirs = os.pipe()
    with os.fdopen(ours) as stream, os.fdopen(theirs, "w") as writer:
        assert not system.has_bytes_waiting(stream)
        print("HORSE B_WR_", file=writer, flush=True)
        assert system.has_bytes_waiting(stream) == is_posix


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("cryptic", "cryptic"),
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
