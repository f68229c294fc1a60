"""A thousand shared Wordle results of one day: which words could all of them be about?"""

import random

import puzzlehunt

PLAYERS, DAYS_WORD = 1_000, "CRANE"


def shared(game: puzzlehunt.Game) -> list[int]:
    """Return the squares of each player's first guess, as numbers, without the guess."""
    rng = random.Random(1)
    guesses = [game.guesses.random(rng) for _ in range(PLAYERS)]
    return [int(number) for number in game.score_all(guesses, [DAYS_WORD])[:, 0]]


def main() -> None:
    """Say which words can have caused all rows of squares that were shared."""
    game = puzzlehunt.load("wordle")
    words = list(game.secrets)
    seen = {*shared(game)}
    table = game.score_all(words, words)
    rows = [game.rule.format(game.rule.full_clue(game.rule.feedbacks[n], words[0])) for n in seen]
    print(f"{PLAYERS:,} rows, {len(rows)} different, such as {', '.join(sorted(rows)[:3])}")
    left = [place for place in range(len(words)) if seen <= {*table[:, place].tolist()}]
    print(f"{len(left):,} of {len(words):,} words can have caused every one of them")
    print(f"{DAYS_WORD} is one of them: {words.index(game.parse_secret(DAYS_WORD)) in left}")


if __name__ == "__main__":
    main()
