"""Logic and chance agree in every engine."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisy_games import TYPED
from puzzlehunt.engines.choice import open_engine


@pytest.mark.parametrize("parts", TYPED, ids="+".join)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_a_code_is_a_candidate_of_every_engine_if_and_only_if_it_is_possible(
    typed_game, parts, seed
):
    game = typed_game(seed, *parts)
    found = {}
    for name in ("explicit", "symbolic", "linear", "logic"):
        engine = open_engine(game, name)
        found[name] = list(engine.candidates())
        if name == "explicit":
            logs = zip(game.secrets, engine.posterior.logs.tolist(), strict=True)
            possible = [secret for secret, log in logs if log > -math.inf]
    assert all(codes == possible for codes in found.values())
