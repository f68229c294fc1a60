"""Average guesses of the default strategy in every built-in game.

All secrets where that is quick, else a seeded sample, as `puzzlehunt lab run GAME --secrets N`
plays them. What the codemaker gives at the start is not counted as a guess.
"""

import argparse
import math
import sys
import time
from collections.abc import Sequence

from report import table

from puzzlehunt.game.files.gamefile import built_in_games, load
from puzzlehunt.game.game import Game
from puzzlehunt.lab.tournament import run

ALL_OF = 5_100
"""All secrets are played where there are no more."""
SAMPLES = {"nethack": 1000, "grand": 20}
A_SAMPLE = 300
ONE_BY_ONE = 100
"""Games that are played one by one and not as a tree."""


def games_of(name: str, game: Game) -> int | None:
    """Return how many secrets to play, None for all."""
    if game.host.adversarial:
        return None
    one_by_one = game.channel.weighs or game.boards > 1
    if one_by_one or "row" in game.host.gives or "letters" in game.host.gives:
        return ONE_BY_ONE
    return None if game.secrets.size <= ALL_OF else SAMPLES.get(name, A_SAMPLE)


def row(name: str) -> list[str]:
    game = load(name)
    start = time.perf_counter()
    result = run(game, name=name, secrets=games_of(name, game))
    played = result.played
    seconds = time.perf_counter() - start
    given = sum(gift in ("row", "letters") for gift in game.host.gives)
    limit = math.inf if game.play.attempts is None else game.play.attempts - given
    won = sum(times for n, times in played.items() if n <= limit) / played.total()
    strategy = result.game.play.strategy_name
    return [
        f"`{name}`", strategy, f"{played.total():,}", f"{result.summary('played').average:.3f}",
        str(max(played)), "" if math.isinf(limit) else f"{limit}", f"{won:.1%}", f"{seconds:.0f}",
    ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(built_in_games()), metavar="GAME")
    chosen = parser.parse_args(arguments)
    header = ["game", "strategy", "games", "average", "worst", "allowed", "won", "seconds"]
    rows = []
    for name in chosen.games:
        if name != "heart-2018":
            rows.append(row(name))
            print(*rows[-1], file=sys.stderr)
    print(table(header, rows))


if __name__ == "__main__":
    main()
