"""Search for the best play: random tables, the book of Bulls and Cows, threads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimum import optimum
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.compiled.threads import thread_limit
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.kernels.problem import NO_BOUND, UNSOLVED_COST, new_problem
from puzzlehunt.lab import trees
from puzzlehunt.lab.batches import Player
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search.book import find_book
from puzzlehunt.strategies.search.branch_and_bound import Search
from puzzlehunt.strategies.search.grow import parts_of
from puzzlehunt.strategies.search.tree_file import tree_lines


@st.composite
def tables(draw):
    """A random table in which each candidate is some guess, and how many attempts there are."""
    secrets, feedbacks = draw(st.integers(2, 9)), draw(st.integers(2, 4))
    guesses = secrets + draw(st.integers(0, 4))
    chance = np.random.default_rng(draw(st.integers(0, 2**20)))
    table = chance.integers(1, feedbacks, (secrets, guesses)).astype(np.uint8)
    own = chance.permutation(guesses)[:secrets]
    table[np.arange(secrets), own] = 0
    return table, own, feedbacks, draw(st.sampled_from([None, 1, 2, 3, 4]))


@given(tables())
@settings(max_examples=150)
def test_search_finds_what_trying_everything_finds(case):
    table, own, feedbacks, attempts = case
    codes = np.arange(table.shape[1], dtype=np.uint8)[:, None]
    search = Search(codes, new_problem(table, own, 0, feedbacks))
    whole = search.state(np.arange(len(table)), attempts, None)
    cost, guess = search.best(whole)
    candidates = {int(guess): secret for secret, guess in enumerate(own)}
    found = optimum(
        lambda guess, secret: int(table[candidates[secret], guess]),
        range(table.shape[1]),
        sorted(candidates),
        attempts,
    )
    opening = search.state(np.arange(len(table)), attempts, ())
    for each in (cost, search.with_guess(whole, guess, NO_BOUND, None), search.best(opening)[0]):
        assert divmod(each, UNSOLVED_COST) == found


@pytest.mark.parametrize(("answer", "total"), [((1, 1), 2992), ((1, 0), 1913), ((0, 0), 1446)])
def test_parts_of_bulls_and_cows_take_what_the_book_says(answer, total):
    game = gamefile.load("bulls-and-cows", ["play.strategy=optimal"])
    book = find_book(game, find_strategy("optimal"))
    code, all_guesses = book.guess()
    assert all_guesses == 26_274
    assert book.guess(book.after([(code, answer)]))[1] == total
    first = Position.of(game, open_engine(game))
    guess = game.rule.rows(array_of([code], game.length))
    (alive,) = (
        alive for index, alive in parts_of(first, guess) if game.rule.feedbacks[index] == answer
    )
    position = first.after(code, alive, answer)
    best = find_strategy("optimal").rank(position, 1)[0][0]
    assert best.value == round(total / len(alive), 4)


def test_what_is_found_does_not_depend_on_the_number_of_threads():
    game = gamefile.load("4x5", ["play.strategy=deep"])
    found = []
    for count in (1, 2):
        with thread_limit(count):
            tree = trees.tree_of_game(Player(game, 5))
        found.append(list(tree_lines(tree, game.alphabet)))
    assert found[0] == found[1]
