"""Games of one's own, without a file: one of suits by settings, one of animals by its parts."""

import puzzlehunt

CARDS = {
    "title": "Four suits",
    "secret.symbols": {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs"},
    "secret.length": 3,
    "play.attempts": 5,
}


def main() -> None:
    """Ask about a row of the first game, and about one of the second."""
    game = puzzlehunt.load("3x4", CARDS)
    advice = puzzlehunt.suggest(game, ["spades-hearts-clubs 1b 1w"], 2)
    print(game, advice, sep="\n")
    animals = {"words": ["BAT", "CAT", "DOG", "PET"], "length": 3}
    zoo = puzzlehunt.load({"title": "Zoo", "secret": animals, "rule": "pegs"})
    print(zoo, puzzlehunt.candidates(zoo, ["CAT 1b"]), sep="\n")


if __name__ == "__main__":
    main()
