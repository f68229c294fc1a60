"""How well the one-ply strategies play: every secret of a game, by the strategy's decision tree."""

import argparse
import time

from report import table

from puzzlehunt.game.files.gamefile import load
from puzzlehunt.lab.tournament import run
from puzzlehunt.strategies.measures import MEASURES

OPENINGS = {"nethack": "AABBC"}
"""Given first guesses; elsewhere the strategy chooses its own."""


def played(name: str, strategy: str, pool: str, ties: str, runs: int) -> list[str]:
    """Return the row of a strategy against all secrets of a game; times are those of the best run.

    Processor time counts all cores.
    """
    settings = {"strategy": strategy, "pool": pool, "ties": ties, "opening": OPENINGS.get(name)}
    seconds, processor = [], []
    for _ in range(runs):
        begun = time.process_time()
        result = run(load(name).with_play(settings), name=name)
        processor.append(time.process_time() - begun)
        seconds.append(result.seconds)
    until_played, until_known = result.summary("played"), result.summary("known")
    return [
        name,
        strategy,
        OPENINGS.get(name, "its own"),
        f"{len(result.secrets):,}",
        f"{until_played.total:,}",
        f"{until_played.average:.4f}",
        str(until_played.worst),
        f"{until_known.total:,}",
        f"{min(seconds):.2f}",
        f"{min(processor):.2f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=["4x6", "bulls-and-cows", "nethack"])
    parser.add_argument("--strategies", nargs="+", default=list(MEASURES), choices=list(MEASURES))
    parser.add_argument("--pool", default="secrets", choices=["candidates", "secrets", "all"])
    parser.add_argument("--ties", default="candidate", choices=["first", "candidate"])
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    rows = [
        played(name, strategy, given.pool, given.ties, given.runs)
        for name in given.games
        for strategy in given.strategies
    ]
    header = ["game", "strategy", "opening", "secrets", "guesses", "average", "worst"]
    print(table([*header, "until known", "seconds", "CPU"], rows))


if __name__ == "__main__":
    main()
