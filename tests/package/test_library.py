"""The library as somebody types it: games, lines and functions where they are expected to work."""

import pytest

import puzzlehunt


@pytest.mark.parametrize("name", ["wordle", "nerdle", "quordle", "heart-2018", "250x250"])
def test_a_game_shows_itself_in_one_short_line(name):
    game = puzzlehunt.load(name)
    assert len(repr(game)) < 200
    assert "\n" not in repr(game)
    assert repr(game).startswith(f"<Game {game.title!r}: ")
    assert len(repr(game.secrets)) < 8000


def test_an_engine_takes_lines():
    game = puzzlehunt.load("wordle")
    engine = puzzlehunt.open_engine(game)
    engine.push("CRANE GY..G")
    engine.push("/fact contains O")
    assert engine.items == (game.parse_turn("CRANE GY..G"), game.parse_fact("contains O"))
    other = puzzlehunt.open_engine(game)
    other.follow("CRANE GY..G\n/fact contains O\n")
    assert other.items == engine.items
    other.follow(["CRANE GY..G"])
    assert len(other.items) == 1


@pytest.mark.parametrize("item", [3, None, (1, 2, 3), ["CRANE GY..G"]])
def test_an_engine_says_what_it_takes(item):
    engine = puzzlehunt.open_engine(puzzlehunt.load("3x4"))
    with pytest.raises(TypeError, match="expected a Turn, a Fact or a line such as 'GUESS CLUE'"):
        engine.push(item)
    assert engine.items == ()
