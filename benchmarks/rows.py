"""How long commands take on games of many rows, each in a process of its own.

The rows are different random guesses of 5x10 with the true answers to them; for `explain` also with
answers that were drawn at random, so that nearly all contradict each other. User seconds, since the
machine may be busy.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from report import table

from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game

_GAME = "5x10"


def rows(game: Game, number: int, is_true: bool) -> list[str]:
    """Return so many rows of a seeded game."""
    rng = random.Random(number)
    secret = game.secrets.random(rng)
    guesses = rng.sample([code for code in game.secrets if code != secret], number)
    lines = []
    for guess in guesses:
        answered = secret if is_true else game.secrets.random(rng)
        lines.append(game.format_turn(game.turn(guess, game.score(guess, answered))))
    return lines


def user_seconds(*arguments: str) -> float:
    """Return the user seconds of a command; it may end with status 1, as for a contradiction."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [sys.executable, "-m", "puzzlehunt", *arguments], check=False, capture_output=True
    )
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode())
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    """Print a table of commands and numbers of rows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="*", default=[100, 1_000, 10_000])
    parser.add_argument("--wrong", type=int, nargs="*", default=[100, 1_000])
    asked = parser.parse_args()
    game = load(_GAME)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        history, file = Path(folder, "rows.txt"), Path(folder, "game.yaml")
        for is_true, numbers in ((True, asked.rows), (False, asked.wrong)):
            for number in numbers:
                texts = rows(game, number, is_true)
                history.write_text("\n".join(texts))
                turns = "".join(f"- {text}\n" for text in texts)
                file.write_text(f"game: {_GAME}\nturns:\n{turns}")
                for name, arguments in {
                    "suggest": ["suggest", _GAME, "--history", str(history)],
                    "explain": ["explain", _GAME, "--history", str(history)],
                    "check": ["check", str(file)],
                }.items():
                    seconds = user_seconds(*arguments, "--seconds", "0")
                    kind = "true" if is_true else "random"
                    lines.append([name, kind, f"{number:,}", f"{seconds:.1f}"])
    print(table(["command", "answers", "rows", "user seconds"], lines))


if __name__ == "__main__":
    main()
