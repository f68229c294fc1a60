"""What differs between systems: the program without what Windows lacks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cases import cases, unescaped
from puzzlehunt import system
from tests.support.program import Program

OWN = "secret: {words: [CRANE, CHOSE, CLOSE]}\nrule: marks\n"
AS_ON_WINDOWS = """
import os, signal, sys
absent = ("fcntl", "resource", "termios")
saved = {name: sys.modules.pop(name, None) for name in absent}
sys.modules.update(dict.fromkeys(absent))
from puzzlehunt import system
from tests.support.program import Program
for name in absent:
    del sys.modules[name]
del signal.pthread_kill
assert not system.HAS_POSIX
sys.stdout.reconfigure(encoding="cp1252")
sys.stdin.reconfigure(encoding="cp1252")
from puzzlehunt.cli.main import main
main()
"""


@pytest.mark.parametrize(("stem", "name"), cases("names of files"))
def test_a_file_has_a_name_that_every_system_takes(stem: str, name: str) -> None:
    assert system.file_stem(unescaped(name)) == stem
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


def test_the_program_multiplies_in_one_thread_unless_its_user_chose_and_the_library_never_asks(
    run: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    run("--version")
    assert os.environ["OPENBLAS_NUM_THREADS"] == "3"
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    run("--version")
    assert os.environ.pop("OPENBLAS_NUM_THREADS") == "1"
    code = "import os, puzzlehunt; known = {**os.environ}; puzzlehunt.candidates('2x2')"
    subprocess.run([sys.executable, "-c", f"{code}; assert known == os.environ"], check=True)
