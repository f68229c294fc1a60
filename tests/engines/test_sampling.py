"""Samples, lists and counts of huge spaces, held against all codes of small ones."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from positions import constraint_of, told
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import holds
from puzzlehunt.engines.base import Count, open_engine
from puzzlehunt.engines.sampling import sampler as sampling
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.engines.sampling.symbol_counts import SymbolCounts, arrangements
from puzzlehunt.engines.sampling.turn_arrays import TurnArrays, meet_in_the_middle
from puzzlehunt.engines.symbolic import SymbolicEngine
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.kernels import fast
from puzzlehunt.session.codemaker import open_codemaker, play_against
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.probes import guess_for_symbols, nearest_guess
from random_games import random_game

seeds = st.integers(0, 100_000)
few = settings(max_examples=5)


def played(size: str, seed: int, turns: int, *settings: str) -> tuple[Game, list[Turn], Code]:
    """A game of a size with so many random rows of a seeded secret, some of them half read."""
    game, rng = gamefile.load(size, list(settings)), random.Random(seed)
    secret = game.secrets.random(rng)
    said = []
    for _ in range(turns):
        guess = game.guesses.random(rng)
        shown = game.score(guess, secret)
        clue = game.rule.notation.full_clue(shown, guess)
        if rng.random() < 0.3 and shown != game.rule.winning:
            clue = meaning.likelihood(game).partly_read(
                shown, guess, [0.7] * 9, lambda *_: rng.random()
            )
        said.append(Turn(guess, clue, rng.choice([0, 0, 0, 0.5])))
    return game, said, secret


def fitting(game: Game, items) -> list[Code]:
    history = History(tuple(items))
    return [code for code in game.secrets if meaning.fits(game, history, code)]


def excess(found: Counter[Code], among: list[Code]) -> float:
    """By how many standard deviations a chi-square statistic is above its mean."""
    expected = found.total() / len(among)
    statistic = sum((found[code] - expected) ** 2 / expected for code in among)
    return (statistic - (len(among) - 1)) / math.sqrt(2 * (len(among) - 1))


def played_out(size: str, seed: int, *settings: str) -> tuple[int, list[str]]:
    """How many guesses a seeded secret takes, and what each was based on."""
    game, rng = gamefile.load(size, ["play.attempts=999", *settings]), random.Random(seed)
    codemaker = open_codemaker(game, game.secrets.random(rng), rng=rng)
    advices = [
        advice for _, advice in play_against(codemaker, Adviser(game), open_engine(game), rng)
    ]
    return len(advices), [advice.basis for advice in advices]


def check_chains(game: Game, items: list[Turn], runs: int = 60) -> None:
    """Assert that chains come to every candidate, and to each about as often, in so many runs."""
    expected = fitting(game, items)
    sampler, chance = Sampler(game), np.random.default_rng(1)
    found: Counter[Code] = Counter()
    for _ in range(runs):
        # Between two looks a chain makes 200 steps; of those that fit a few are kept by chance.
        met = sampler.run_chains(items, chance, 300)[0][::10]
        found.update(tuple(row) for row in sampler.fitting(items, met).tolist())
    assert set(found) == set(expected)
    assert found.total() > 50 * runs
    assert excess(found, expected) < 5


def followed(seed: int, turns: int) -> tuple[Game, SymbolicEngine, Code]:
    """An engine that holds rows of a 16x6 game, told in full, and its secret."""
    game, items, secret = played("16x6", seed, turns)
    engine = open_engine(game, "symbolic")
    for item in items:
        engine.push(told(game, item.code, secret))
    return game, engine, secret


def joined(game: Game, items, most: int = 20_000) -> list[Code] | None:
    """The candidates by meeting in the middle."""
    table, turn_arrays = SymbolCounts.of(game).allowed(items), TurnArrays.of(game, items)
    codes = meet_in_the_middle(turn_arrays, table, most, Sampler(game)._test(items))
    return None if codes is None else list(map(tuple, codes.tolist()))


# All candidates.


@pytest.mark.parametrize("size", ["4x4", "5x3", "3x5", "2x9", "1x7"])
@given(seeds, st.integers(1, 5))
@few
def test_halves_add_up_to_the_candidates(size, seed, turns):
    game, items, _ = played(size, seed, turns)
    expected = fitting(game, items)
    assert joined(game, items) == expected
    if expected:
        assert joined(game, items, len(expected) - 1) is None


@given(seeds, st.integers(1, 4))
@few
def test_halves_take_facts_and_distinct_symbols(seed, turns):
    game, items, secret = played("3x6", seed, turns, "secret.distinct=true")
    fact = game.parse_fact(f"contains {game.format_code(secret)[0]}")
    items = [*items, fact]
    assert joined(game, items) == fitting(game, items)


# Samples.


def test_where_nothing_is_compiled_annealing_stands_in_for_chains(monkeypatch):
    monkeypatch.setattr(fast, "is_installed", lambda: False)
    game, items, _ = played("16x6", 3, 7)
    codes = Sampler(game).sample(items, 3, random.Random(1)).codes
    assert codes
    assert all(meaning.fits(game, History(tuple(items)), code) for code in codes)


@pytest.mark.parametrize(
    "settings", [["rule=directions"], ["secret.distinct=true", "rule=matches"]]
)
def test_codes_of_any_rule_are_drawn_as_often_as_they_are_candidates(settings):
    game, rng = gamefile.load("5x6", settings), random.Random(3)
    secret = game.secrets.random(rng)
    engine = open_engine(game, "symbolic")
    engine.push(told(game, game.guesses.random(rng), secret))
    samples = [engine.sample(8, random.Random(seed)) for seed in range(100)]
    assert all(sample.even and not sample.complete for sample in samples)
    found = Counter(code for sample in samples for code in sample.codes)
    assert excess(found, fitting(game, engine.items)) < 4


def test_chains_come_to_all_candidates_about_as_often():
    game, items, _ = played("6x4", 11, 2)
    check_chains(game, items, 25)


# What rows say of symbols and positions.


@pytest.mark.parametrize("size", ["4x4", "5x3", "3x5"])
@given(seeds, st.integers(0, 5))
@few
def test_how_often_symbols_occur_is_never_said_too_narrowly(size, seed, turns):
    game, items, _ = played(size, seed, turns)
    bounds = TurnArrays.of(game, items).occurrence_bounds()
    counts = [[code.count(s) for s in range(len(game.alphabet))] for code in fitting(game, items)]
    if bounds is None:
        assert not counts
    else:
        low, high = bounds
        assert all((low <= row).all() and (row <= high).all() for row in np.array(counts))


def test_asking_symbol_after_symbol_settles_how_often_each_occurs():
    game = gamefile.load("32x10")
    sampler, rng = Sampler(game), random.Random(1)
    for _ in range(5):
        secret, items = game.secrets.random(rng), []
        while guess := guess_for_symbols(sampler, items):
            items.append(told(game, guess, secret))
        counts = [secret.count(s) for s in range(10)]
        assert sampler.occurrence_bounds(items) == (counts, counts)
        assert len(items) <= 10


# Counts.


def test_a_huge_space_is_listed_once_it_is_small_enough():
    game, engine, secret = followed(3, 12)
    listed = list(engine.candidates().codes)
    assert secret in listed
    assert engine.count() == Count.of(len(listed))
    assert all(meaning.fits(game, History(engine.items), code) for code in listed)
    more = game.turn(listed[-1], game.score(listed[-1], secret))
    engine.push(more)
    assert list(engine.candidates().codes) == [
        c for c in listed if meaning.fits(game, History((more,)), c)
    ]
    engine.push(Fact("not the secret", game.rule.is_not_secret(secret)))
    assert secret not in list(engine.candidates().codes)
    engine.pop()
    engine.pop()
    assert list(engine.candidates().codes) == listed


# Codes beyond what can be listed or solved.


def test_where_no_candidate_is_found_the_nearest_code_is_guessed():
    game = gamefile.load("32x10")
    sampler, rng = Sampler(game), random.Random(3)
    secret = game.secrets.random(rng)
    items = []
    while guess := guess_for_symbols(sampler, items):
        items.append(told(game, guess, secret))
    first = nearest_guess(sampler, items, random.Random(1))
    assert first == nearest_guess(Sampler(game), items, random.Random(1))
    assert meaning.fits(game, History(tuple(items)), first)  # the rows so far are easily kept
    items.append(told(game, first, secret))
    assert nearest_guess(sampler, items, random.Random(1)) != first


@pytest.mark.parametrize("row", cases("bounds on shares"))
def test_the_bounds_on_a_share_are_those_of_newcombes_table_1(row):
    kept, made, low, high = map(float, row)
    assert sampling.wilson_interval(kept, made) == pytest.approx((low, high), abs=5e-5)
    turned = sampling.wilson_interval(made - kept, made)
    assert turned == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_a_sampler_tells_a_history_from_another_of_the_same_length():
    game = gamefile.load("8x8")
    histories = []
    for seed in (1, 2):
        rng = random.Random(seed)
        secret = game.secrets.random(rng)
        guesses = [game.guesses.random(random.Random(n)) for n in range(6)]
        histories.append([told(game, guess, secret) for guess in guesses])
    sampler = Sampler(game)
    for items in histories:
        fresh = Sampler(game)
        assert sampler.count(items) == fresh.count(items)
        assert sampler.occurrence_bounds(items) == fresh.occurrence_bounds(items)


@pytest.mark.slow
def test_counts_are_right_within_their_bounds_as_often_as_promised():
    inside = 0
    for seed in range(40):
        game, items, _ = played("6x4", seed, 2)
        true = len(fitting(game, items))
        found = Sampler(game).count(items, seed)
        assert found.number is None or math.isclose(found.number, true, rel_tol=0.25)
        inside += found.low <= true <= found.high
    assert inside >= 34


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "seed", "strategy", "most"),
    [("24x8", 5, "entropy", 30), ("32x10", 1, "consistent", 45)],
)
def test_codes_beyond_a_solver_are_found(size, seed, strategy, most):
    guesses, bases = played_out(size, seed, f"play.strategy={strategy}")
    assert guesses <= most
    assert all("candidates" in basis or basis == "the rows alone" for basis in bases[:-1])


@pytest.mark.slow
def test_chains_over_distinct_symbols_come_to_all_candidates_about_as_often():
    game, items, _ = played("4x8", 2, 2, "secret.distinct=true")
    check_chains(game, items)


# Symbol counts: all of them, and which ones constraints leave, beside the codes themselves.


def symbol_counts_of(game: Game, code: Code) -> tuple[int, ...]:
    often = Counter(code)
    return tuple(often[symbol] for symbol in range(len(game.secrets.alphabet)))


@pytest.mark.parametrize("kind", ["repeats", "distinct", "tunes"])
@given(seeds)
def test_symbol_counts_are_those_of_the_secrets_each_once(kind, seed):
    game = random_game(seed, kind)
    symbol_counts = SymbolCounts.of(game)
    found = [tuple(row) for row in symbol_counts.table.tolist()]
    times = Counter(symbol_counts_of(game, code) for code in game.secrets)
    assert sorted(found) == sorted(times)
    allowed = np.random.default_rng(seed).random(len(found)) < 0.5
    expected = [times[row] for row, is_allowed in zip(found, allowed, strict=True) if is_allowed]
    assert arrangements(symbol_counts.table[allowed]).tolist() == expected


@pytest.mark.parametrize("kind", ["repeats", "distinct", "tunes"])
@given(seeds)
def test_no_symbol_counts_of_a_code_that_fits_are_ruled_out(kind, seed):
    game = random_game(seed, kind)
    symbol_counts = SymbolCounts.of(game)
    for item in game.history:
        said = constraint_of(game, item)
        left = set(map(tuple, symbol_counts.allowed([], said).tolist()))
        fitting = {symbol_counts_of(game, code) for code in game.secrets if holds(said, code)}
        assert fitting <= left


@pytest.mark.parametrize("kind", ["repeats", "distinct", "tunes"])
@given(seeds)
def test_what_was_asked_before_does_not_matter(kind, seed):
    game, chance = random_game(seed, kind), random.Random(seed)
    symbol_counts, items = SymbolCounts.of(game), list(game.history)
    for _ in range(4):
        chosen = [item for item in items if chance.random() < 0.7]
        assert (
            symbol_counts.allowed(chosen).tolist() == SymbolCounts.of(game).allowed(chosen).tolist()
        )
        rows = set(map(tuple, symbol_counts.table.tolist()))
        for item in chosen:
            rows &= set(map(tuple, SymbolCounts.of(game).allowed([item]).tolist()))
        assert set(map(tuple, symbol_counts.allowed(chosen).tolist())) == rows
