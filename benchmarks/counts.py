"""How often the bounds on an estimated number of candidates hold; they promise 95 % at least.

Random rows of codes that can all be listed are answered as by a random secret; the candidates are
then counted, and estimated as if there were too many to list. Exit status 1 where the bounds hold
less often than promised over all cases.
"""

import argparse
import random
import sys

from report import table

from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn

_SIZES = {"4x6": 3, "4x10": 4, "5x6": 4, "5x8": 5, "5x10": 6, "6x4": 3, "6x6": 5, "6x8": 6,
          "7x5": 4, "8x4": 4, "8x5": 5, "10x3": 4}  # fmt: skip
"""Sizes, and the most rows of a game."""
_PROMISED = 0.95


def played(game: Game, most_rows: int, rng: random.Random) -> list[Turn]:
    """Return one to `most_rows` random rows, answered as by a random secret."""
    secret = game.secrets.random(rng)
    guesses = [game.guesses.random(rng) for _ in range(rng.randint(1, most_rows))]
    return [
        Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess))
        for guess in dict.fromkeys(guesses)
        if guess != secret
    ]


def main() -> int:
    """Print how often the bounds hold at each size, and over all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    lines, all_inside, all_cases = [], 0, 0
    for size, most_rows in _SIZES.items():
        game = load(size)
        engine, sampler = ExplicitEngine(game), Sampler(game)
        cases = inside = 0
        for seed in range(-(-asked.cases // len(_SIZES))):
            turns = played(game, most_rows, rng)
            engine.follow(turns)
            count, true = sampler.count(turns, seed), engine.count().exact
            assert true is not None
            assert count.high is not None
            cases, inside = cases + 1, inside + (count.low <= true <= count.high)
        lines.append([size, str(cases), f"{100 * inside / cases:.1f} %"])
        all_inside, all_cases = all_inside + inside, all_cases + cases
    lines.append(["all", str(all_cases), f"{100 * all_inside / all_cases:.1f} %"])
    print(table(["size", "cases", "bounds hold"], lines))
    return int(all_inside < _PROMISED * all_cases)


if __name__ == "__main__":
    sys.exit(main())
