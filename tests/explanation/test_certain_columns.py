"""What is certain of the columns of a table."""

from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.game.history import History
from random_tables import table_game

seeds = st.integers(0, 100_000)


def test_values_that_are_left_are_told_with_the_rows_that_say_so(game_of):
    table = [
        {"name": "A", "year": "1900", "kind": "x", "tags": "a,b"},
        {"name": "B", "year": "1950", "kind": "x", "tags": "a"},
        {"name": "C", "year": "", "kind": "y", "tags": "b"},
        {"name": "D", "year": "2000", "kind": "y", "tags": "c"},
    ]
    columns = {"year": "order", "kind": "equal", "tags": "overlap"}
    rule = {"name": "columns", "columns": columns}
    game = game_of({"secret": {"table": table}, "rule": rule, "turns": ["D _ _ .", "C - . _"]})
    found = [(one.column, one.values, one.turns) for one in certain(open_engine(game))]
    assert found == [
        ("year", "1900 to 1950", (2,)), ("kind", "x", (2,)), ("tags", "a or a,b", (2,)),
    ]  # fmt: skip
    engine = open_engine(game)
    engine.push(game.as_turn("A > _ _"))
    assert [(one.column, one.values) for one in certain(engine)] == [("", "B")]


@given(seeds, st.sampled_from(["explicit", "symbolic"]))
@settings(max_examples=15)
def test_a_claim_follows_from_its_rows_alone(seed, name):
    game = table_game(seed)
    engine = open_engine(game, name)
    number_of = game.alphabet.number_of
    left = [number_of(code) for code in engine.candidates()]
    rows_of = {title: {*rows} for title, _, rows in game.rule.claims(left)} | {"": {*left}}
    for one in certain(engine):
        alone = open_engine(game, name)
        alone.follow(History(tuple(game.history.turns[number - 1] for number in one.turns)))
        assert {number_of(code) for code in alone.candidates()} <= rows_of[one.column]
