"""What is said of rows that cannot all be right, held against every secret."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from positions import followed
from puzzlehunt.codes.constraints import holds
from puzzlehunt.explanation.conflict import counting_proof, symbol_bounds
from puzzlehunt.explanation.why import explain
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.views.explanations import proof_sentence

games = st.from_type(Game).filter(lambda game: game.boards == 1)


def answered(bound, secret) -> bool:
    """Whether a secret gives a bound what it asks for."""
    held = sum(min(secret.count(symbol), times) for symbol, times in bound.times.items())
    return bound.low <= held and (bound.high is None or held <= bound.high)


@settings(max_examples=30)
@given(game=games)
def test_a_demand_follows_from_its_row_alone(game):
    for item in game.history:
        said = game.constraint(item) if isinstance(item, Turn) else item.constraint
        for bound in symbol_bounds(said, 0):
            for secret in game.secrets:
                assert answered(bound, secret) or not holds(said, secret)


def conflict_of(name: str, *rows: str) -> str:
    engine = followed(name, *rows)
    return proof_sentence(engine.game, explain(engine.game, engine).counting_proof)


@pytest.mark.parametrize(("name", "rows", "reason"), [
    ("cryptic", ["HORSE BBBBR", "PLANT BBWW"],
     "rows 1 and 2 need at least 8 letters; a code has 5"),
    ("mastermind", ["RRGG BW", "RGBY none"], "row 1 needs 2 of R, G; row 2 leaves none of them"),
    ("mastermind", ["RRGG none", "BBYY W", "OOPP B"],
     "rows 1, 2 and 3 allow at most 2 symbols in all; a code has 4"),
    ("3x2", ["AAA B", "BBB none"], "rows 1 and 2 allow at most 1 symbol in all; a code has 3"),
    ("bulls-and-cows", ["5610 0A1B", "5601 1A1B"],
     "row 2 needs 2 of 0, 1, 5, 6; row 1 allows at most 1 of 0, 1, 5, 6"),
])  # fmt: skip
def test_a_plain_conflict_is_put_in_a_sentence(name, rows, reason):
    assert conflict_of(name, *rows) == reason


def test_nothing_is_said_where_no_sum_is_plain():
    assert conflict_of("mastermind", "RGBY BW", "GRYB BW", "RGYB WW", "OPOP BW") == ""


@pytest.mark.parametrize("name", ["2x3", "3x2", "3x3", "4x2", "4x3"])
def test_what_is_said_not_to_go_together_leaves_no_secret_of_all(name):
    """Rows of small games, alone and in twos: what counts a symbol once says nothing of more."""
    game = load(name)
    secrets = list(game.secrets)
    rng = random.Random(name)
    rows, left = [], []
    for guess in rng.sample(list(game.guesses), min(8, len(secrets))):
        for marks in {game.score(guess, secret) for secret in secrets}:
            turn = Turn(guess, game.rule.notation.full_clue(marks, guess))
            rows.append(turn)
            left.append({s for s in secrets if game.score(guess, s) == marks})
    found = 0
    couples = [(n,) for n in range(len(rows))]
    couples += rng.sample([(a, b) for a in range(len(rows)) for b in range(a)], 400)
    for places in couples:
        history = History(tuple(rows[n] for n in places))
        said = counting_proof(game, history, range(1, len(places) + 1))
        if said is None:
            continue
        found += 1
        assert not set.intersection(*(left[n] for n in places))
    assert found or name in ("2x3", "4x4")
