"""How long `Game.score_all` takes for 1,000 guesses against 1,000 secrets, read from texts.

Run `python benchmarks/score_all.py`. The time is the processor's, the least of 40 calls after one.
"""

import random
import time

import puzzlehunt

_CODES = 1_000
_CALLS = 40


def main() -> None:
    for name in ("mastermind", "wordle", "bulls-and-cows", "super-mastermind"):
        game, rng = puzzlehunt.load(name), random.Random(1)
        guesses = [game.format_code(game.guesses.random(rng)) for _ in range(_CODES)]
        secrets = [game.format_code(game.secrets.random(rng)) for _ in range(_CODES)]
        game.score_all(guesses, secrets)
        times = []
        for _ in range(_CALLS):
            start = time.process_time()
            game.score_all(guesses, secrets)
            times.append(time.process_time() - start)
        print(f"{name}: {1000 * min(times):.1f} ms")


if __name__ == "__main__":
    main()
