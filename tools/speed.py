"""Processor time of the same commands in two commits, in turn.

usage: python tools/speed.py BASE [NEW] [--only TEXT] [--rounds N]      (NEW: HEAD)

Installs each commit once, in an environment that is kept in the folder for temporary files, and
runs the commands alternately after a warm-up of each. What counts is the ratio of the least user +
system times. Exit status 1 where a ratio is above the limit of its line.
"""

import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import NamedTuple


class Measured(NamedTuple):
    """A command, and how much slower it may be than before (a ratio)."""

    what: str
    command: str
    limit: float = 1.10
    is_single: bool = False  # one thread


def _lab(what: str, command: str) -> Measured:
    return Measured(what, f"lab run {command} --jobs 1", 1.05, True)


COMMANDS = [
    Measured("help", "--help"),
    Measured("first suggestion, half-read", "suggest cryptic -t HORSE:B_WR_"),
    Measured("first suggestion, words", "suggest wordle -t CRANE:GY..G"),
    Measured("first suggestion, opening book", "suggest nethack -t AABBC:1,1"),
    Measured("a hunt's log", "candidates heart-2018"),
    Measured("conflict and repairs", "explain mastermind -t RRGG:BBBB -t RRRR:WWWW"),
    Measured("16 positions", "suggest 16x6"),
    _lab("16x6, whole games", "16x6 --strategy consistent --secrets 60 --seed 9"),
    _lab("5x7 by entropy", "5x7 --strategy entropy --pool secrets --secrets all"),
    _lab("5x8 by entropy", "5x8 --strategy entropy --pool secrets --secrets all"),
    _lab("NetHack by parts", "nethack --strategy parts --opening AABBC"),
    _lab("4x8 proved", "4x8 --strategy optimal"),
    _lab("Bulls and Cows proved", "bulls-and-cows --strategy optimal"),
    _lab(
        "common words, hard mode",
        "wordle --words common --hard --strategy deep --budget 10 --opening SALET",
    ),
    _lab("common words, looking ahead", "wordle --words common --strategy deep"),
]


def installed(commit: str) -> Path:
    """Return the program of a commit, installed if it is not yet."""
    found = subprocess.run(
        ["git", "rev-parse", f"{commit}^{{commit}}"], capture_output=True, text=True, check=True
    )
    name = found.stdout.strip()
    folder = Path(tempfile.gettempdir()) / "puzzlehunt-speed" / name
    program = folder / "bin" / "puzzlehunt"
    if not program.exists():
        venv.create(folder, with_pip=True, clear=True)
        with tempfile.TemporaryDirectory() as source:
            archive = subprocess.run(["git", "archive", name], capture_output=True, check=True)
            subprocess.run(["tar", "-x", "-C", source], input=archive.stdout, check=True)
            project = tomllib.loads((Path(source) / "pyproject.toml").read_text(encoding="utf-8"))
            extras = {"lab", "fast"} & set(project["project"]["optional-dependencies"])
            what = f"{source}[{','.join(sorted(extras))}]" if extras else source
            subprocess.run([folder / "bin" / "pip", "install", "-q", what], check=True)
    return program


def seconds(program: Path, measured: Measured) -> float:
    """Return the processor time of one run (s). Raises LookupError where the command fails."""
    threads = {"NUMBA_NUM_THREADS": "1"} if measured.is_single else {}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [program, *shlex.split(measured.command)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1", **threads},
        stdin=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise LookupError(f"status {done.returncode}: {done.stderr.strip()[-120:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Print a ratio for each command."""
    parser = argparse.ArgumentParser(description="Processor time of two commits.")
    parser.add_argument("base")
    parser.add_argument("new", nargs="?", default="HEAD")
    parser.add_argument("--only", default="", help="commands that hold this text")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    programs = installed(asked.base), installed(asked.new)
    slower = 0
    for measured in COMMANDS:
        if asked.only not in f"{measured.what} {measured.command}":
            continue
        try:
            for program in programs:
                seconds(program, measured)
        except LookupError as error:
            print(f"left out: {measured.command}: {error}", flush=True)
            continue
        times = [[seconds(program, measured) for program in programs] for _ in range(asked.rounds)]
        base, new = (min(column) for column in zip(*times, strict=True))
        is_slower = new / base > measured.limit
        slower += is_slower
        print(
            f"{'SLOWER' if is_slower else '':6} {new / base:5.2f} (limit {measured.limit:.2f})  "
            f"{base:7.2f} s -> {new:7.2f} s  {measured.what}: {measured.command}",
            flush=True,
        )
    print(f"{slower} slower than they may be")
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main())
