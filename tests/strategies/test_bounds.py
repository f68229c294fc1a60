"""What searches rest on, each by its definition: bounds, prices, alike guesses, weighed costs."""

import math
import random
from itertools import permutations, product

import numpy as np
import pytest

from optimum import optimum
from positions import position_of
from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.lookahead import DepthLimitedSearch, in_order, priced
from puzzlehunt.kernels.packed_codes import array_of, code_of
from puzzlehunt.kernels.problem import (
    GROWTH,
    NO_BOUND,
    ONE,
    UNINFORMATIVE,
    UNLIMITED,
    UNSOLVED_COST,
    UNSOLVED_UNITS,
    cost_to_go,
    new_problem,
    tree_size_bound,
)
from puzzlehunt.strategies.measures import MEASURES
from puzzlehunt.strategies.prior_weighted import weighed_costs
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search import grow
from puzzlehunt.strategies.search.branch_and_bound import Search
from puzzlehunt.strategies.symmetry import canonical_by_position, canonical_indices

WON = 0
seeds = pytest.mark.parametrize("seed", range(12))


def table_of(seed, secrets=(2, 9), others=5, most=6):
    """A random table (guesses, secrets) in which each secret is some guess, and those guesses."""
    rng = np.random.default_rng(seed)
    count, feedbacks = int(rng.integers(*secrets)), int(rng.integers(2, most))
    table = rng.integers(1, feedbacks, (count + int(rng.integers(others)), count)).astype(np.uint8)
    own = np.sort(rng.permutation(len(table))[:count])
    table[own, np.arange(count)] = WON
    return table, own, feedbacks


def parts_of(row, members):
    """The candidates of each answer."""
    parts = {}
    for member in members:
        parts.setdefault(int(row[member]), []).append(member)
    return parts


def best_of(table, own, members, attempts):
    """Lost candidates and guesses in all of the best play, by trying everything."""
    secret_of = {int(guess): secret for secret, guess in enumerate(own)}
    answers = range(len(table))
    alive = [int(own[member]) for member in members]
    return optimum(lambda g, s: int(table[g, secret_of[s]]), answers, alive, attempts)


# Sizes.


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
@pytest.mark.parametrize("attempts", [1, 2, 3, UNLIMITED])
def test_the_smallest_tree_has_as_many_candidates_at_each_guess_as_it_can(parts, attempts):
    found_by = [min(parts**guess, 99) for guess in range(min(attempts, 30))]
    for count in range(1, 25):
        taken = [sum(place >= reached for reached in found_by) for place in range(count)]
        lost = sum(place >= found_by[-1] for place in range(count))
        at = [attempts if place >= found_by[-1] else n + 1 for place, n in enumerate(taken)]
        assert tree_size_bound(count, parts, attempts) == sum(at) + lost * UNSOLVED_COST


def test_the_estimate_of_a_part_is_its_formula_and_never_below_what_is_needed():
    for size, cost in enumerate(cost_to_go(60, ONE).tolist()[1:], start=1):
        each = max(1.5 + GROWTH * math.log(max(size, 2) / 2), (2 * size - 1) / size)
        assert cost == size * round((each if size > 1 else 1) * ONE)


# Prices of looking ahead.


@seeds
@pytest.mark.parametrize("secrets", [(2, 9), (17, 40), (65, 90)])
@pytest.mark.parametrize("shared", [True, False])
def test_a_guess_is_priced_by_the_sizes_of_its_parts(seed, secrets, shared):
    table, own, feedbacks = table_of(seed, secrets)
    costs = cost_to_go(len(own), ONE)
    costs[1:] += 0 if shared else 7
    expected = [
        sum(costs[len(part)] for part in parts_of(row, range(len(own))).values()) for row in table
    ]
    for answers in (feedbacks, 10 * len(own)):  # counted, or compared or sorted
        assert priced(table, answers, costs).tolist() == expected


@seeds
@pytest.mark.parametrize("attempts", [1, 2, 3, 4])
def test_short_of_attempts_a_guess_costs_what_trying_everything_takes(seed, attempts):
    """With one more, nothing that can be found is lost."""
    table, own, feedbacks = table_of(seed, (4, 9))
    members = np.arange(len(own))
    search = DepthLimitedSearch(table, own, WON, feedbacks, attempts, work=1)
    values = [search.value(guess, NO_BOUND) for guess in range(len(table))]
    lost, total = best_of(table, own, members, attempts)
    found = divmod(min(values), UNSOLVED_UNITS)
    if attempts < 4:
        assert found == (lost, total * ONE)
    assert found[0] == lost
    assert found[1] >= total * ONE
    one_ply = search.costs()
    assert (one_ply % 2 == 1 - (table == WON).any(axis=1)).all()
    order = sorted(range(len(table)), key=lambda guess: (one_ply[guess], guess))
    assert in_order(one_ply, np.arange(len(table)), 3).tolist() == order[:3]


# Bounds of proofs.


def bounds_by_count(table, members):
    """For each guess, 3 for each candidate, less its parts, less 1 if it is one."""
    for row in table:
        parts = parts_of(row, members)
        hit = WON in parts
        yield UNINFORMATIVE if len(parts) == 1 and not hit else 3 * len(members) - len(parts) - hit


@pytest.mark.needs("numba")
@seeds
@pytest.mark.parametrize("attempts", [2, 3, None])
def test_bounds_are_their_definitions_and_never_above_what_trying_everything_takes(seed, attempts):
    table, own, feedbacks = table_of(seed, (4, 9))
    codes = np.arange(len(table), dtype=np.uint8)[:, None]
    search = Search(codes, new_problem(table.T.copy(), own, WON, feedbacks))
    members = sorted(random.Random(seed).sample(range(len(own)), len(own) - len(own) // 4))
    state = search.state(np.array(members), attempts, None)
    counted, most = search.part_count_bounds(state)
    assert counted.tolist()[: len(table)] == list(bounds_by_count(table, members))
    assert most == max(len(parts_of(row, members)) for row in table)
    floor, values = search.one_ply_bounds(state), []
    for guess in range(len(table)):
        assert floor(guess, NO_BOUND) == one_ply(table, guess, members, most, attempts)
        values.append(search.with_guess(state, guess, NO_BOUND, None))
        assert counted[guess] <= values[-1] or counted[guess] == UNINFORMATIVE
        assert floor(guess, NO_BOUND) <= values[-1]
    lost, total = best_of(table, own, members, attempts)
    assert divmod(min(values), UNSOLVED_COST) == (lost, total)
    assert search.best(state)[0] == min(values)


def one_ply(table, guess, members, most, attempts):
    """The candidates, and for each part the least bound that any second guess has there."""
    left, total = (attempts or UNLIMITED + 1) - 1, len(members)
    for answer, part in parts_of(table[guess], members).items():
        least = tree_size_bound(len(part), most, left)
        if len(part) > 2 and left > 1:
            least = max(least, min(bounds_by_count(table, part)))
        total += 0 if answer == WON else least
    return total


@pytest.mark.needs("numba")
@pytest.mark.parametrize("seed", range(3))
def test_bounds_of_many_guesses_are_their_definitions(seed):
    table, own, feedbacks = table_of(seed, (80, 90), others=500, most=90)
    table[: len(table) // 2] = table[: len(table) // 2] % 4 + 1  # these tell far less
    table[own, np.arange(len(own))] = WON
    search = Search(
        np.zeros((len(table), 1), np.uint8), new_problem(table.T.copy(), own, WON, feedbacks)
    )
    state = search.state(np.arange(len(own)), None, None)
    floor, most = search.one_ply_bounds(state), search.part_count_bounds(state)[1]
    for guess in range(0, len(table), len(table) // 8):
        assert floor(guess, NO_BOUND) == one_ply(table, guess, range(len(own)), most, None)


# Guesses that are alike.


def first_of_classes(codes, changes):
    """The places of the first code of each class, by trying every change."""
    kept = []
    for place, code in enumerate(codes):
        images = {change(code) for change in changes}
        if not any(codes[other] in images for other in kept):
            kept.append(place)
    return kept


def renamed(order, names):
    return lambda code: tuple(names[place][code[source]] for place, source in enumerate(order))


@pytest.mark.parametrize("past", [[], ["AAB"], ["A-B"], ["ABB", "BCA"], ["AAA", "ABC"], ["ABBB"]])
def test_guesses_are_alike_if_some_change_leaves_past_ones_and_makes_one_the_other(past):
    guesses = [tuple("-ABCD".index(symbol) - 1 for symbol in text) for text in past]
    length = len(past[0]) if past else 3
    codes, orders = list(product(range(4), repeat=length)), list(permutations(range(length)))
    names = [(*some, -1) for some in permutations(range(4))]  # no symbol, -1, keeps its name
    whole = [renamed(order, [name] * length) for order in orders for name in names]
    alike = [change for change in whole if all(change(guess) == guess for guess in guesses)]
    found = canonical_indices(array_of(codes, length), 4, guesses)
    assert found.tolist() == first_of_classes(codes, alike)
    if guesses:
        few = [code for code in codes if max(code) < 3]
        each = list(product([(*some, -1) for some in permutations(range(3))], repeat=length))
        apart = [renamed(order, names) for order in orders for names in each]
        alike = [change for change in apart if all(change(guess) == guess for guess in guesses)]
        found = canonical_by_position(array_of(few, length), guesses)
        assert found.tolist() == first_of_classes(few, alike)


# Weighed costs.


@seeds
@pytest.mark.parametrize("later", [0, 1, 2])
def test_a_weighed_guess_costs_what_its_parts_are_estimated_to_take(seed, later):
    table, own, feedbacks = table_of(seed)
    shares = np.random.default_rng(seed).dirichlet(np.ones(len(own)))
    expected = []
    for row in table:
        total = 1.0
        for answer, part in parts_of(row, range(len(own))).items():
            some = shares[part]
            weight, likeliest = some.sum(), some.max()
            alike = math.exp(-sum(p / weight * math.log(p / weight) for p in some))
            alike = max(2, alike)
            more = max(0, GROWTH * math.log(alike / 2) - 0.5 + 1 / alike)
            cost = [
                50 * weight,
                weight + 50 * (weight - likeliest),
                weight * (2 + more) - likeliest,
            ]
            total += cost[later] if answer != WON else 0
        expected.append(total)
    for answers in (feedbacks, 200):  # fewer, and more than there are candidates
        assert weighed_costs(table, shares, WON, answers, later) == pytest.approx(expected)


# Compiled trees.


@pytest.mark.needs("numba")
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("setting", ["play.seed=0", "play.pool=candidates", "play.ties=first"])
@pytest.mark.parametrize("game", ["3x4", "4x4", "bagels secret.length=2", "3x4 rule=marks"])
def test_a_compiled_tree_makes_the_guesses_of_a_plain_one(game, setting, measure, monkeypatch):
    name, *changes = game.split()
    game = gamefile.load(name, [f"play.strategy={measure}", setting, *changes])
    position, strategy = position_of(game), find_strategy(measure)
    wanted = np.arange(len(position.secrets)) % 3 > 0
    trees = [grow.grow(position, strategy, wanted=wanted)]
    monkeypatch.setattr(grow, "_SMALL", 0)
    monkeypatch.setattr(grow, "_LEAST_ORDERED", 0)
    assert grow.suits(position, strategy)
    trees.append(grow.grow(position, strategy, wanted=wanted))
    nodes = [
        sorted((code_of(tree.guess[node]), int(tree.total[node])) for node in range(len(tree)))
        for tree in trees
    ]
    assert nodes[0] == nodes[1]
