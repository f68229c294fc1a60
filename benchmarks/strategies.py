"""How well the one-ply strategies play: every secret of a game, by the strategy's decision tree."""

import argparse

from report import table

from puzzlehunt.gamefile import load
from puzzlehunt.lab.tournament import run, summary
from puzzlehunt.partition import MEASURES

OPENINGS = {"nethack": "AABBC"}
"""Given first guesses; elsewhere the strategy chooses its own."""


def played(name: str, strategy: str, pool: str, ties: str) -> list[str]:
    """Return the row of a strategy against all secrets of a game."""
    settings = {"strategy": strategy, "pool": pool, "ties": ties, "opening": OPENINGS.get(name)}
    result = run(load(name).with_play(settings), name)
    until_played, until_known = summary(result.played), summary(result.known)
    return [
        name,
        strategy,
        OPENINGS.get(name, "its own"),
        f"{until_played['games']:,}",
        f"{until_played['total']:,}",
        f"{until_played['average']:.4f}",
        str(until_played["worst"]),
        f"{until_known['total']:,}",
        f"{result.seconds:.1f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=["4x6", "bulls-and-cows", "nethack"])
    parser.add_argument("--strategies", nargs="+", default=list(MEASURES), choices=list(MEASURES))
    parser.add_argument("--pool", default="secrets", choices=["candidates", "secrets", "all"])
    parser.add_argument("--ties", default="candidate", choices=["first", "candidate"])
    given = parser.parse_args()
    rows = [
        played(name, strategy, given.pool, given.ties)
        for name in given.games
        for strategy in given.strategies
    ]
    header = ["game", "strategy", "opening", "secrets", "guesses", "average", "worst"]
    print(table([*header, "until known", "seconds"], rows))


if __name__ == "__main__":
    main()
