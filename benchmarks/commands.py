"""Seconds and memory of whole commands, each in a fresh process, all in turn.

This file itself imports nothing large: the memory that the system reports of a process is never
less than that of the process which started it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from report import spread, table

BARE = '''
import typer

app = typer.Typer()


@app.command()
def one(name: str = "x") -> None:
    """Do the one thing."""
    print(name)


@app.command()
def two(count: int = 1) -> None:
    """Do the other."""
    print(count)


if __name__ == "__main__":
    app()
'''

NETHACK = ["AABBC 1g1t", "ADEEF 1g2t", "AFGDA 1g2t"]
SUPER_MASTERMIND = ["RRGGB 1b 1w", "RYBOO 1b 1w"]


@dataclass
class Command:
    """A command, and what its runs took."""

    name: str
    arguments: list[str]
    fresh_cache: bool = False
    """Whether compiled kernels are to be compiled anew."""
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Run once and remember times and peak memory. Raises CalledProcessError."""
        with tempfile.TemporaryDirectory() as folder:
            cache = {"NUMBA_CACHE_DIR": folder} if self.fresh_cache else {}
            environment = os.environ | cache
            start = time.perf_counter()
            process = subprocess.Popen(
                self.arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
            assert process.stderr
            said = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, self.arguments, stderr=said)
        kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
        self.seconds.append(seconds)
        self.processor.append(usage.ru_utime + usage.ru_stime)
        self.megabytes.append(kilobytes / 1024)

    def row(self, base: "Command") -> list[str]:
        return [
            self.name,
            spread(self.seconds),
            f"{median(self.seconds) / median(base.seconds):.2f}",
            f"{max(self.megabytes):.0f}",
        ]


def turns(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in ("-t", line)]


def commands(folder: Path) -> list[Command]:
    """Return the commands to measure; the first is what the others are compared with."""
    bare = folder / "bare.py"
    bare.write_text(BARE, encoding="utf-8")
    program = [sys.executable, "-m", "puzzlehunt"]
    tournament = [*program, "lab", "run", "bulls-and-cows", "--strategy", "parts"]
    listed = [
        Command("a bare typer program: --help", [sys.executable, str(bare), "--help"]),
        Command("puzzlehunt --help", [*program, "--help"]),
        Command("suggest cryptic, 1 turn", [*program, "suggest", "cryptic", "-t", "HORSE B_WR_"]),
        Command(
            "suggest nethack, 1 turn, nothing compiled yet",
            [*program, "suggest", "nethack", *turns(NETHACK[:1])],
            fresh_cache=True,
        ),
    ]
    for name, lines in (("nethack", NETHACK), ("super-mastermind", SUPER_MASTERMIND)):
        for count in range(len(lines) + 1):
            said = f"suggest {name}, {count} turn{'' if count == 1 else 's'}"
            listed.append(Command(said, [*program, "suggest", name, *turns(lines[:count])]))
    return [
        *listed,
        Command("lab run bulls-and-cows, nothing compiled yet", tournament, fresh_cache=True),
        Command("lab run bulls-and-cows", tournament),
        Command("candidates cryptic", [*program, "candidates", "cryptic"]),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--runs", type=int, default=7, help="runs of each command")
    parser.add_argument("--only", default="", help="only commands with this in their name")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base, *others = commands(Path(folder))
        listed = [base, *(command for command in others if given.only in command.name)]
        # One round to warm up: bytecode, compiled kernels, the system's own cache of files.
        for number in range(given.runs + 1):
            for command in listed:
                command.run()
                if not number:
                    command.seconds.clear()
                    command.megabytes.clear()
    header = ["command", "seconds, median (range)", "bare typer = 1", "peak MB"]
    print(table(header, [command.row(base) for command in listed]))


if __name__ == "__main__":
    main()
