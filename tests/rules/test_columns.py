"""The rule `columns` and its clues; their chances and engines are in `test_tables.py`."""

import json
import math
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from puzzlehunt import load
from puzzlehunt.codes.named_codes import NamedCodes, NamedRows
from puzzlehunt.game.files.table_files import built_in_tables, read_table
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


@pytest.mark.parametrize(("guess", "secret", "text"), cases("columns of towns"))
def test_each_column_answers_by_its_kind(guess, secret, text):
    game = towns()
    clue = game.rule.notation.full_clue(game.score(guess, secret), game.parse_guess(guess))
    assert game.rule.notation.format(clue) == text
    assert game.rule.wins(clue) == (guess == secret)


@pytest.mark.parametrize(("options", "at"), cases("distances told"))
def test_a_distance_is_told_as_the_column_says(options, at):
    game = towns(at={"distance": "true", **json.loads(options)})
    turn = game.turn("Old Town", game.score("Old Town", "New Town"))
    assert format_turn(game, turn).endswith(f" {at}")


def filled(kind, cells):
    """A column with the values of some cells."""
    names = tuple(f"R{n}" for n in range(len(cells)))
    places = [f"row {n + 1}" for n in range(len(cells))]
    column = column_kind("a", kind)
    column.fill(NamedRows((), values=names, columns={"a": cells}, places=places))
    return column


CREATURES = ["fire", "water", "fire,flying", "flying,water", "grass", "Water,fire", ","]


@pytest.mark.parametrize(("guess", "secret", "text"), cases("columns of creatures"))
def test_a_value_may_be_that_of_another_column_of_the_set(guess, secret, text):
    names = ("name", "one", "two")
    cells = [(each, *each.split(",")) for each in CREATURES]
    rows = [dict(zip(names, each, strict=False)) for each in cells]
    columns = {title: {"equal": "true", "elsewhere": ["one", "two"]} for title in ("one", "two")}
    columns["two"]["elsewhere"] = "one"
    game = game_of({"secret": {"table": rows}, "rule": {"name": "columns", "columns": columns}})
    clue = game.turn(guess, text).clue
    assert [*clue] == [game.score(guess, secret)]
    assert clue == game.turn(guess, text.replace("~", "🟨").replace(".", "🟥")).clue
    check_rule(game)


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


@pytest.mark.parametrize(("text", "meant"), [*cases("clues of towns"), (">\t\t=\t", "> _ = _")])
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
        return column.size - 1
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


COUNTRIES = read_table(built_in_tables()["countries.csv"], "name")
CELLS = tuple(
    map(",".join, zip(*map(COUNTRIES.columns.get, ("latitude", "longitude")), strict=True))
)
ARROWS = {8: "⬆↗➡↘⬇↙⬅↖", 16: "⬆↗↗↗➡↘↘↘⬇↙↙↙⬅↖↖↖"}
"""The arrows that games show, from the north to the east, for equal sectors of the compass."""


def told(places, radius, line):
    """The distance from each place to each, and the bearing as a part of the whole circle."""
    lat, lon = np.radians(places).T
    out = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)
    across = np.linalg.norm(np.cross(out[:, None], out[None]), axis=2)
    distance = radius * np.arctan2(across, out @ out.T)
    if line == "rhumb":
        turn = lon[None] - lon[:, None]
        turn[turn > math.pi] -= math.tau
        turn[turn < -math.pi] += math.tau
        height = np.log(np.tan(math.pi / 4 + lat / 2))
        return distance, np.arctan2(turn, height[None] - height[:, None]) / math.tau % 1
    none = np.zeros(len(lon))
    east = np.stack([-np.sin(lon), np.cos(lon), none], axis=1)
    return distance, np.arctan2(east @ out.T, np.cross(out, east) @ out.T) / math.tau % 1


@pytest.mark.parametrize("line", ["great circle", "rhumb"])
@pytest.mark.parametrize(("compass", "step", "radius"), [(8, 500, 6371.0088), (16, 1, 6378.137)])
def test_distances_and_directions_are_those_on_a_sphere(line, compass, step, radius):
    options = {"round": str(step), "compass": str(compass), "radius": str(radius), "line": line}
    column = filled({"distance": "true", **options}, CELLS)
    distance, bearing = told(column.values, radius, line)
    digits = 1 + np.floor(distance / step + 0.5) * compass
    digits += np.floor(bearing * compass + 0.5) % compass
    np.fill_diagonal(digits, 0)
    every = np.arange(len(CELLS))
    assert (column.answers(every, every) == digits).all()


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ((90, 0), "10019kmN"), ((-90, 90), "10019kmS"), ((0, 180), "20038kmE"),
        ((0, -179), "19926kmW"), ((0, -180), "20038kmW"), ((45, -135), "13358kmW"),
    ],
)  # fmt: skip
def test_poles_and_the_far_side_have_a_direction_on_a_rhumb(at, text):
    options = {"compass": "8", "radius": "6378.137", "line": "rhumb", "tolerance": "0"}
    column = filled({"distance": "true", **options}, ["0,0", "{},{}".format(*at)])
    (digit,) = column.answers(np.array([0]), np.array([1]))[0]
    assert column.format_cell((int(digit),)) == text


@pytest.mark.parametrize("compass", [8, 16])
def test_rows_are_read_as_games_of_places_show_them(compass):
    where = {"distance": ["latitude", "longitude"], "compass": str(compass)}
    where |= {"radius": "6378.137", "line": "rhumb"}
    game = load({"game": "worldle", "rule": {"name": "columns", "columns": {"where": where}}})
    # The game's sphere may be a bit smaller.
    distance, bearing = told(game.rule.columns[0].values, 6371.0088, "rhumb")
    rng = np.random.default_rng(1)
    for guess, secret in rng.integers(len(CELLS), size=(200, 2)).tolist():
        if guess != secret:
            kilometres, sector = distance[guess, secret], bearing[guess, secret] * compass
            arrow = ARROWS[compass][math.floor(sector + 0.5) % compass] + "\ufe0f"
            percent = f"{math.floor(100 - kilometres / 200)}%"
            for row in (f"{kilometres:,.0f}km {arrow} {percent}", f"{percent} {arrow}", percent):
                turn = game.turn(COUNTRIES.values[guess], row)
                assert game.score((guess,), (secret,)) in turn.clue


def test_accents_of_names_may_be_left_out():
    game = load("worldle")
    for name in ("Réunion", "Côte d'Ivoire", "São Tomé and Príncipe"):
        plain = unicodedata.normalize("NFKD", name.upper()).encode("ascii", "ignore").decode()
        assert game.format_code(game.parse_guess(plain)) == name
    names = NamedCodes.of(["Pen\u00e9", "P\u00e8ne"])
    assert "pene" not in names  # either may be meant
    assert names.spell("p\u00e8ne") == (1,)
