"""Guesses about where a few symbols of a long code stand."""

import random
from dataclasses import replace
from itertools import product

import numpy as np

from puzzlehunt.engines.sampling.block_orders import Orders
from puzzlehunt.engines.sampling.placements import (
    PlacementQuery,
    PlacementSearch,
    blocks_of,
    held_whole,
    rows_left_out,
    with_others,
)
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.engines.sampling.turn_arrays import FREE
from puzzlehunt.game.files import gamefile
from puzzlehunt.strategies.probes.placement_probe import PlacementProbe, _alike, _in_common, _times
from sampled_games import asked, symbols_settled, told_in_full

EACH, NOTHING = np.arange(6), np.full((1, 6), FREE)
"""Each of six positions as a block of its own, and nothing placed there."""


def test_a_symbol_that_is_not_asked_about_may_be_in_place_as_often_as_it_occurs():
    game = gamefile.load("6x4")
    secret = (0, 0, 1, 1, 2, 3)
    turns, counts = asked(game, secret, [(0, 0, 0, 2, 2, 2), (0, 1, 2, 3, 0, 1)])
    question = PlacementQuery.of_symbols(turns, counts, 1, EACH)
    # The first guess has one other symbol, which occurs once; the second has three.
    assert (question.low.tolist(), question.high.tolist()) == ([2], [3])
    assert rows_left_out(turns, counts, 1, EACH) == 1


def test_a_row_about_the_order_in_some_blocks_is_of_use():
    game, blocks = gamefile.load("6x4"), np.array([0, 0, 1, 1, 2, 2])
    turns, counts = asked(game, (0, 0, 1, 1, 2, 3), [(0, 1, 2, 2, 3, 3), (0, 1, 2, 3, 0, 1)])
    assert rows_left_out(turns, counts, 1, blocks) == 1


def search_among_many():
    """A search for all symbols of six, about which one row tells little."""
    game = gamefile.load("6x4")
    turns, counts = asked(game, (0, 0, 1, 1, 2, 3), [(0, 1, 2, 2, 2, 2)])
    question = PlacementQuery.of_symbols(turns, counts, 3, EACH)
    starts, cells = with_others(NOTHING, counts, 3), np.zeros((1, 6), dtype=int)
    return PlacementSearch(question, starts, cells, np.random.default_rng(0))


def test_a_search_out_of_time_gives_what_it_found_and_goes_on_later():
    search = search_among_many()
    hurried = search.placements(1, end=0.0)
    assert not hurried.timely
    assert not hurried.complete
    assert 0 < len(hurried.ends) <= 4
    found, at_once = search.placements(1), search_among_many().placements(1)
    assert found.timely
    assert found.codes.tolist() == at_once.codes.tolist()
    assert found.ends.tolist() == at_once.ends.tolist()
    assert search.placements(1).codes.tolist() == found.codes.tolist()


def test_of_several_starts_the_wrong_ones_are_refuted():
    game = gamefile.load("6x4")
    secret = (0, 1, 2, 3, 2, 3)
    guesses = [(0, 1, 2, 2, 2, 2), (2, 2, 0, 2, 2, 1), (2, 0, 0, 1, 0, 2), (0, 2, 1, 2, 0, 2)]
    turns, counts = asked(game, secret, guesses)
    starts = np.array([[0, FREE, FREE, FREE, FREE, FREE], [FREE, FREE, FREE, FREE, FREE, 0]])
    question = PlacementQuery.of_symbols(turns, counts, 3, EACH)
    cells = np.where(starts == FREE, 0, -1)
    starts = with_others(starts, counts, 3)
    found = PlacementSearch(question, starts, cells, np.random.default_rng(0)).placements(4)
    assert found.complete
    assert {row[0] for row in found.codes.tolist()} == {0}


def test_the_order_of_symbols_is_asked_about_in_the_first_blocks_alone():
    game, blocks = gamefile.load("6x4"), np.array([0, 0, 1, 1, 2, 2])
    secret = (0, 1, 2, 3, 1, 2)
    turns, _ = asked(game, secret, [(0, 1, 2, 2, 0, 0), (0, 1, 3, 2, 0, 3), (0, 0, 2, 3, 1, 1)])
    assert held_whole(turns.guesses, blocks).tolist() == [
        [False, True, True],
        [False, False, False],
        [True, False, True],
    ]
    question = PlacementQuery.of_blocks(turns, 4, blocks, 2)
    assert len(question.low) == 2
    cells = np.array([[0, 0, 1, 1, -1, -1]])
    starts = np.array([[1, 0, 3, 2, 2, 1]])
    found = PlacementSearch(question, starts, cells, np.random.default_rng(0)).placements(1)
    # The last block keeps the order of the start, whatever the secret's is.
    assert found.complete
    assert found.ends.tolist() == [[0, 1, 2, 3, 2, 1]]


def test_all_orders_that_fit_are_listed_for_each_start():
    game, blocks = gamefile.load("6x4"), np.array([0, 0, 0, 1, 1, 1])
    secret = (0, 1, 2, 0, 3, 3)
    guesses = [(0, 1, 3, 3, 3, 0)]
    turns, _ = asked(game, secret, guesses)
    question = PlacementQuery.of_blocks(turns, 4, blocks, 2)
    starts = np.array([[0, 1, 2, 0, 3, 3], [1, 2, 3, 0, 0, 3]])
    cells = np.tile(blocks, (2, 1))
    orders = Orders(question, starts, cells, np.random.default_rng(0))
    assert orders.can_be_listed
    fitting = {
        code
        for code in product(range(4), repeat=6)
        if any(sorted(code[:3]) == [*s[:3]] and sorted(code[3:]) == [*s[3:]] for s in starts)
        and all(game.score(guess, code)[0] == game.score(guess, secret)[0] for guess in guesses)
    }
    found = orders.placements(1)
    assert found.complete
    assert set(map(tuple, found.ends.tolist())) == fitting
    assert len(found.codes) == len(fitting)
    assert len({tuple(sorted(code[:3])) for code in fitting}) == 2


IN_ORDER, SHIFTED = tuple(range(5)) * 4, (1, 2, 3, 4, 0) * 4


def orders_of_four_blocks(guess, low=0, high=0):
    """The orders of four blocks of five symbols that fit a guess, with its bounds moved."""
    game, blocks = gamefile.load("20x5"), np.arange(20) // 5
    turns, _ = asked(game, IN_ORDER, [guess])
    question = PlacementQuery.of_blocks(turns, 5, blocks, 4)
    low, high = question.low + np.int16(low), question.high + np.int16(high)
    question = replace(question, low=low, high=high)
    return Orders(question, np.array([IN_ORDER]), blocks[None], np.random.default_rng(0))


def test_of_many_orders_some_are_drawn_uniformly():
    found = orders_of_four_blocks(SHIFTED).placements(1)
    assert not found.complete
    assert not (found.codes == np.array(SHIFTED)).any()
    # Of the 44 orders of a block with none of five in place, 11 begin with each other symbol.
    shares = np.bincount(found.codes[:, 0], minlength=5) / len(found.codes)
    assert shares[1] == 0
    assert np.all(abs(shares[[0, 2, 3, 4]] - 0.25) < 0.06)


def test_orders_are_not_listed_where_a_clue_is_half_read():
    assert orders_of_four_blocks(IN_ORDER).can_be_listed
    assert not orders_of_four_blocks(IN_ORDER, low=-1).can_be_listed


def test_orders_that_nothing_fits_have_a_cost():
    assert orders_of_four_blocks(IN_ORDER).placements(1).ends.tolist() == [list(IN_ORDER)]
    found = orders_of_four_blocks(IN_ORDER, low=-1, high=-1).placements(1)
    assert found.cost
    assert not len(found.ends)


def test_two_symbols_that_stand_in_one_block_may_as_well_stand_in_another():
    blocks = np.array([0, 0, 1, 1, 2, 2])
    in_first = np.array([0, 1, 0, FREE, FREE, FREE])
    in_last = np.array([FREE, FREE, 0, FREE, 0, 1])
    apart = np.array([0, 0, 1, FREE, FREE, FREE])
    assert _alike(_times(np.array([in_first, in_last]), blocks, 2))
    assert not _alike(_times(np.array([in_first, apart]), blocks, 2))
    common = _in_common(np.array([in_first, in_last]), blocks, 2)
    assert common.tolist() == [[FREE, FREE, 0, FREE, FREE, FREE]]


def test_blocks_are_of_up_to_five_positions_side_by_side():
    assert blocks_of(10).tolist() == list(range(10))
    assert blocks_of(32).tolist() == [block for block in range(8) for _ in range(4)]
    assert np.bincount(blocks_of(101)).tolist() == [5] * 20 + [1]


def test_where_rows_are_about_all_symbols_or_counts_are_not_known_there_is_no_guess():
    game = gamefile.load("32x10")
    rng = random.Random(4)
    secret = game.secrets.random(rng)
    items = symbols_settled(game, secret)
    assert PlacementProbe(Sampler(game)).guess(items[:-2]) is None
    fact = game.parse_fact(f"contains {game.format_code(secret)[0]}")
    assert PlacementProbe(Sampler(game)).guess([*items, fact]) is None
    items += [told_in_full(game, game.secrets.random(rng), secret) for _ in range(6)]
    assert PlacementProbe(Sampler(game)).guess(items) is None
