"""How well and how fast codes are found that are too many to list, by size and strategy.

The same seeded secrets for every strategy; nothing depends on a solver's choice.
"""

import argparse
import random
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from resource import RUSAGE_SELF, getrusage
from statistics import mean, median, stdev

from report import spread, table

from puzzlehunt.engines.base import open_engine
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.session.codemaker import open_codemaker, play_against
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.position import Budget


def play(size: str, strategy: str, budget: Budget, number: int) -> tuple[int, *tuple[float, ...]]:
    """Return how many guesses a numbered secret took, the seconds, those of a move, and the MB.

    Those of the slowest move are by the clock and of processor time.
    """
    game = load(size, [f"play.strategy={strategy}", "play.attempts=999"])
    rng = random.Random(number)
    codemaker = open_codemaker(game, game.secrets.random(rng), rng=rng)
    start = last = time.perf_counter()
    worked = time.process_time()
    engine, adviser, slowest, most_work = open_engine(game), Adviser(game), 0.0, 0.0
    for _ in play_against(codemaker, adviser, engine, rng, budget):
        now = time.perf_counter()
        slowest, last = max(slowest, now - last), now
        now = time.process_time()
        most_work, worked = max(most_work, now - worked), now
    megabytes = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.perf_counter() - start
    return len(codemaker.history.turns), seconds, slowest, most_work, megabytes


def row(size: str, strategy: str, budget: Budget, games: int, jobs: int) -> list[str]:
    with ProcessPoolExecutor(jobs) as pool:
        # A game first, so that loading and compiling are in nobody's time.
        list(pool.map(partial(play, "16x6", "entropy", Budget()), range(-jobs, 0)))
        played = list(pool.map(partial(play, size, strategy, budget), range(games)))
    guesses, seconds, slowest, most_work, megabytes = zip(*played, strict=True)
    reach = f" +- {1.96 * stdev(guesses) / sqrt(games):.2f}" if games > 1 else ""
    return [
        size,
        strategy,
        str(games),
        f"{mean(guesses):.2f}{reach}",
        str(max(guesses)),
        spread(seconds),
        f"{median(slowest):.2f} ({max(slowest):.2f})",
        f"{median(most_work):.2f} ({max(most_work):.2f})",
        f"{max(megabytes):.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", default=["10x6", "12x6", "16x6"])
    parser.add_argument("--strategies", nargs="+", default=["consistent", "entropy"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--budget", type=int, help="guesses evaluated for one move, if not all")
    parser.add_argument("--seconds", type=float, help="as if a person waited so long for a move")
    given = parser.parse_args()
    budget = Budget(given.budget, given.seconds)
    header = ["size", "strategy", "games", "average", "worst", "s a game", "slowest move"]
    header += ["processor", "MB"]
    rows = [
        row(size, strategy, budget, given.games, given.jobs)
        for size in given.sizes
        for strategy in given.strategies
    ]
    print(table(header, rows))


if __name__ == "__main__":
    main()
