import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookaheads import lookaheads
from positions import position_of
from puzzlehunt.game.files import gamefile
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.prior_weighted import _UNREACHED, weighed_costs
from puzzlehunt.strategies.registry import find_strategy


def shares_of(seed, size):
    weights = np.random.default_rng(seed).choice([1.0, 30.0, 300.0], size)
    return weights / weights.sum()


def game_of(*words, guesses=(), attempts="6"):
    listed = ", ".join(words)
    more = ", ".join([*guesses, *(word.split()[0] for word in words)])
    return gamefile.load(
        "wordle",
        [
            f"secret.words=[{listed}]",
            f"guess.words=[{more}]",
            f"play={{attempts: {attempts}, strategy: deep}}",
        ],
    )


def best(position):
    ranked, _ = find_strategy("deep").rank(position, 1)
    return position.game.format_code(ranked[0].guess)


# Costs.


@given(st.floats(0.01, 0.99))
def test_two_candidates_take_one_guess_and_the_chance_that_the_other_is_it(chance):
    shares = np.array([chance, 1 - chance])
    table = np.array([[0, 1], [1, 0], [1, 2]], dtype=np.uint8)
    costs = weighed_costs(table, shares, 0, 3, 2)
    assert costs == pytest.approx([2 - chance, 1 + chance, 2])
    # A guess that tells nothing leaves both: one more, and then the likelier one first.
    nothing = weighed_costs(table[2:] * 0 + 1, shares, 0, 3, 2)
    assert nothing == pytest.approx([3 - max(chance, 1 - chance)])


@given(lookaheads(), st.integers(0, 2**20))
def test_at_the_end_what_counts_is_how_likely_the_secret_is_to_be_found(ahead, seed):
    size = ahead.table.shape[1]
    shares = shares_of(seed, size)
    for later in (0, 1):
        costs = weighed_costs(ahead.table, shares, ahead.winning, ahead.feedbacks, later)
        for guess, cost in zip(ahead.table, costs, strict=True):
            parts = {answer: shares[guess == answer] for answer in set(guess.tolist())}
            won = parts.pop(ahead.winning, np.zeros(1)).sum()
            found = won + sum(part.max() for part in parts.values()) * later
            assert cost == pytest.approx(_UNREACHED * (1 - found), abs=3)


# Playing.


def test_the_likelier_of_two_is_guessed_first():
    assert best(position_of(game_of("bight 2", "wight 1"))) == "BIGHT"
    assert best(position_of(game_of("bight 1", "wight 2"))) == "WIGHT"


def test_with_one_guess_left_it_is_the_likeliest_word():
    words = ("bight", "fight", "light 3", "might", "night 2")
    assert best(position_of(game_of(*words, guesses=["flmen"], attempts="1"))) == "LIGHT"
    assert best(position_of(game_of(*words, guesses=["flmen"], attempts="2"))) == "FLMEN"


def test_every_secret_is_found():
    words = [
        f"{letter}ight {weight}" for letter, weight in zip("bfhlmnrstw", range(1, 11), strict=True)
    ]
    game = game_of(*words, guesses=["bflmn", "hrstw", "blhrz"])
    played = tournament.run(game, name="weighed").played
    assert played.total() == 10
    assert max(played) <= 6


def test_it_says_guesses_on_average_and_the_chance_to_win():
    ranked, complete = find_strategy("deep").rank(position_of(game_of("bight 3", "wight 1")), 2)
    assert complete
    assert [(rated.value, rated.chance) for rated in ranked] == [(1.25, 0.75), (1.75, 0.25)]
