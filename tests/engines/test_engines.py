import random
from functools import cache, partial
from itertools import islice

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cases import cases
from catalogue import short_searches
from interrupts import interrupt_after
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Bound, holds, negated
from puzzlehunt.engines.base import chosen, open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.linear import LinearEngine
from puzzlehunt.errors import PuzzlehuntError, TooLargeError, UnknownNameError
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.kernels.packed_codes import space_array, where_holds
from random_games import game_of

NAMES = ["explicit", "symbolic", "linear", "logic"]
ENGINES = [partial(open_engine, name=name) for name in NAMES]
few = settings(max_examples=5)
on_all = pytest.mark.parametrize("engine_type", ENGINES, ids=NAMES)
on_searching = pytest.mark.parametrize("engine_type", ENGINES[2:], ids=NAMES[2:])


@pytest.fixture(scope="module", autouse=True)
def _short_searches():
    with short_searches():
        yield


def most_of(engine) -> int | None:
    """How many candidates of an engine stand for all: the linear one searches for each."""
    return 4 if isinstance(engine, LinearEngine) else None


def listed(engine) -> list[Code]:
    """The candidates of an engine, as many as stand for all."""
    return list(islice(engine.candidates().codes, most_of(engine)))


def lists(engine, expected) -> bool:
    """Whether an engine has these candidates, as far as they are listed."""
    return listed(engine) == expected[: most_of(engine)]


# The same candidates as one finds by trying every secret.


def test_no_candidate_of_the_linear_engine_is_lost_where_others_are_fixed():
    """HiGHS finds neither where it simplifies the program first."""
    known = {"facts": ["contains 2"], "turns": ["8-2=6 CC_", "3-3=0 CC"]}
    secret = {"formula": "equations", "length": "5"}
    game = game_of({"secret": secret, "rule": "letters", "lies": {"at_most": "2"}, **known})
    engine = open_engine(game, "linear")
    begun = [Bound.required(At(place, (n,))) for place, n in enumerate(game.alphabet.parse("6/"))]
    engine.push(Fact("begins with 6/", AllOf(tuple(begun))))
    assert sorted(map(game.format_code, engine.candidates().codes)) == ["6/2=3", "6/3=2"]


# Samples.


@on_all
def test_samples_of_many_candidates_differ_by_seed(engine_type):
    game = gamefile.load("4x6")
    engine = engine_type(game)
    samples = {engine.sample(10, random.Random(seed)) for seed in range(4)}
    assert len(samples) == 4
    assert all(len(sample.codes) == 10 and not sample.complete for sample in samples)


# Spaces of any size.


def test_the_symbolic_engine_takes_spaces_that_no_list_holds():
    game = gamefile.load("16x6")
    engine = open_engine(game, "symbolic")
    secret = tuple(p % 6 for p in range(16))
    for guess in [(0,) * 16, tuple(p // 3 for p in range(16)), secret[::-1]]:
        engine.push(Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess)))
    candidates = [code for code, _ in zip(engine.candidates().codes, range(5), strict=False)]
    assert candidates == sorted(candidates)
    assert len(set(candidates)) == 5
    assert all(meaning.fits(game, History(engine.items), code) for code in candidates)
    with pytest.raises(TooLargeError):
        ExplicitEngine(game)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "known", "candidates"), cases("samples of huge spaces"))
def test_a_sample_of_a_huge_space_knows_whether_it_is_all(size, known, candidates):
    game = gamefile.load(size, [known])
    engine = open_engine(game, "symbolic")
    sample = engine.sample(10, random.Random(0))
    assert 1 <= len(sample.codes) <= min(10, int(candidates))
    assert sample.complete == (len(sample.codes) == int(candidates))
    assert all(code in engine for code in sample.codes)


def test_the_secret_that_breaks_the_fewest_of_many_rows_is_found():
    game, rng = gamefile.load("4x6"), random.Random(1)
    secret, engine = game.parse_secret("FBCA"), open_engine("4x6", "explicit")
    engine.push("AAAA BBB")
    while len(engine.items) < 50:
        guess = game.guesses.random(rng)
        if guess != secret and guess not in [turn.code for turn in engine.items]:
            engine.push(game.turn(guess, game.score(guess, secret)))
    assert engine.satisfiable_superset([1]) == [*range(1, 50)]


def test_a_row_refutes_alone_what_no_secret_of_a_large_space_fits():
    engine = ExplicitEngine(gamefile.load("5x8"))
    for row in ("AAAAA 1b", "AAAAB 5b", "AAAAC 4b"):  # one secret in nine is tried first
        engine.push(row)
    last = [Bound.required(At(4, (symbol,))) for symbol in (0, 1, 2)]
    assert [engine.first_refuting(one) for one in last] == [1, None, 1]


@pytest.mark.parametrize("lies", ["", ", lies: {at_most: 1}"])
def test_any_of_many_rows_are_satisfiable_if_a_code_is_left_by_them_alone(lies):
    game = game_of("{secret: {symbols: ABCDEF, length: 5}" + lies + "}")
    codes, rng = space_array(game.secrets, game.length), random.Random(3)
    engine, guesses = ExplicitEngine(game), [game.guesses.random(rng) for _ in range(40)]
    for guess in guesses:
        engine.push(game.turn(guess, game.score(guess, game.secrets.random(rng))))
    also, found = Bound.required(At(2, (1, 4))), set[bool]()
    for size in [1, 2, 2, 3, 3, 4, 5, 6] * 3:
        chosen = sorted(rng.sample(range(1, 40), size))
        alone = ExplicitEngine(game)
        alone.follow(History(tuple(engine.items[place] for place in chosen)))
        left = codes[alone.candidate_places()]
        found.add(expected := bool(where_holds(also, left).any()))
        assert engine.satisfiable(chosen, also=also) == expected
        assert engine.satisfiable(chosen) == bool(len(left))
        alone.push(engine.items[0])
        assert engine.evidence(chosen, [engine.items[:1]])[0][0] == alone.count().exact
    assert found == {True, False}


# Constraints on arrays.

places = [At(p, (0,)) for p in range(3)]
some_symbols = st.sets(st.integers(0, 2), min_size=1).map(lambda symbols: tuple(sorted(symbols)))
literals = st.one_of(
    st.builds(At, st.integers(0, 2), some_symbols),
    st.builds(AtLeast, some_symbols, st.integers(1, 3)),
)
weights = st.sampled_from([1, 1, 1, 2, -1, -2])
ends = st.none() | st.integers(-2, 3)
terms = st.lists(st.tuples(weights, literals), max_size=4).map(tuple)
bounds = st.builds(Bound, ends, terms, ends)
constraints = st.recursive(
    bounds,
    lambda parts: st.builds(
        lambda node, some: node(tuple(some)), st.sampled_from([AllOf, AnyOf]), st.lists(parts)
    ),
    max_leaves=5,
)


SMALL = gamefile.load("3x3")


@cache
def small_engines():
    return [open_engine(SMALL, name) for name in NAMES[1:]]


@given(constraints)
@few
@example(Bound(1, tuple((1, literal) for literal in places), 1))
@example(Bound(1, tuple((1, literal) for literal in places), 2))
@example(Bound(1, tuple((1, literal) for literal in places), None))
@example(Bound(2, tuple((-1, literal) for literal in places), 2))
@example(Bound(-1, tuple((-1, literal) for literal in places), -1))
def test_engines_read_any_constraint_as_holds_does(constraint):
    game = SMALL
    expected = [secret for secret in game.secrets if holds(constraint, secret)]
    mask = where_holds(constraint, space_array(game.secrets, 3))
    assert [code for code, true in zip(game.secrets, mask, strict=True) if true] == expected
    others = [secret for secret in game.secrets if not holds(constraint, secret)]
    for engine in small_engines():
        engine.keep(0)
        engine.push(Fact("random", constraint))
        assert lists(engine, expected)
        engine.pop()
        engine.push(Fact("the opposite", negated(constraint)))
        assert lists(engine, others)
        assert engine.satisfiable([], also=constraint) == bool(expected)


# Engines that search.


@on_searching
def test_a_code_that_the_solver_gets_wrong_is_an_error(engine_type, monkeypatch):
    engine = engine_type(gamefile.load("2x2", ["turns=[AA none]"]))
    assert engine.satisfiable()
    monkeypatch.setattr(engine.model, "codes", lambda *_: (code for code in [(0, 1)]))
    with pytest.raises(PuzzlehuntError, match="found AB, which is wrong"):
        engine.satisfiable()


@on_searching
def test_a_search_is_interrupted_at_once(engine_type):
    engine, rng = engine_type(gamefile.load("40x2")), random.Random(0)
    for row in range(5):  # a market split, which takes every solver for ever
        shares = [rng.randrange(100) for _ in range(40)]
        half = Bound(sum(shares) // 2, weighed(shares), sum(shares) // 2)
        engine.push(Fact(f"row {row}", half))
    assert engine.satisfiable([0])
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        engine.satisfiable()
    assert engine.satisfiable([0, 1])


def weighed(shares):
    return tuple((share, At(place, (1,))) for place, share in enumerate(shares))


# Which engine.


@pytest.mark.parametrize(("game", "asked", "name"), cases("engines"))
def test_auto_is_explicit_where_the_secrets_can_be_listed(game, asked, name):
    assert chosen(gamefile.load(game), asked) == name


def test_an_unknown_engine_is_an_error_with_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean symbolic"):
        open_engine(gamefile.load("4x6"), "symbolik")
