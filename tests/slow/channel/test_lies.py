"""Many random games whose rows lie or are doubted, by every engine and by brute force."""

import pytest
from hypothesis import given, settings

from lying_games import (
    KINDS,
    check_candidates,
    every_lie,
    seeds,
)


@every_lie
@pytest.mark.parametrize("kind", KINDS)
@given(seeds)
@settings(max_examples=5)
def test_engines_and_brute_force_agree_where_rows_of_every_kind_lie(lying_game, lies, kind, seed):
    check_candidates(lying_game(seed, lies, kind))
