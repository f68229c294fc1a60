"""How well guesses are chosen where answers are half read or false, beside play that only filters.

Both strategies meet the same secrets with the same luck: which marks are read, and which lie.
"""

import argparse
import random
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice

from report import table

from puzzlehunt.engines.base import open_engine
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.session.codemaker import open_codemaker, play_against
from puzzlehunt.strategies.adviser import Adviser

OF_A_HUNT = ["reads={black: 0.10, white: 0.13, miss: 0.51}"]
GAMES: dict[str, tuple[str, list[str], list[str]]] = {
    "cryptic": ("cryptic", [], OF_A_HUNT),
    "cryptic, rates known": ("cryptic", OF_A_HUNT, OF_A_HUNT),
    "fibble, standard list": ("fibble", ["secret.words=standard", "play.attempts=50"], []),
    "fibble, common list": ("fibble", ["secret.words=common", "play.attempts=50"], []),
    "liar": ("liar", ["play.attempts=50"], []),
}
"""For each line: a game, its settings, and what else is true of how it is answered."""
Played = tuple[int, float]
"""How many guesses a game took, and the seconds of its slowest suggestion."""


def game_of(name: str, strategy: str, seed: int, answered: bool = False) -> Game:
    """Return a game as it is played, or as it is answered."""
    known, settings, truth = GAMES[name]
    own = [*settings, *(truth if answered else [])]
    return load(known, [*own, f"play.strategy={strategy}", f"play.seed={seed}"])


def play(name: str, strategy: str, seed: int, every: bool, number: int) -> Played:
    """Return how a game with a numbered secret went: one in order with `every`, else one drawn."""
    game = game_of(name, strategy, seed)
    rng = random.Random(f"{seed}:{number}")
    drawn = game.secrets.random(rng)
    secret = next(islice(game.secrets, number, None)) if every else drawn
    codemaker = open_codemaker(game_of(name, strategy, seed, answered=True), secret, rng=rng)
    engine, adviser = open_engine(game), Adviser(game)
    slowest, last = 0.0, time.perf_counter()
    for _ in play_against(codemaker, adviser, engine, random.Random(number)):
        now = time.perf_counter()
        slowest, last = max(slowest, now - last), now
    return len(codemaker.history.turns), slowest


def compared(name: str, against: str, games: int | None, seed: int, jobs: int) -> list[str]:
    """Return the row of a game: weighing beside filtering, on the same secrets (None: on all)."""
    played, every = {}, games is None
    if games is None:
        games = game_of(name, "entropy", seed).secrets.size
    with ProcessPoolExecutor(jobs) as pool:
        for strategy in ("entropy", against):
            one = partial(play, name, strategy, seed, every)
            played[strategy] = list(pool.map(one, range(games), chunksize=4))
    weighed, filtered = ([n for n, _ in played[s]] for s in ("entropy", against))
    ratios = resampled(weighed, filtered, seed)
    return [
        name,
        str(games),
        f"{statistics.mean(weighed):.2f}",
        f"{statistics.mean(filtered):.2f}",
        f"{statistics.mean(weighed) / statistics.mean(filtered):.3f}",
        f"{ratios[0]:.3f}-{ratios[1]:.3f}",
        f"{max(weighed)} / {max(filtered)}",
        f"{max(seconds for _, seconds in played['entropy']):.2f}",
    ]


def resampled(ours: list[int], theirs: list[int], seed: int) -> tuple[float, float]:
    """Return the middle 95 % of the ratio of means, games drawn again 2,000 times (bootstrap)."""
    rng = random.Random(seed)
    ratios = []
    for _ in range(2_000):
        drawn = rng.choices(range(len(ours)), k=len(ours))
        ratios.append(sum(ours[n] for n in drawn) / sum(theirs[n] for n in drawn))
    ratios.sort()
    return ratios[50], ratios[-51]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument(
        "--against", default="consistent", choices=["consistent", "first"], help="only filters"
    )
    parser.add_argument("--secrets", type=int, default=200)
    parser.add_argument("--every-secret", action="store_true", help="each secret once instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    secrets = None if given.every_secret else given.secrets
    rows = [compared(name, given.against, secrets, given.seed, given.jobs) for name in given.games]
    header = ["game", "games", "entropy", given.against, "ratio", "95 %", "worst", "slowest (s)"]
    print(table(header, rows))


if __name__ == "__main__":
    main()
