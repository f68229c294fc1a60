"""A thousand shared Wordle results of one day: which words could all of them be about?"""

import random

import numpy as np

import puzzlehunt

PLAYERS, SECRET, SQUARES = 1_000, "CRANE", str.maketrans(".YG", "⬛🟨🟩")


def shared_texts(game: puzzlehunt.Game) -> list[str]:
    """Return what players shared: the squares of some guesses, but no words."""
    rng = random.Random(1)
    guesses = [[game.guesses.random(rng) for _ in range(3)] for _ in range(PLAYERS)]
    turns = [[game.turn(guess, game.score(guess, SECRET)) for guess in each] for each in guesses]
    rows = ["\n".join(turn.answer for turn in each).translate(SQUARES) for each in turns]
    return [f"Wordle 1,234 X/6\n\n{squares}" for squares in rows]


def main() -> None:
    """Say which words can have caused all rows of squares."""
    game = puzzlehunt.load("wordle", {"secret.words": "common"})
    lines = {line for text in shared_texts(game) for line in text.splitlines()[2:]}
    seen = [game.rule.feedbacks.index(next(iter(game.turn(SECRET, row).clue))) for row in lines]
    print(f"{PLAYERS:,} results with {len(lines)} different rows")
    secrets, guesses = list(game.secrets), list(game.guesses)
    left = []
    for start in range(0, len(secrets), 500):
        some = secrets[start : start + 500]
        possible = np.zeros((len(game.rule.feedbacks), len(some)), dtype=bool)
        possible[game.score_all(guesses, some), np.arange(len(some))] = True
        left += [some[place] for place in np.flatnonzero(possible[seen].all(axis=0))]
    print(f"{len(left)} of {len(secrets):,} words remain:", *map(game.format_code, left[:8]))


if __name__ == "__main__":
    main()
