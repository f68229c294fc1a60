"""Laws of all engines, over the catalogue of random games: what brute force finds is what is told.

Nothing is left out that several parts of a game do together: columns that lie, marks that are
seldom read and doubted, facts about boards.
"""

import random
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from bayes import Bayes
from catalogue import CHANNELS, KINDS, Case, cases, short_searches
from positions import constraint_of, read_back
from puzzlehunt.codes.constraints import holds as met
from puzzlehunt.engines.base import UNKNOWN, Count, Engine, open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.linear import LinearEngine
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game import meaning
from puzzlehunt.game.history import History
from random_games import typed_game_of

NAMES = ["explicit", "symbolic", "linear", "logic"]
BY_CHANNEL = ["+".join(parts) for parts in CHANNELS]
WEIGHED = [kind for kind in BY_CHANNEL if kind != "learn"]
"""Rates that are learned are integrated: see `test_posterior`."""
slow = pytest.mark.slow
by_engine = pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param(name, kind, marks=[slow] if name == "linear" and place % 6 else [])
        for name in NAMES
        for place, kind in enumerate([*KINDS, *BY_CHANNEL])
        if name == "explicit" or kind != "lengths"
    ],
)
"""All engines and kinds; the slow linear one is asked about some kinds in the fast tests."""
in_each = pytest.mark.parametrize("kind", [*KINDS, *BY_CHANNEL])
numbers = pytest.mark.parametrize("number", [3, pytest.param(12, marks=slow)])


def games_for(kind: str, name: str, number: int) -> list[Case]:
    """Return the games of a kind for an engine: those that search take the last third of them."""
    every = cases(kind, number)
    return every if name == "explicit" else every[-number // 3 :]


@pytest.fixture(scope="module", autouse=True)
def _short_searches():
    with short_searches():
        yield


def listed(engine: Engine) -> list:
    """The candidates of an engine; the linear one searches for each: the first stand for all."""
    return list(islice(engine.candidates().codes, 4 if isinstance(engine, LinearEngine) else None))


def holds(engine: Engine, case: Case, items) -> bool:
    """Whether an engine that holds some items says of them what brute force does."""
    left = case.left(items)
    assert engine.items == tuple(items)
    assert engine.satisfiable() == bool(left)
    assert listed(engine) == left[: 4 if isinstance(engine, LinearEngine) else None]
    assert engine.count().exact in (None, len(left))
    assert all(code in engine for code in left[:9])
    return True


def opened(case: Case, name: str) -> Engine:
    engine = open_engine(case.game, name)
    engine.follow(case.game.history)
    return engine


@numbers
@in_each
def test_what_fits_is_what_brute_force_finds(kind, number):
    for case in cases(kind, number):
        game = case.game
        assert [
            code for code in game.secrets if meaning.fits(game, game.history, code)
        ] == case.left()
        if game.boards == 1 and not game.channel.lies.at_most:
            said = [constraint_of(game, i) for i in game.history]
            assert [s for s in game.secrets if all(met(one, s) for one in said)] == case.left()


@pytest.mark.parametrize("number", [30, pytest.param(200, marks=slow)])
def test_words_of_several_lengths_are_left_as_brute_force_finds(number):
    for case in cases("lengths", number):
        assert listed(opened(case, "explicit")) == case.left()
        for name in NAMES[1:]:
            with pytest.raises(PuzzlehuntError, match="secrets have several lengths"):
                open_engine(case.game, name)


@numbers
@by_engine
def test_candidates_are_those_of_brute_force_after_every_push_and_pop(kind, name, number):
    for case in games_for(kind, name, number):
        engine = open_engine(case.game, name)
        engine.keep(0)
        for known, item in enumerate(case.items):
            engine.push(item)
            assert holds(engine, case, case.items[: known + 1])
        for known in reversed(range(len(case.items))):
            engine.pop()
            assert holds(engine, case, case.items[:known])


@numbers
@by_engine
def test_any_subset_can_be_asked_for_and_any_history_followed(kind, name, number):
    """One of the same length among them; and what was asked changes nothing."""
    for seed, case in enumerate(games_for(kind, name, number)):
        engine, rng = opened(case, name), random.Random(seed)
        for _ in range(3):
            chosen = sorted(rng.sample(range(len(case.items)), rng.randint(0, len(case.items))))
            some = [case.items[place] for place in chosen]
            if case.game.boards == 1:
                assert engine.satisfiable(chosen) == bool(case.left(some))
                engine.follow(History(tuple(some)))
                assert holds(engine, case, some)
            engine.follow(case.game.history)
        engine.follow(History(case.other))
        engine.sample(3, rng)
        assert engine.satisfiable() == bool(engine.sample(1, rng).codes)
        fresh = open_engine(case.game, name)
        fresh.follow(History(case.other))
        assert listed(engine) == listed(fresh)
        engine.follow(case.game.history)
        assert holds(engine, case, case.items)


@numbers
@by_engine
def test_the_first_conflict_and_a_core_leave_nothing(kind, name, number):
    for case in games_for(kind, name, number):
        engine, items = opened(case, name), case.items
        left = [bool(case.left(items[: place + 1])) for place in range(len(items))]
        assert engine.first_conflict() == (left.index(False) if False in left else None)
        if case.game.boards == 1:
            core = engine.unsat_core(range(len(items)))
            assert (core is None) == bool(case.left())
            assert core is None or not case.left([items[place] for place in sorted(core)])


@numbers
@by_engine
def test_a_sample_is_different_candidates_in_order_and_its_seed_decides(kind, name, number):
    for case in games_for(kind, name, number):
        left = case.left()
        samples = [opened(case, name).sample(5, random.Random(1)) for _ in range(2)]
        assert samples[0] == samples[1]
        codes = list(samples[0].codes)
        assert codes == [code for code in left if code in codes]
        assert bool(codes) == bool(left)
        assert len(codes) <= 5
        assert codes == left or not samples[0].complete


@numbers
@in_each
def test_what_is_counted_is_all_and_of_each_board(kind, number):
    for case in cases(kind, number):
        engine, left = opened(case, "explicit"), case.left()
        assert engine.count() == Count.of(len(left))
        assert all((secret in engine) == (secret in left) for secret in case.game.secrets)
        assert (0,) * (case.game.length + 1) not in engine
        for board, state in enumerate(engine.boards() if left else ()):
            size = case.game.length // case.game.boards
            parts = {code[board * size : (board + 1) * size] for code in left}
            assert state.count() == Count.of(len(parts))
        if kind != "lengths":
            assert opened(case, "symbolic").count(quickly=True) in (UNKNOWN, engine.count())


@numbers
@pytest.mark.parametrize("kind", WEIGHED)
def test_a_secret_is_as_likely_as_bayes_says(kind, number):
    for case in cases(kind, number):
        weights = case.bayes.weights()
        expected = weights / (weights.sum() or 1.0)
        found = opened(case, "explicit").posterior
        assert found.probabilities == pytest.approx(expected, rel=1e-9, abs=1e-13)


@numbers
@pytest.mark.parametrize("kind", WEIGHED)
def test_a_row_is_wrong_and_the_next_one_lies_as_likely_as_bayes_says(kind, number):
    for case in cases(kind, number):
        posterior, whole = opened(case, "explicit").posterior, case.bayes.weights().sum()
        honest = [case.bayes.weights(row).sum() for row in range(len(case.game.history.turns))]
        wrong = [1 - part / whole if whole else 0.0 for part in honest]
        assert posterior.wrong.tolist() == pytest.approx(wrong, abs=1e-9)
        lies = case.game.channel.lies
        if not (lies.at_most or lies.chance):
            assert posterior.lie_next is None
            continue
        expected = [case.bayes.lie_next(secret) for secret in case.game.secrets]
        assert posterior.lie_next.tolist() == pytest.approx(expected)
        for attempts in (None, 1):  # before the first row of games of several lengths
            begun = replace(case.game, history=History()).with_play({"attempts": attempts})
            expected = [Bayes(begun).lie_next(secret) for secret in begun.secrets]
            assert open_engine(begun, "explicit").posterior.lie_next == pytest.approx(expected)


@numbers
@pytest.mark.parametrize("kind", [kind for kind in BY_CHANNEL if "misread" in kind])
def test_the_likeliest_come_first_and_those_that_break_a_row_apart(kind, number):
    for case in cases(kind, number):
        game, engine = case.game, opened(case, "explicit")
        chances = dict(zip(game.secrets, engine.posterior.probabilities.tolist(), strict=True))
        broken = {}
        for secret in game.secrets:
            unforgivable, forgivable = meaning.violations(game, game.history, secret)
            if not unforgivable:
                broken[secret] = max(0, len(forgivable) - game.channel.lies.at_most)
        for breaking in (0, 1, 2):
            some = [secret for secret, rows in broken.items() if rows == breaking]
            expected = sorted(some, key=lambda code: (-np.float32(chances[code]), code))[:10]
            found = engine.likeliest(10, breaking=breaking)
            assert [secret for secret, _ in found] == expected
            assert [chance for _, chance in found] == pytest.approx([chances[s] for s in expected])


TYPED = [parts for parts in CHANNELS if not {"misread", "table"} & {*parts}]


@pytest.mark.parametrize("parts", TYPED, ids="+".join)
@numbers
def test_a_code_is_a_candidate_if_and_only_if_it_is_possible(parts, number):
    for seed in range(2 * number):
        game = typed_game_of(seed, *parts)
        expected = [secret for secret in game.secrets if meaning.fits(game, game.history, secret)]
        engine = ExplicitEngine(game)
        engine.follow(game.history)
        logs = zip(game.secrets, engine.posterior.logs.tolist(), strict=True)
        assert [secret for secret, log in logs if log > -np.inf] == expected
        assert list(engine.candidates().codes) == expected
        rows = [History((turn,)) for turn in game.history.turns]
        assert [read_back(game, row) for row in rows] == rows
