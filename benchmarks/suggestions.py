"""Seconds for each suggestion of whole games with word lists and other large pools.

Each game is played against the same seeded secrets, with the budget of seconds that a person has,
in one process and without compiled kernels; the first suggestion lists all codes as well.
"""

import argparse
import random
import time
from collections.abc import Sequence

from report import spread, table

from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.engines.base import open_engine
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.session.codemaker import open_codemaker
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.position import Budget

GAMES = (
    "wordle", "absurdle", "lingo", "dordle", "quordle", "octordle", "warmle", "nerdle",
    "primel", "jotto", "grand",
)  # fmt: skip


def play(name: str, seed: int) -> tuple[list[float], int]:
    """Return the seconds of each suggestion of one game, and how many guesses it took."""
    start = time.perf_counter()
    game = load(name)
    rng = random.Random(seed)
    engine, adviser = open_engine(game), Adviser(game)
    budget = Budget(seconds=game.play.budget)
    codemaker = open_codemaker(game, None, rng=rng)
    engine.follow(codemaker.history)
    seconds: list[float] = []
    while not codemaker.is_over:
        start = start if not seconds else time.perf_counter()
        guess = adviser.advise(engine, 1, budget=budget).suggestions[0].code
        seconds.append(time.perf_counter() - start)
        engine.push(codemaker.answer(guess))
    return seconds, len(codemaker.history.turns)


def row(name: str, games: int) -> list[str]:
    first, later, guesses = [], [], []
    for seed in range(games):
        seconds, count = play(name, seed)
        first.append(seconds[0])
        later += seconds[1:]
        guesses.append(float(count))
    game = load(name).one_board
    secrets = game.secrets.size
    pool = game.guesses.size if isinstance(game.guesses, WordSpace) else secrets
    return [name, f"{secrets:,}", f"{pool:,}", spread(first), spread(later), spread(guesses, ".1f")]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--secrets", type=int, default=5, metavar="N", help="games of each")
    chosen = parser.parse_args(arguments)
    header = ["game", "secrets", "guesses", "first, with loading", "later", "rows to the end"]
    print(table(header, [row(name, chosen.secrets) for name in chosen.games]))


if __name__ == "__main__":
    main()
