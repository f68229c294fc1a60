"""What an engine says cannot all be right: items that were asked about, and no secret fits them."""

import random

import pytest

from puzzlehunt.engines.choice import ENGINES, open_engine
from puzzlehunt.explanation.conflict import conflicts_by_board
from puzzlehunt.game.files import gamefile

NAMES = sorted({*ENGINES} - {"auto"})


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("3x4", ["BDB W", "CAB BB", "ACD B"]),
        ("4x4", ["AACA BW", "BABD BW", "BCCC WW"]),
        ("4x4", ["DBCD BWW", "BDCB BB", "DBBD WW", "DABC BB"]),
    ],
)
@pytest.mark.parametrize("engine", NAMES)
def test_rows_that_count_symbols_and_rows_that_place_them_stand_in_one_conflict(engine, name, rows):
    """Neither how often symbols occur nor where they stand is enough to contradict."""
    game = gamefile.load(name, [f"turns=[{', '.join(rows)}]"])
    opened = open_engine(game, engine)
    core = opened.unsat_core(range(len(rows)))
    assert not [s for s in game.secrets if all(_fits(game, n, s) for n in core)]
    ((conflict,),) = conflicts_by_board(opened).values()
    assert not [s for s in game.secrets if all(_fits(game, n, s) for n in conflict)]
    for left_out in conflict:
        others = [n for n in conflict if n != left_out]
        assert any(all(_fits(game, n, s) for n in others) for s in game.secrets)


def _fits(game, number, secret):
    turn = game.history.turns[number]
    return game.score(turn.guess, secret) in turn.clue


def test_the_secret_that_breaks_the_fewest_of_many_rows_is_found():
    game, rng = gamefile.load("4x6"), random.Random(1)
    secret, engine = game.parse_secret("FBCA"), open_engine("4x6", "explicit")
    engine.push("AAAA BBB")
    while len(engine.items) < 50:
        guess = game.guesses.random(rng)
        if guess != secret and guess not in [turn.guess for turn in engine.items]:
            engine.push(game.turn(guess, game.score(guess, secret)))
    assert engine.satisfiable_superset([1]) == [*range(1, 50)]
