"""Games whose rows come through a channel, played to their end."""

import pytest

from puzzlehunt.game.files import gamefile
from puzzlehunt.lab import tournament


@pytest.mark.parametrize(("game", "most"), [("cryptic", 26), ("fibble", 6), ("liar", 7)], ids=str)
def test_a_built_in_game_with_a_channel_is_solved_in_so_many_guesses(game, most):
    result = tournament.run(gamefile.load(game), name=game, secrets=8)
    assert result.summary("played").average < most
