from functools import cache
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimum import optimum
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.packed_codes import array_of, space_array
from puzzlehunt.kernels.problem import UNSOLVED_COST, cost_to_go, tree_size_bound
from puzzlehunt.lab import tournament
from puzzlehunt.rules.pegs import score
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.symmetry import (
    by_position,
    canonical_indices,
    canonical_indices_by_position,
)

pytestmark = pytest.mark.needs("numba")


@pytest.mark.parametrize(
    ("name", "attempts"), [*product(["2x3", "3x2", "2x4"], [None, 2, 3, 4]), ("3x3", 3)]
)
def test_small_games_take_what_trying_everything_takes(name, attempts):
    length, symbols = map(int, name.split("x"))
    codes = list(product(range(symbols), repeat=length))
    lost, total = optimum(score, codes, codes, attempts)
    chosen = {} if attempts is None else {"play.attempts": attempts}
    settings_ = [f"{key}={value}" for key, value in chosen.items()]
    strategy = find_strategy("optimal")
    game = gamefile.load(name, ["play.strategy=optimal", *settings_])
    position = Position.of(game, open_engine(game))
    best = strategy.rank(position, 1)[0][0]
    if lost:
        assert best.value is None
    else:
        assert best.value == round(total / len(codes), 4)
        assert played(game) == total
        assert attempts is None or max(tournament.run(game, name=name).played) <= attempts


def played(game, budget=None):
    return sum(
        n * times for n, times in tournament.run(game, name="", budget=budget).played.items()
    )


@pytest.mark.parametrize(("name", "guesses"), [("3x6", 856), ("4x6", 5_642)])
def test_a_beam_holds_one_of_several_alike_guesses(name, guesses):
    """With all of them, 857 and 5,646."""
    assert played(gamefile.load(name, ["play.strategy=deep"]), 2) == guesses


def test_without_compiled_kernels_no_whole_game_is_searched(monkeypatch):
    monkeypatch.setattr(fast, "is_installed", lambda: False)
    game = gamefile.load("3x4", ["play.strategy=optimal"])
    with pytest.raises(StrategyError, match=r'pip install "puzzlehunt\[fast\]"\); try --strategy'):
        tournament.run(game, name="3x4")
    assert played(gamefile.load("3x4", ["play.strategy=deep"]), 5) > 0


def test_words_take_what_trying_everything_takes():
    words = ["BIGHT", "EIGHT", "FIGHT", "LIGHT", "MIGHT", "NIGHT", "RIGHT", "WIGHT", "FILET"]
    value = {
        "secret": {"words": words, "length": "5"},
        "guess": {"words": [*words, "FLMBN", "WRTSE"]},
        "rule": "marks",
        "play": {"strategy": "optimal"},
    }
    game = gamefile.build(read_document(dump(value), "game.yaml", Path()))
    _, total = optimum(game.score, list(game.guesses), list(game.secrets), None)
    assert played(game) == total


def test_candidates_alone_may_be_what_is_guessed():
    game = gamefile.load("3x3", ["play.strategy=optimal", "play.pool=candidates"])
    free = gamefile.load("3x3", ["play.strategy=optimal"])

    @cache
    def best(alive):
        return len(alive) + min(
            sum(best(part) for part in parted(guess, alive) if guess not in part) for guess in alive
        )

    def parted(guess, alive):
        parts = {}
        for secret in alive:
            parts.setdefault(score(guess, secret), []).append(secret)
        return map(tuple, parts.values())

    assert played(game) == best(tuple(game.secrets)) >= played(free)


@given(st.integers(1, 400), st.integers(2, 30), st.integers(1, 6))
def test_the_bound_is_what_a_tree_of_so_many_branches_could_reach(count, parts, attempts):
    depths = [
        depth for depth in range(1, attempts + 1) for _ in range(room_at(depth, parts, count))
    ]
    reached = depths[:count]
    lost = count - len(reached)
    expected = sum(reached) + lost * (attempts + UNSOLVED_COST)
    assert tree_size_bound(count, parts, attempts) == expected


def room_at(depth, parts, most):
    """How many candidates more are found with `depth` guesses than with one less."""
    reached = [0, *(min(most, parts**n) for n in range(depth))]
    return reached[depth] - reached[depth - 1]


@pytest.mark.parametrize("first", [None, "AABC", "AABB", "AAAB"])
def test_guesses_are_alike_if_places_and_symbols_can_be_exchanged(first):
    game = gamefile.load("4x3")
    codes = space_array(game.guesses, 4)
    made = [] if first is None else [game.parse_guess(first)]
    classes = set()
    for code in game.guesses:
        images = set()
        for order in permutations(range(4)):
            for names in permutations(range(3)):
                *kept, image = [tuple(names[row[p]] for p in order) for row in (*made, code)]
                if kept == made:
                    images.add(image)
        classes.add(min(images))
    chosen = canonical_indices(codes, list(array_of(made, 4)), 3)
    assert len(chosen) == len(classes)
    assert sorted(chosen) == list(chosen)


@pytest.mark.parametrize("past", [[], ["AAB"], ["AAA", "ABC"], ["AAB", "BAC"]])
def test_guesses_are_alike_by_position_if_its_symbols_can_be_exchanged(past):
    game = gamefile.load("3x3", ["rule=matches"])
    made = [game.parse_guess(guess) for guess in past]
    renamings = list(permutations(range(3)))
    classes = set()
    for code in game.guesses:
        images = set()
        for order in permutations(range(3)):
            for names in product(renamings, repeat=3):
                *kept, image = [
                    tuple(name[row[p]] for name, p in zip(names, order, strict=True))
                    for row in (*made, code)
                ]
                if kept == made:
                    images.add(image)
        classes.add(min(images))
    codes = space_array(game.guesses, 3)
    chosen = canonical_indices_by_position(codes, list(array_of(made, 3)))
    assert [tuple(code) for code in codes[chosen].tolist()] == sorted(classes)


@pytest.mark.parametrize(
    ("settings_", "alike"),
    [
        (["rule=matches"], True),
        ([], False),
        (["rule=matches", "secret.distinct=true"], False),
        (["rule=matches", "guess.length=1-3"], False),
    ],
)
def test_symbols_are_alike_by_position_where_only_symbols_in_place_are_told(settings_, alike):
    assert by_position(gamefile.load("3x4", settings_)) is alike


@pytest.mark.parametrize(
    ("settings_", "total", "worst"),
    [([], 5625, 6), (["play.attempts=5"], 5626, 5)],
)
def test_mastermind_takes_what_koyama_and_lai_proved(settings_, total, worst):
    game = gamefile.load("4x6", ["play.strategy=optimal", *settings_])
    result = tournament.run(game, name="4x6").played
    assert sum(n * times for n, times in result.items()) == total
    assert max(result) == worst


def test_a_larger_budget_does_no_worse_and_all_guesses_are_the_optimum():
    game = gamefile.load("3x6", ["play.strategy=deep"])
    totals = [played(game, budget) for budget in (1, 8, 2000)]
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == played(gamefile.load("3x6", ["play.strategy=optimal"]))


@pytest.mark.parametrize(
    ("name", "settings_", "why"),
    [
        ("4x6", ["hard=true"], "optimal: cannot search hard mode; try --strategy deep"),
        ("4x6", ["hard=true", "play.pool=candidates"], "hard mode"),
        ("cryptic", ["reads.black=0.5"], "equally likely|may be wrong"),
        ("6x9", [], "too many"),
    ],
)
def test_what_cannot_be_searched_is_said(name, settings_, why):
    game = gamefile.load(name, ["play.strategy=optimal", *settings_])
    with pytest.raises(StrategyError, match=why):
        find_strategy("optimal").choose(Position.of(game, open_engine(game)))


def test_nobody_waits_for_a_search_that_takes_long():
    game = gamefile.load("bulls-and-cows", ["play.strategy=optimal", "play.ties=first"])
    position = Position.of(game, open_engine(game), budget=Budget(seconds=1))
    with pytest.raises(StrategyError, match="while a person waits; try --strategy deep"):
        find_strategy("optimal").choose(position)


def test_a_budget_changes_nothing_for_deep_where_it_cannot_search():
    game = gamefile.load("3x4", ["hard=true", "play.strategy=deep"])
    result = tournament.run(game, name="3x4", budget=2)
    assert not result.basis
    assert result.played == tournament.run(game, name="3x4").played


def test_prices_of_small_parts_are_exact():
    assert cost_to_go(2, 100).tolist() == [0, 100, 300]
