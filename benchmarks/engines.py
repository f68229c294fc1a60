"""Every engine at the same tasks, on the same seeded rows: seconds, opening the engine included.

*Three rows* asks whether anything is left after them, *10 candidates* lists the first of them,
*a game* draws one candidate a row until it is the secret, and *a conflict* finds the first of 12
rows that contradicts those before it, where the tenth was answered for another secret.
"""

import argparse
import random
import signal
import time
from collections.abc import Callable
from itertools import islice

from report import spread, table

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import open_engine
from puzzlehunt.errors import TooLargeError
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.play import ENGINES


def told(game: Game, guess: Code, secret: Code) -> Turn:
    return Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess))


def rows(game: Game, secret: Code, rng: random.Random) -> list[Turn]:
    """Return three rows that are true of a secret."""
    guesses = [game.secrets.random(rng) for _ in range(3)]
    return [told(game, guess, secret) for guess in guesses if guess != secret]


def opened(engine: str, game: Game, secret: Code, rng: random.Random) -> None:
    """Open an engine and ask whether there is any candidate after three rows."""
    known = open_engine(game, engine)
    known.follow(rows(game, secret, rng))
    assert known.satisfiable()


def played(engine: str, game: Game, secret: Code, rng: random.Random) -> None:
    """Play a game to its end."""
    known = open_engine(game, engine)
    while (guess := known.sample(1, rng).codes[0]) != secret:
        known.push(told(game, guess, secret))


def listed(engine: str, game: Game, secret: Code, rng: random.Random) -> None:
    """List the first ten candidates after three rows."""
    known = open_engine(game, engine)
    known.follow(rows(game, secret, rng))
    assert all(code in known for code in islice(known.candidates(), 10))


def contradicted(engine: str, game: Game, secret: Code, rng: random.Random) -> None:
    """Find the first of twelve rows that contradicts those before."""
    known, other = open_engine(game, engine), game.secrets.random(rng)
    for number in range(12):
        known.push(told(game, game.secrets.random(rng), other if number == 9 else secret))
    place = known.first_conflict()
    assert place is None or place >= 9


TASKS: dict[str, Callable[[str, Game, Code, random.Random], None]] = {
    "three rows": opened,
    "a game": played,
    "10 candidates": listed,
    "a conflict": contradicted,
}


def cell(task: str, engine: str, game: Game, games: int, limit: float) -> str:
    """Return the seconds that a task takes, over some seeded secrets, each within a limit."""
    seconds = []
    for number in range(-1, games):  # the first is not counted: modules are loaded and compiled
        rng = random.Random(number)
        secret = game.secrets.random(rng)
        began = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            TASKS[task](engine, game, secret, rng)
        except TooLargeError:
            return "too large"
        except KeyboardInterrupt:
            return f"over {limit:.0f}"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        seconds.append(time.perf_counter() - began)
    return spread(seconds[1:], ".3f")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--sizes", nargs="+", default=["4x6", "8x6", "16x6", "wordle"])
    parser.add_argument("--games", type=int, default=5, help="games a size")
    parser.add_argument("--limit", type=float, default=20, help="seconds that a task may take")
    given = parser.parse_args()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    engines = [name for name in ENGINES if name != "auto"]
    found = []
    for size in given.sizes:
        game = load(size, ["secret.words=common"] if size == "wordle" else [])
        for task in TASKS:
            cells = [cell(task, engine, game, given.games, given.limit) for engine in engines]
            found.append([size, task, *cells])
    print(table(["game", "task", *engines], found))


if __name__ == "__main__":
    main()
