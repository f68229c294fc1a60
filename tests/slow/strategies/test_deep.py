"""Lookahead: what it takes in whole games."""

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
