"""Most memory that each command takes on each built-in game, each in a process of its own.

Each command has no row of the game and then three, the answers to random guesses. This file imports
nothing large: the memory that the system reports of a process is never less than that of the
process which started it. Exit status 1 where a command took more than 300 MB.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from report import table

GOAL = 300
"""Most memory that a command should take (MB)."""
_LARGEST = 12
"""How many commands are listed."""
_LIMIT = 120
"""After how long a command is killed (seconds)."""
_ROWS = """
import json, random, sys
from puzzlehunt.game.files.gamefile import built_in_games, load

said = {}
for name, path in built_in_games().items():
    game, rng = load(name), random.Random(int(sys.argv[1]))
    secret = game.secrets.random(rng)
    guesses = [game.guesses.random(rng) for _ in range(3)]
    clues = [game.rule.notation.full_clue(game.score(guess, secret), guess) for guess in guesses]
    rows = [f"{game.format_code(g)} {game.rule.notation.format(c)}" for g, c in zip(guesses, clues)]
    said[name] = [str(path), game.format_code(secret), game.format_code(guesses[0]), rows]
print(json.dumps(said))
"""
"""A program of its own, which prints random rows of all built-in games."""


@dataclass(frozen=True)
class Taken:
    """What a command was, the most memory that it took (MB), and how it ended."""

    command: str
    game: str
    megabytes: float
    status: int


def commands(path: str, name: str, secret: str, guess: str, rows: list[str]) -> list[list[str]]:
    """Return the arguments of all commands on a game; the last is a text to type, if any."""
    turns = [part for row in rows for part in ("-t", row)]
    played = ["--secrets", "3", "--budget", "50", "--seed", "1"]
    lines = "\n".join([*rows, "/candidates 5", "/next", "/certain", "/review", f"/why {secret}"])
    return [
        *([asked, name, *some, ""] for asked in ("suggest", "candidates") for some in ([], turns)),
        ["suggest", name, *turns, "--unread", ""],
        ["explain", name, *turns, ""],
        ["explain", name, *turns, secret, ""],
        ["review", name, *turns, ""],
        ["export", name, *turns, ""],
        ["check", path, ""],
        ["games", name, ""],
        ["score", name, secret, guess, ""],
        ["solve", name, "--secret", secret, "--budget", "50", ""],
        ["host", name, "--secret", secret, guess],
        ["play", name, lines],
        ["lab", "run", name, *played, "--jobs", "1", ""],
        ["lab", "compare", name, *played, "--strategy", "parts", "--strategy", "first", ""],
    ]


def taken(arguments: list[str], stdin: str, folder: Path) -> tuple[float, int]:
    """Run a command; return the most memory it took (MB), and its status, negative if killed."""
    (folder / "stdin").write_text(stdin, encoding="utf-8")
    with (folder / "stdin").open("rb") as given, (folder / "printed").open("wb") as printed:
        process = subprocess.Popen(
            [sys.executable, "-m", "puzzlehunt", *arguments],
            stdin=given, stdout=printed, stderr=printed,
        )  # fmt: skip
        timer = threading.Timer(_LIMIT, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    per_megabyte = 1_000_000 if sys.platform == "darwin" else 1_000_000 / 1024
    return usage.ru_maxrss / per_megabyte, process.returncode


def main() -> int:
    """Measure; print the largest, and the largest of each command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="of the rows")
    parser.add_argument("--only", default="", help="only games with this in their name")
    asked = parser.parse_args()
    rows = subprocess.run(
        [sys.executable, "-c", _ROWS, str(asked.seed)], check=True, capture_output=True, text=True
    )
    found: list[Taken] = []
    with tempfile.TemporaryDirectory() as name:
        for game, (path, *known) in json.loads(rows.stdout).items():
            for *arguments, stdin in commands(path, game, *known) if asked.only in game else ():
                megabytes, status = taken(arguments, stdin, Path(name))
                command = shlex.join(arguments)
                found.append(Taken(command, game, megabytes, status))
                if megabytes > GOAL or status not in (0, 1, 2, 3):
                    print(f"{megabytes:.0f} MB, status {status}: {command}", flush=True)
    found.sort(key=lambda one: -one.megabytes)
    listed = [[one.command, f"{one.megabytes:.0f}"] for one in found[:_LARGEST]]
    print(table(["command", "MB"], listed))
    above = sum(one.megabytes > GOAL for one in found)
    print(f"{len(found):,} commands, {above:,} above {GOAL} MB")
    return int(above > 0)


if __name__ == "__main__":
    sys.exit(main())
