import math
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayes import brute_force
from cases import cases
from positions import followed
from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.engines.base import open_engine
from puzzlehunt.errors import NoCandidatesError
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.measures import MEASURES
from puzzlehunt.strategies.position import GUESS_SAMPLE, NO_BUDGET, Budget

games = st.from_type(Game).filter(lambda game: game.boards == 1)

every_measure = pytest.mark.parametrize("measure", MEASURES)

few = settings(max_examples=4)


left_in = partial(followed, name="explicit")


def advise(game: Game, top: int = 1, budget: Budget = NO_BUDGET):
    return Adviser(game).advise(left_in(game), top, budget=budget)


# Measures: pure functions of counts.


@pytest.mark.parametrize(("measure", "counts", "value"), cases("values of measures"))
def test_a_measure_has_the_value_of_its_formula(measure, counts, value):
    assert MEASURES[measure].value_of(np.fromstring(counts, sep=" ")) == float(value)


# The choice: held against every guess of the pool, one by one.


def groups(game: Game, guess, left) -> list[tuple[float, int]]:
    """What the candidates of each feedback weigh together, and how many they are."""
    weights = game.secrets.weights if isinstance(game.secrets, WordSpace) else {}
    parts: dict = {}
    for secret in left:
        parts.setdefault(game.score(guess, secret), []).append(weights.get(secret, 1))
    return [(sum(part), len(part)) for part in parts.values()]


COSTS = {
    "minimax": lambda parts: max(size for _, size in parts),
    "expected-size": lambda parts: sum(n * n for _, n in parts) / sum(n for _, n in parts),
    "entropy": lambda parts: sum(
        w / sum(w for w, _ in parts) * math.log2(w / sum(w for w, _ in parts)) for w, _ in parts
    ),
    "parts": lambda parts: -len(parts),
}


def best_by_hand(game: Game, measure: str, left):
    """The guess that a strategy should choose, found with plain Python."""
    if len(left) == 1:
        return left[0]
    pools = {"candidates": left, "secrets": list(game.secrets), "all": list(game.guesses)}
    costs = [(COSTS[measure](groups(game, g, left)), g) for g in pools[game.play.pool]]
    least = min(cost for cost, _ in costs)
    best = [guess for cost, guess in costs if cost < least + 1e-8]
    among = [guess for guess in best if guess in left] if game.play.ties == "candidate" else []
    return (among or best)[0]


def small(game: Game) -> bool:
    return game.guesses.size <= 200


@every_measure
@given(
    games.filter(small),
    st.sampled_from(["candidates", "secrets", "all"]),
    st.sampled_from(["first", "candidate"]),
)
@few
def test_a_strategy_chooses_the_best_guess_and_breaks_ties_as_asked(measure, game, pool, ties):
    assume(not any(turn.doubt for turn in game.history.turns))
    game = game.with_play({"strategy": measure, "pool": pool, "ties": ties})
    left = brute_force(game, game.history)
    if not left:
        with pytest.raises(NoCandidatesError):
            advise(game)
        return
    advice = advise(game)
    assert advice.suggestions[0].code == best_by_hand(game, measure, left)
    assert advice.count == len(left)
    assert advice.exact


@every_measure
@given(games.filter(small), st.integers(2, 8))
@few
def test_further_suggestions_are_all_different_and_ever_worse(measure, game, top):
    game = game.with_play({"strategy": measure})
    if not left_in(game).count().exact:
        return
    suggestions = advise(game, top).suggestions
    costs = [MEASURES[measure].sign * suggestion.value for suggestion in suggestions]
    assert costs == sorted(costs)
    assert len({suggestion.code for suggestion in suggestions}) == len(suggestions)


# Which guesses there are to choose from.


def test_an_opening_is_the_first_suggestion_and_no_later_one():
    game = gamefile.load("4x6", ["play.opening=ABCD", "play.strategy=minimax"])
    assert [game.format_code(s.code) for s in advise(game, 2).suggestions] == ["ABCD", "AABB"]
    later = gamefile.load("4x6", ["play.opening=ABCD", "turns=[ABCD W]"])
    assert later.format_code(advise(later).suggestions[0].code) != "ABCD"


# Budgets.


def test_a_budget_of_guesses_makes_a_seeded_sample_that_says_so():
    game = gamefile.load("4x6", ["turns=[AABC W_, DDEF W]", "play.strategy=entropy"])
    advice = advise(game, budget=Budget(guesses=50))
    assert not advice.exact
    assert advice.basis == GUESS_SAMPLE
    assert advice == advise(game, budget=Budget(guesses=50))
    assert advise(game, budget=Budget(guesses=1296)).exact


# Consistent play.


@given(games, st.integers(0, 100))
@few
def test_consistent_play_guesses_a_candidate_drawn_with_the_seed(game, seed):
    game = game.with_play({"strategy": "consistent", "seed": seed})
    left = brute_force(game, game.history)
    if not left:
        with pytest.raises(NoCandidatesError):
            advise(game)
        return
    advice = advise(game, 3)
    assert advice == advise(game, 3)
    assert {suggestion.code for suggestion in advice.suggestions} <= set(left)
    assert len(advice.suggestions) == min(3, len(left))


# Where candidates cannot be counted.


@pytest.mark.parametrize("strategy", ["entropy", "consistent"])
def test_a_sample_stands_for_candidates_that_cannot_be_counted(strategy):
    game = gamefile.load("16x6", ["turns=[AAAABBBBCCCCDDDD BBBBWW, ABCDEFABCDEFABCD WWWWWWWWB]"])
    game = game.with_play({"strategy": strategy})
    engine = open_engine(game, "symbolic")
    advice = Adviser(game).advise(engine)
    assert advice.count is None
    assert not advice.exact
    assert advice.basis.startswith("a sample of ")
    suggestion = advice.suggestions[0]
    assert suggestion.worst is None
    assert suggestion.candidate == meaning.fits(game, game.history, suggestion.code)
    assert suggestion.candidate or strategy == "entropy"
    assert Adviser(game).advise(engine) == advice


# Published figures.


def test_the_first_guesses_of_mastermind_have_their_published_parts(published):
    game = gamefile.load("mastermind")
    for row in published("first-guesses"):
        guess = game.parse_guess(row["guess"])
        counts = Counter(game.score(guess, secret) for secret in game.secrets)
        assert (len(counts), max(counts.values())) == (int(row["parts"]), int(row["largest"]))
        rated = Adviser(game.with_play({"strategy": "parts"})).rate(left_in(game), guess)
        assert rated.suggestions[0].value == len(counts)
        assert rated.suggestions[0].worst == max(counts.values())


def test_a_guess_that_shares_only_some_places_with_candidates_is_none_of_them():
    adviser, engine = Adviser("4x6"), open_engine(gamefile.load("4x6"))
    engine.push(engine.game.turn("AABB none"))
    rated = [adviser.rate(engine, guess).suggestions[0] for guess in ("ACCC", "CCCA", "CDEF")]
    assert [one.candidate for one in rated] == [False, False, True]
