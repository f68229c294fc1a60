from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.errors import SessionError
from puzzlehunt.game import meaning
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, number_of
from random_games import game_of

games = st.from_type(Game)


@given(games.filter(lambda game: game.history.turns), st.data())
def test_a_changed_turn_leaves_all_others_in_place(game, data):
    history = game.history
    number = data.draw(st.integers(1, len(history.turns)))
    changed = history.replace(number, replace(history.turn(number), note="another"))
    assert changed.replace(number, history.turn(number)) == history
    assert sum(old != new for old, new in zip(history, changed, strict=True)) == 1


@given(games.filter(lambda game: game.history.turns), st.data())
def test_a_dropped_turn_is_gone_and_no_other(game, data):
    history = game.history
    number = data.draw(st.integers(1, len(history.turns)))
    dropped = history.drop(number)
    assert dropped.turns == history.turns[: number - 1] + history.turns[number:]
    assert dropped.facts == history.facts


@pytest.mark.parametrize("number", [0, -1, 3])
def test_a_turn_that_is_not_there_is_an_error_that_says_which_are(number):
    game = game_of("{secret: {symbols: AB, length: 1}, facts: [contains A], turns: [A *, B *]}")
    history = game.history
    for change in (history.turn, history.drop):
        with pytest.raises(SessionError, match=f"no row {number}; rows go from 1 to 2"):
            change(number)
    with pytest.raises(SessionError, match="no row 1; there is no row yet"):
        History(history.facts).drop(1)


def test_a_repeated_guess_has_the_number_of_its_newest_row_and_a_win_must_be_the_last_row():
    game = load("4x6")
    history = game.as_history("AABB BW\nABCD won\nAABB BW")
    assert [number_of(history, game.parse_guess(text)) for text in ("AABB", "ABCD", "FFFF")] == [
        *(3, 2, None),
    ]
    assert not meaning.is_won(game, history)
    assert meaning.is_won(game, game.as_history("AABB BW\nABCD won"))
    assert not meaning.is_won(game, game.as_history("AABB B\nABCD won"))
    assert not meaning.is_won(game, game.as_history(""))
