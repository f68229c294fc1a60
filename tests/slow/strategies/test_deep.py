"""Lookahead: what it takes in whole games."""

import random
from pathlib import Path

from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.lab import tournament


def document(value):
    return read_document(dump(value), "game.yaml", Path())


def test_mastermind_takes_nearly_as_few_guesses_as_any_play_can():
    game = gamefile.load("4x6", ["play.strategy=deep"])
    assert (
        5625
        <= sum(n * times for n, times in tournament.run(game, name="4x6").played.items())
        <= 5640
    )


def test_words_with_lists_of_their_usual_size_are_found_in_six():
    value = {
        "secret": {"words": "common", "length": "5"},
        "guess": {"words": "standard"},
        "rule": "marks",
        "play": {"attempts": "6"},
    }
    game = gamefile.build(document(value))
    assert game.play.strategy == "book"
    words = random.Random(5).sample([game.format_code(code) for code in game.secrets], 1200)
    game = gamefile.build(document({**value, "secret": {"words": words, "length": "5"}}))
    played = tournament.run(game, name="words").played
    assert played.total() == 1200
    assert max(played) <= 6
