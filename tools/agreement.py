"""Random games by every engine, and their chances and bits, against what plain Python finds.

usage: python tools/agreement.py candidates|chances [GAMES] [--seed N]

`candidates`: each of GAMES random games (default 10,000) of every rule is followed by all engines;
the candidates have to be the secrets that are found by trying each (`brute_force`; `paid` where
rows lie; `Game.fits` and a chance above 0 where marks are read by chance).

`chances`: in each of GAMES games (default 2,000) whose rows came through a channel, the chance of
every secret, that of every row to be wrong, and the bits of a guess have to be those of sums over
all that may have happened (`Bayes`, `Seen`), within 1e-9.

Prints the seeds of what differed; exit status 1 if anything did.
"""

import support  # noqa: F401

# isort: split
import argparse
import math
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

import lying_games
from bayes import Bayes, Seen
from brute_force import agreeing
from lying_games import LIES, codes, lying_game_of
from noisy_games import TYPED, noisy_game_of, typed_game_of
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.registry import find_strategy
from random_games import game_of_seed

ENGINES = ["explicit", "symbolic", "linear", "logic"]
KINDS = ["repeats", "distinct", "words", "tunes", "halves", "formulas", "boards"]
_MOST_OF_LINEAR = 12
"""How many candidates of the linear engine are listed: it searches for each."""

CHANNELS = [
    *(["reads"], ["reads", "misread", "doubts"], ["misread", "doubts"], ["learn"]),
    *(["exactly", "misread", "doubts"], ["chance", "misread", "doubts"]),
    *(["at_most", "misread", "doubts"], ["reads", "exactly"], ["reads", "chance"]),
    ["reads", "at_most"],
]
WITHIN = 1e-9


@dataclass
class Tally:
    """What was compared, and what differed."""

    compared: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    largest: float = 0.0
    """Largest difference of two numbers that should be the same."""


# Candidates.


def drawn(seed: int) -> tuple[Game, list[Code]]:
    """Return the game of a seed with its rows, and its candidates by trying every secret."""
    rng = random.Random(seed)
    kind = rng.choice(["told", "told", "told", "lying", "typed"])
    if kind == "told":
        game = game_of_seed(seed, *KINDS)
        return game, agreeing(game, game.history)
    if kind == "lying":
        game = lying_game_of(seed, rng.choice([*LIES.values()]))
        return game, codes(lying_games.brute_force(game))
    game = typed_game_of(seed, *rng.choice(TYPED))
    return game, [secret for secret in game.secrets if game.fits(game.history, secret)]


def compare_candidates(seed: int, tally: Tally) -> None:
    """Compare the candidates that all engines find in the game of a seed."""
    game, expected = drawn(seed)
    rule = getattr(game.rule, "single_rule", game.rule).name
    tally.compared[rule] += 1
    for name in ENGINES:
        try:
            engine = open_engine(game, name)
        except PuzzlehuntError as error:
            tally.compared[f"{name} refuses: {error}"] += 1
            continue
        most = _MOST_OF_LINEAR if name == "linear" else None
        found = list(islice(engine.candidates(), most))
        if found != expected[:most] or engine.satisfiable() != bool(expected):
            tally.wrong.append(f"seed {seed}, {rule}, {name}: {found[:9]} for {expected[:9]}")
        if isinstance(engine, ExplicitEngine) and game.channel.weighs and not game.channel.misread:
            logs = zip(game.secrets, engine.posterior.logs.tolist(), strict=True)
            if [secret for secret, log in logs if log > -math.inf] != expected:
                tally.wrong.append(f"seed {seed}, {rule}: other secrets have a chance")


# Chances and bits.


def compare_chances(seed: int, tally: Tally) -> None:
    """Compare the chances of secrets and rows and the bits of a guess in the game of a seed."""
    rng = random.Random(seed)
    parts = rng.choice(CHANNELS)
    game = noisy_game_of(seed, *parts, rows=3)
    engine = ExplicitEngine(game)
    engine.follow(game.history)
    said = f"seed {seed}, {'+'.join(parts)}"
    if "learn" not in parts:
        _compare_posterior(game, engine, said, tally)
    if parts == ["reads", "at_most"]:
        # Which row lies is guessed there for all secrets alike, and so it is no plain sum.
        return
    if game.channel.weighs and (engine.count().exact or 0) > 1:
        places = engine.candidate_places()
        if engine.posterior.probabilities[places].sum() > 0:
            guess = game.guesses.random(rng)
            position = Position.of(game, engine)
            found = find_strategy("entropy").rate(position, guess).value
            _compare(f"{said}, bits", [found], [Seen(engine, guess).information()], tally)


def _compare_posterior(game: Game, engine: ExplicitEngine, said: str, tally: Tally) -> None:
    bayes = Bayes(game)
    weights = bayes.weights()
    total = weights.sum()
    posterior = engine.posterior
    _compare(f"{said}, secrets", posterior.probabilities, weights / (total or 1.0), tally)
    rows = range(len(game.history.turns))
    wrong = [1 - bayes.weights(honest=row).sum() / total if total else 0.0 for row in rows]
    _compare(f"{said}, rows", posterior.wrong, wrong, tally)


def _compare(what: str, found, expected, tally: Tally) -> None:
    tally.compared[what.rpartition(", ")[2]] += 1
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    difference = float(np.abs(found - expected).max(initial=0.0))
    tally.largest = max(tally.largest, difference)
    if not difference <= WITHIN:
        tally.wrong.append(f"{what}: differ by {difference:.1e}")


def main() -> int:
    """Compare as many games as asked; print what was found."""
    parser = argparse.ArgumentParser(usage=(__doc__ or "").split("usage: ")[1].split("\n")[0])
    parser.add_argument("what", choices=["candidates", "chances"])
    parser.add_argument("games", type=int, nargs="?")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    chances = asked.what == "chances"
    games = asked.games or (2_000 if chances else 10_000)
    tally = Tally()
    for seed in range(asked.seed, asked.seed + games):
        (compare_chances if chances else compare_candidates)(seed, tally)
        while len(tally.wrong) > 0:
            print(tally.wrong.pop(), flush=True)
            tally.compared["wrong"] += 1
    for what, times in tally.compared.most_common():
        print(f"{times:,} {what}")
    ending = f"; largest difference {tally.largest:.1e}" if chances else ""
    print(f"{games:,} games from seed {asked.seed}: {tally.compared['wrong']:,} wrong{ending}")
    return int(tally.compared["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
