"""The rule `columns` and its clues; their chances and engines are in `test_tables.py`."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.codes.named_codes import NamedRows
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.rules.column_kinds import column_kind
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.rules.testing import check_rule
from random_games import game_of, random_game

seeds = st.integers(0, 100_000)
TABLE = [
    {"name": "Old Town", "year": "1200", "shops": "red, blue", "kind": "a", "at": "0,0"},
    {"name": "New Town", "year": "1210", "shops": "red", "kind": "a", "at": "0,10"},
    {"name": "Port", "year": "1900", "shops": "Blue, RED", "kind": "b", "at": "10,0"},
    {"name": "Isle", "year": "", "shops": "green", "kind": "B", "at": ""},
    {"name": "Isle 2", "year": "", "shops": "green", "kind": "b", "at": ""},
]
COLUMNS = {
    "year": {"order": "true", "near": "25"},
    "shops": "overlap",
    "kind": "equal",
    "at": {"distance": "true", "round": "100", "compass": "8"},
}


def towns(**columns):
    chosen = {**COLUMNS, **columns}
    rule = {"name": "columns", "columns": chosen}
    return game_of({"secret": {"table": TABLE, "name": "name"}, "rule": rule})


@pytest.mark.parametrize(
    ("guess", "secret", "text"),
    [
        ("Old Town", "New Town", "~> ~ = 1100kmE"),
        ("Old Town", "Port", "> = . 1100kmN"),
        ("Port", "Old Town", "< = . 1100kmS"),
        ("New Town", "Port", "> ~ . 1600kmNW"),
        ("Old Town", "Isle", "- . . -"),
        ("Old Town", "Old Town", "= = = ="),
        ("Isle", "Isle 2", "= = = = ."),
    ],
)
def test_each_column_answers_by_its_kind(guess, secret, text):
    game = towns()
    clue = game.rule.notation.full_clue(game.score(guess, secret), game.parse_guess(guess))
    assert game.rule.notation.format(clue) == text
    assert game.rule.wins(clue) == (guess == secret)


@pytest.mark.parametrize(
    ("options", "at"),
    [
        ({"round": "1"}, "1112km"),
        ({"round": "50"}, "1100km"),
        ({"round": "1000", "compass": "16"}, "1000kmE"),
    ],
)
def test_a_distance_is_told_as_the_column_says(options, at):
    game = towns(at={"distance": "true", **options})
    turn = game.turn("Old Town", game.score("Old Town", "New Town"))
    assert format_turn(game, turn).endswith(f" {at}")


def filled(kind, cells):
    """A column with the values of some cells."""
    names = tuple(f"R{n}" for n in range(len(cells)))
    places = [f"row {n + 1}" for n in range(len(cells))]
    column = column_kind("a", kind)
    column.fill(NamedRows((), values=names, columns={"a": cells}, places=places))
    return column


def test_dates_are_ordered_by_day():
    column = filled(
        {"order": "true", "near": "2"}, ["1969-07-20", "1969-07-21", "1970-01-01", "1969-07-20"]
    )
    assert column.numbers.tolist() == [0, 1, 2, 0]
    assert column.answers(np.array([0]), np.arange(3)).tolist() == [[0, 4, 2]]


@pytest.mark.parametrize(
    ("kind", "cells", "values"),
    [
        ("order", ["1e3", "-2", "", "1.5E-2", "\u22121"], [1000, -2, None, 0.015, -1]),
        ("order", ["7", "", "-2.50", "7.0"], [7, None, -2.5]),
        ("distance", ["1,2", "", "-3.5, 4", "1.0,2"], [(1, 2), None, (-3.5, 4)]),
        ("distance", ["1;2", "", "-3.5 4", "1,2"], [(1, 2), None, (-3.5, 4)]),
        ("overlap", ["A b/c", "", "C, a  B"], [{"a b", "c"}, set()]),
    ],
)
def test_cells_become_values(kind, cells, values):
    column = filled(kind, cells)
    assert column.values == values
    assert column.numbers.tolist() == [values.index(column.value(cell)) for cell in cells]
    assert column.blank == next((n for n, value in enumerate(values) if not value), None)


# Writing and reading.


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("🟥⬆️🟨🟥🟩", "> ~ . ="),
        ("🟨⬆️🟨🟩 1100 km E", "~> ~ = 1100kmE"),
        ("🟨🟨🟩_", "[~<|~>] ~ = _"),
        (">\t\t=\t", "> _ = _"),
        ("year: older", "< _ _ _"),
        ("> ~ . [1140 km n|1160kmN]", "> ~ . [1100kmN|1200kmN]"),
        ("> ~ . [ not 100km NE ]", "> ~ . [not 100kmNE]"),
        ("[not =] [not some] . _", "[<|>|~<|~>|-] [=|.] . _"),
        ("[<|>] [= or some] . _", "[<|>] [=|~] . _"),
        ("*", "*"),
        ("won", "= = = ="),
    ],
)
def test_a_clue_may_be_written_in_many_ways(text, meant):
    rule = towns().rule
    guess = (0,)
    assert rule.notation.format(rule.parse(text, guess, checked=False)) == meant
    assert rule.parse(meant, guess, checked=False) == rule.parse(text, guess, checked=False)


def test_a_row_that_equals_the_guess_in_all_columns_may_be_another_one():
    assert not towns().rule.wins(towns().turn("Isle", "= = = = .").clue)


@given(seeds, st.data())
@settings(max_examples=60)
def test_the_text_of_every_clue_is_read_back(seed, data):
    game = random_game(seed, "table")
    sizes = game.rule.feedbacks.sizes
    cells = []
    for size in sizes:
        some = data.draw(st.sets(st.integers(0, size - 1)))
        cells.append(() if len(some) == size else tuple(sorted(some)))
    guess = next(iter(game.guesses))
    clue = CellsClue(tuple(cells), sizes)
    if {*cells} == {(0,)} and data.draw(st.booleans()):
        clue = game.rule.notation.full_clue(game.rule.winning, guess)
    assert game.rule.parse(game.rule.notation.format(clue), guess, checked=False) == clue


# Arrays, constraints and values agree with the score.


@given(seeds)
@settings(max_examples=30)
def test_every_form_of_the_rule_agrees_with_its_score(seed):
    check_rule(random_game(seed, "table"), seed)


def answer_of(column, guess, secret):
    """The digit for two values that are no places."""
    if guess == secret:
        return 0
    if column.kind == "equal":
        return 1
    if column.kind == "overlap":
        return 1 if guess & secret else 2
    if None in (guess, secret):
        return column.size - 1
    near = bool(column.near) and abs(secret - guess) <= column.near
    return (2 if secret > guess else 1) + 2 * near


@given(seeds)
@settings(max_examples=20)
def test_answers_are_those_of_single_values(seed):
    for column in random_game(seed, "table").rule.columns:
        if column.kind != "distance":
            values = [column.values[number] for number in column.numbers]
            every = np.arange(len(values))
            for one, answers in zip(values, column.answers(every, every), strict=True):
                expected = [answer_of(column, one, other) for other in values]
                assert answers.tolist() == expected


def told(guess, secret, step):
    """The distance by the haversine formula, and the direction."""
    lat, lon, other, far = map(math.radians, (*guess, *secret))
    half = math.sin((other - lat) / 2) ** 2
    half += math.cos(lat) * math.cos(other) * math.sin((far - lon) / 2) ** 2
    kilometres = 2 * 6371.0088 * math.asin(min(1.0, math.sqrt(half)))
    east, north = math.sin(far - lon) * math.cos(other), math.cos(lat) * math.sin(other)
    north -= math.sin(lat) * math.cos(other) * math.cos(far - lon)
    turn = math.atan2(east, north) if math.hypot(east, north) > 1e-7 else 0.0
    point = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][math.floor(turn / math.tau * 8 + 0.5) % 8]
    return f"{math.floor(kilometres / step + 0.5) * step}km{point}"


def test_distances_and_directions_are_those_of_great_circles():
    rng = np.random.default_rng(1)
    places = [(0, 0), (90, 0), (-90, 0), (0, 180), (0, -179), (48.85, 2.35), (48.85, -177.65)]
    places += np.column_stack((rng.uniform(-90, 90, 40), rng.uniform(-180, 180, 40))).tolist()
    cells = [f"{a},{b}" for a, b in places]
    column = filled({"distance": "true", "round": "100", "compass": "8"}, cells)
    every = np.arange(len(places))
    for one, answers in zip(places, column.answers(every, every).tolist(), strict=True):
        texts = [column.format_cell((answer,)) for answer in answers]
        assert texts == ["=" if one is other else told(one, other, 100) for other in places]
