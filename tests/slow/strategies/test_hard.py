"""Proofs in hard mode of whole games."""

import pytest

from puzzlehunt.game.files import gamefile
from puzzlehunt.lab import tournament


@pytest.mark.parametrize(
    ("name", "total"),
    # That of 3x4 was found by trying everything; the others are this search's own.
    [("3x4", 206), ("4x6", 5_660), ("4x7", 11_362), ("3x12", 10_931), ("5x5", 13_572)],
)
def test_all_secrets_take_what_was_proved_before(name, total):
    game = gamefile.load(name, ["hard=true"]).with_play({"strategy": "optimal"})
    result = tournament.run(game, name=name)
    assert result.bounds.proved
    assert result.bounds.upper == result.summary("played").total == total
