"""Kills of `play` at random moments: every row that was answered is in the file, which is whole.

usage: python benchmarks/kills.py [KILLS] [--seed N]

Starts `play` KILLS times (default 1,000) in a process of its own, types random rows into it, and
ends it by SIGKILL after a random time. A row is acknowledged once what it leaves was printed.
Exit status 1 if an acknowledged row is missing, or a file is not read back as a game.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import threading
from itertools import product
from pathlib import Path

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile

_ROWS = 40
_LONGEST_WAIT = 0.3
"""Longest time from the first answer to the kill (seconds)."""


def rows(rng: random.Random) -> list[str]:
    """Return different guesses of Mastermind."""
    codes = ["".join(code) for code in product("RGBYOP", repeat=4)]
    return rng.sample(codes, _ROWS)


def play_and_kill(file: Path, rng: random.Random) -> tuple[list[str], int]:
    """Play a new game in `file` until it is killed; return its guesses, and how many were answered.

    Nothing could be read of any answer, so that all rows agree.
    """
    guesses = rows(rng)
    command = [sys.executable, "-m", "puzzlehunt", "play", "mastermind", "--session", str(file)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    answered, is_row = 0, False
    timer = threading.Timer(rng.uniform(0, _LONGEST_WAIT), process.kill)
    process.stdin.write("".join(f"{guess} *\n" for guess in guesses))
    process.stdin.flush()
    for line in process.stdout:
        if not timer.is_alive() and not timer.finished.is_set():
            timer.start()
        if line.partition(".")[0].isdigit():
            is_row = True
        elif is_row and line.endswith(" left\n"):
            answered, is_row = answered + 1, False
    timer.join()
    process.stdin.close()
    process.wait()
    return guesses, answered


def problem_of(file: Path, guesses: list[str], answered: int) -> str:
    """Return what is wrong with a file after a kill; "" for nothing."""
    try:
        loaded = len(gamefile.load(str(file)).history.turns)
    except PuzzlehuntError as error:
        return f"broken: {error}"
    lines = file.read_text(encoding="utf-8").splitlines()
    kept = [line[2:6] for line in lines if line.startswith("- ")]
    if loaded != len(kept) or kept != guesses[: len(kept)]:
        return f"other rows: {kept}, not {guesses}"
    return "" if len(kept) >= answered else f"{answered} rows answered, {len(kept)} in the file"


def main() -> int:
    """Kill as often as asked; print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kills", nargs="?", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    problems = total = inside = 0
    for seed in range(asked.seed, asked.seed + asked.kills):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "s.yaml")
            guesses, answered = play_and_kill(file, random.Random(seed))
            problem = problem_of(file, guesses, answered)
        total, inside = total + answered, inside + (0 < answered < _ROWS)
        problems += bool(problem)
        if problem:
            print(f"seed {seed}: {problem}")
    print(f"{asked.kills} kills, {inside} of them between rows; {total} rows answered")
    print(f"{problems} with rows lost or a broken file")
    return int(problems > 0)


if __name__ == "__main__":
    sys.exit(main())
