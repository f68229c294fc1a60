"""Published tables come out of comparisons."""

from collections import Counter

import pytest

from puzzlehunt.game.files import gamefile
from puzzlehunt.lab.comparison import compare
from puzzlehunt.lab.published import published


@pytest.mark.parametrize("strategy", ["minimax", "parts", "first"])
def test_published_tables_of_nethack_come_out(strategy):
    game = gamefile.load("nethack")
    (row,) = (row for row in published(game) if row.strategy == strategy)
    keys = {"pool": row.pool, "ties": row.ties, "opening": row.opening}
    settings = {key: value for key, value in keys.items() if value}
    found = compare(game.with_play(settings), [strategy], count="known")
    (result,) = found.results.values()
    assert row.fits(result)
    assert result.summary("known").total == row.total
    assert result.known == Counter(row.histogram or result.known)
    assert max(result.known) == row.worst
    if strategy == "parts":
        assert result.summary("played").total == 86869
