"""Conflicts are sets of rows that cannot all be right, none too many."""

import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from positions import followed
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.explanation.conflict import conflicts_by_board
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn


def places_of(engine, most: int = 1) -> list[tuple[int, ...]]:
    return conflicts_by_board(engine, most).get(0, [])


KINDS = ("repeats", "distinct", "words", "tunes", "halves")


def with_wrong_rows(random_game, seed: int, rows: int = 4, kinds=KINDS) -> Game:
    """A random game and some rows more, each of another secret."""
    game = random_game(seed, *kinds)
    rng = random.Random(seed)
    for _ in range(rows):
        secret = game.secrets.random(rng)
        guess = game.guesses.random(rng)
        clue = game.rule.notation.full_clue(game.score(guess, secret), guess)
        game = replace(game, history=game.history.add(Turn(guess, clue)))
    return game


def agreeing(game: Game, brute_force):
    """Return what says whether items at some places agree, by brute force."""
    items = game.history.items
    secrets = list(game.secrets)
    fits = [{s for s in secrets if game.fits(History((item,)), s)} for item in items]
    assert fits == [set(brute_force(game, [item])) for item in items]
    return lambda chosen: bool(set(secrets).intersection(*(fits[place] for place in chosen)))


def all_by_brute_force(agree, items: int) -> list[tuple[int, ...]]:
    """Return every subset-minimal set of items that do not agree, by trying every subset."""
    found: list[tuple[int, ...]] = []
    for size in range(items + 1):
        for some in combinations(range(items), size):
            if not any(set(other) <= set(some) for other in found) and not agree(some):
                found.append(some)
    return found


@settings(max_examples=4)
@given(seed=st.integers(0, 10_000))
def test_conflicts_are_all_the_smallest_sets_that_cannot_be_right(random_game, brute_force, seed):
    game = with_wrong_rows(random_game, seed)
    expected = all_by_brute_force(agreeing(game, brute_force), len(game.history))
    for name in ("explicit", "symbolic", "linear", "logic"):
        engine = open_engine(game, name)
        assert set(places_of(engine, 1000)) == set(expected)
        smallest = places_of(engine)
        assert set(smallest) <= set(expected)
        assert bool(smallest) == bool(expected)
        if expected and name == "explicit":
            assert len(smallest[0]) == len(expected[0])
        assert [*map(len, places_of(engine, 2))] == [*map(len, expected[:2])]


@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_conflicts_of_several_boards_are_those_of_each(random_game, seed):
    game = with_wrong_rows(random_game, seed, kinds=("boards",))
    engine = followed(game)
    found = conflicts_by_board(engine, 1000)
    assert bool(found) == (not engine.satisfiable())
    for board, places in ((board, places) for board, some in found.items() for places in some):
        one = engine.boards()[board].engine
        assert not one.satisfiable(places)
        assert all(one.satisfiable([p for p in places if p != out]) for out in places)


def test_a_budget_of_lies_is_no_conflict_until_it_is_spent():
    engine = followed("liar", "RRRR none", "GGGG none", "YYYY none", "OOOO none")
    assert places_of(engine) == []
    for row in ("BBPP none", "PBPB none", "PPBB none"):
        engine.push(row)
    found = places_of(engine, 1000)
    assert places_of(engine)[0] in found
    for places in found:
        assert not engine.satisfiable(places)
        assert all(engine.satisfiable([p for p in places if p != out]) for out in places)
    every = all_by_brute_force(engine.satisfiable, len(engine.items))
    assert set(found) == set(every)


def test_of_two_conflicts_of_one_size_the_newer_is_told():
    engine = followed("4x6", "AAAA B", "AAAB none", "ABBB none")
    assert sorted(places_of(engine, 9)) == [(0, 1), (0, 2)]
    assert places_of(engine) == [(0, 2)]


@pytest.mark.parametrize(("settings", "least"), [((), 2), (("lies.at_most=1",), 3)])
def test_the_smallest_conflict_of_many_rows_is_found(settings, least):
    game, rng = load("3x3", settings), random.Random(1)
    engine = ExplicitEngine(game)
    secrets = [*[(0, 1, 2)] * 70, *((0, 0, 1), (2, 2, 2)) * 2]
    for secret in secrets:
        guess = game.guesses.random(rng)
        engine.push(Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess)))
    assert engine.first_conflict() >= 70
    assert all(map(engine.satisfiable, combinations(range(66, 74), least - 1)))
    found = places_of(engine, 5)
    assert [len(places) for places in found] == [least] * 5
    assert not any(map(engine.satisfiable, [*found, *places_of(engine)]))
    assert len(places_of(engine)[0]) == least
