import random
from collections import Counter
from itertools import islice
from math import sqrt
from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from puzzlehunt.engines.base import open_engine
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.lab import tournament
from puzzlehunt.session.codemaker import noisy_clue, open_codemaker, play_against
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.registry import find_strategy
from random_games import game_of, noisy_game

seeds = st.integers(0, 100_000)

few = settings(max_examples=4)

CHANNELS = [parts.split() for (parts,) in cases("channels of rows")]

through = pytest.mark.parametrize("parts", CHANNELS, ids="+".join)

PEGS = {"secret": {"symbols": "ABCD", "length": "4"}, "marks": {"miss": "R"}}

TILES = {"secret": {"symbols": "ABCD", "length": "4"}, "rule": "marks"}


def answered(game, secret, guesses, seed=0):
    """The rows that a host gives to some guesses."""
    codemaker = open_codemaker(game, secret, rng=random.Random(seed))
    return [codemaker.answer(guess) for guess in guesses]


# The host says what may be said: rows are clues, and never rule the secret out.


@through
@given(seeds)
@few
def test_no_row_rules_the_secret_out_and_none_but_the_last_calls_itself_a_win(parts, seed):
    game = noisy_game(seed, *parts, rows=0)
    rng = random.Random(seed)
    secret = game.secrets.random(rng)
    guesses = [*(game.guesses.random(rng) for _ in range(6)), secret]
    turns = answered(game, secret, guesses, seed)
    assert answered(game, secret, guesses, seed) == turns
    for turn in turns:
        assert game.turn(format_turn(game, turn)) == turn
        assert game.rule.wins(turn.clue) == (turn.code == secret)
    assert turns[-1].clue == game.rule.notation.full_clue(game.rule.winning, secret)
    history = History(tuple(turns[:-1]))
    assert meaning.fits(game, history, secret)
    engine = open_engine(game, "explicit")
    engine.follow(history)
    chances = dict(zip(game.secrets, engine.posterior.probabilities, strict=True))
    assert chances[secret] > 0


# Chance is the same for all strategies, and from the seed alone.


@pytest.mark.parametrize("value", [PEGS, TILES], ids=["pegs", "marks"])
@pytest.mark.parametrize("reads", ["0.5", "learn", "hard"])
def test_the_same_marks_of_a_row_are_read_whatever_was_guessed(value, reads):
    """The guesses differ by a symbol that no secret has, so that the answers are the same."""
    game = game_of({**value, "reads": reads})
    for seed in range(30):
        secret = (0, 1, 0, 1)
        mine = answered(game, secret, [(0, 0, 2, 2), (1, 2, 1, 2), (2, 2, 2, 2)], seed)
        yours = answered(game, secret, [(0, 0, 3, 3), (1, 3, 1, 3), (3, 3, 3, 3)], seed)
        assert [turn.clue for turn in mine] == [turn.clue for turn in yours]


def lying_rows(game, seed, rows, feedback=(1, 1)):
    guess = (0, 1, 2, 3)
    true = game.rule.notation.full_clue(feedback, guess)
    return [noisy_clue(game, feedback, guess, row, seed) != true for row in range(rows)]


def test_rows_lie_in_the_same_places_whatever_was_guessed():
    for lies in ({"at_most": "2"}, {"chance": "0.4"}):
        game = game_of({**PEGS, "lies": lies, "play": {"attempts": "8"}})
        for seed in range(30):
            places = [lying_rows(game, seed, 8, shown) for shown in [(0, 0), (2, 1), (1, 1)]]
            assert places[0] == places[1] == places[2]


# As often as the game says.


def within(times, of, chance):
    """Whether something happened about as often as its chance says: five deviations are much."""
    return abs(times - of * chance) < 5 * (of * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize("value", [PEGS, TILES], ids=["pegs", "marks"])
def test_marks_are_read_as_often_as_their_rates_say(value):
    kinds = ["black", "white", "miss"] if value is PEGS else ["right", "elsewhere", "absent"]
    rates = dict(zip(kinds, (0.1, 0.5, 0.8), strict=True))
    game = game_of({**value, "reads": {kind: str(rate) for kind, rate in rates.items()}})
    feedback = (1, 1) if value is PEGS else (2, 1, 0, 0)
    signs = game.rule.notation.marks[::-1] if value is TILES else "BWR"
    read, rows = Counter(), 1500
    for seed in range(rows // 3):
        for row in range(3):
            read.update(
                game.rule.notation.format(noisy_clue(game, feedback, (0, 1, 2, 3), row, seed))
            )
    marks = [1, 1, 2]
    for sign, number, rate in zip(signs, marks, rates.values(), strict=True):
        assert within(read[sign], number * rows, rate)


def test_rates_that_are_not_known_are_drawn_as_they_are_believed():
    """Each game has rates of its own, as often as a Beta distribution says."""
    game = game_of({**PEGS, "reads": {"black": "learn", "white": "easy", "miss": "about 0.3"}})
    answers = [(3, 0), (0, 3), (0, 0)]
    shares = [[], [], []]
    for seed in range(100):
        for kind, feedback in enumerate(answers):
            read = [
                noisy_clue(game, feedback, (0, 1, 2, 3), row, seed).ranges[kind][0]
                for row in range(15)
            ]
            shares[kind].append(sum(read) / 15 / (4 if kind == 2 else 3))
    for rate, found in zip(game.channel.reads, shares, strict=True):
        assert fmean(found) == pytest.approx(rate.mean, abs=0.08)
        spread = sqrt(rate.mean * (1 - rate.mean) / (rate.pseudo_count + 1))
        assert pstdev(found) == pytest.approx(spread, rel=0.3)


@pytest.mark.parametrize("attempts", [{}, {"play": {"attempts": "6"}}], ids=["open", "six"])
@pytest.mark.parametrize("most", [1, 5])
def test_no_game_has_more_lies_than_its_budget_and_each_number_is_as_likely(attempts, most):
    game = game_of({**PEGS, "lies": {"at_most": str(most)}, **attempts})
    rows = 6 if attempts else 12
    numbers = Counter(sum(lying_rows(game, seed, rows)) for seed in range(200))
    assert sorted(numbers) == list(range(most + 1))
    assert all(within(times, 200, 1 / (most + 1)) for times in numbers.values())


# Whole games.


@through
@given(seeds)
@settings(max_examples=1)
def test_a_game_ends_with_its_secret(parts, seed):
    game = noisy_game(seed, *parts, rows=0)
    rng = random.Random(seed)
    secret = game.secrets.random(rng)
    for name in ("entropy", "consistent"):
        played = []
        for _ in range(2):
            codemaker = open_codemaker(game, secret, rng=random.Random(seed))
            adviser = Adviser(game, find_strategy(name))
            turns = list(
                islice(play_against(codemaker, adviser, open_engine(game), random.Random(1)), 200)
            )
            played.append([turn for turn, _ in turns])
        assert played[0] == played[1]
        assert played[0][-1].code == secret
        assert len({turn.code for turn in played[0]}) == len(played[0])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "most"), [("cryptic", 26), ("fibble", 6), ("liar", 7)], ids=str)
def test_a_built_in_game_with_a_channel_is_solved_in_so_many_guesses(game, most):
    result = tournament.run(gamefile.load(game), name=game, secrets=4)
    assert result.summary("played").average < most
