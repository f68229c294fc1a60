"""Comparing strategies: the same secrets for all, and statistics that can be checked by hand."""

import numpy as np
import pytest

from puzzlehunt import gamefile
from puzzlehunt.lab import tournament


@pytest.mark.parametrize("name", ["3x4", "cryptic"])
def test_all_strategies_play_the_same_sample_of_secrets(name):
    """Also those whose games are played one by one, and not along a tree."""
    played = []
    for strategy in ("entropy", "first", "consistent"):
        game = gamefile.load(name, ["secret.length=3"] if name == "cryptic" else [])
        game = game.with_play({"strategy": strategy, "pool": "candidates", "seed": 5})
        played.append(tournament.run(game, name, secrets=12).outcomes.secrets)
    assert all(np.array_equal(played[0], other) for other in played)
