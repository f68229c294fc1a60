"""The words of the readers in `examples/reach`, whatever language they are written in."""

import subprocess
from pathlib import Path

from tune_readers import DATA, FOLDER

ANSWERS = "0 0\n\n31 1\nx\n3 1 2\n0 6\n01\n0\t1\n5 0\n0 5\n5 5\n"
TUNES = ["AABBC", *["DDEEF"] * 7, "EFFGF", "found", "AABBC", "BBACA", "impossible", "AABBC"]


def check_words(command: list[str]) -> None:
    """Fail unless a reader answers good and bad lines, and files that are no trees, as said."""
    done = run(command, DATA, ANSWERS)
    assert (done.returncode, done.stdout.split()) == (0, TUNES)
    assert done.stderr == "expected GEARS TUMBLERS, such as 1 2\n" * 6
    for file in (FOLDER / "no-such-file", FOLDER / "tune.c"):
        done = run(command, file, "")
        assert (done.returncode > 0, done.stdout, done.stderr.count("\n")) == (True, "", 1)
        assert done.stderr.startswith("usage: ")


def run(command: list[str], file: Path, answers: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*command, str(file)], input=answers, capture_output=True, text=True, check=False
    )
