"""Reviews by engines that list and engines that search."""

from functools import cache

import pytest

from puzzlehunt.explanation.review import review
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.strategies.position import Budget

_load = cache(gamefile.load)


def _history(game: Game, *lines: str) -> History:
    return History(tuple(map(game.parse_turn, lines)))


def test_where_few_are_left_every_engine_tells_the_same() -> None:
    game = _load("2x2")
    symbolic = game.with_play({"engine": "symbolic"})
    history = _history(game, "AB 1b")
    (one,) = review(game, history).turns
    (other,) = review(symbolic, history).turns
    assert one.exact == other.exact
    assert (one.expected_bits, one.best_bits) == pytest.approx(
        (other.expected_bits, other.best_bits)
    )


def test_where_candidates_are_not_counted_samples_serve_and_what_was_told_is_unknown() -> None:
    game = _load("7x6", ("play.engine=symbolic",))
    history = _history(game, "AABBCCD 3b 1w", "AABCEEE won")
    whole = review(game, history, budget=Budget(seconds=0.1))
    first, last = whole.turns
    assert (first.gained_bits, first.candidates_left, last.candidates_left) == (None, None, 1)
    assert 0 < first.expected_bits <= first.best_bits
    assert not whole.exact
    assert whole.luck is None
