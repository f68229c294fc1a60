"""Laws of explanations, over the catalogue of random games: what is said is so, and all of it."""

import random
from itertools import combinations

import pytest

from catalogue import CHANNELS, KINDS, Case, cases
from positions import constraint_of, followed, mended_by, told
from puzzlehunt.codes.constraints import holds, none_of
from puzzlehunt.codes.spaces import split
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.explanation.repair import near_misses, repairs, suspects
from puzzlehunt.explanation.why import (
    Certainty,
    certain,
    conflicts_by_board,
    counting_proof,
    symbol_bounds,
)
from puzzlehunt.game import meaning
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.history import History, Item, Turn

BY_CHANNEL = ["+".join(parts) for parts in CHANNELS]
ONE_BOARD = [kind for kind in KINDS if kind != "boards"]
OF_SYMBOLS = [kind for kind in [*ONE_BOARD, *BY_CHANNEL] if "table" not in kind]
numbers = pytest.mark.parametrize("number", [3, pytest.param(9, marks=pytest.mark.slow)])


def within(kinds):
    return pytest.mark.parametrize("kind", kinds)


# Conflicts.


def places_of(engine, most: int = 1) -> list[tuple[int, ...]]:
    return conflicts_by_board(engine, most).get(0, [])


def smallest(agree, items: int) -> list[tuple[int, ...]]:
    """Return every subset-minimal set of items that do not agree, by trying every subset."""
    found: list[tuple[int, ...]] = []
    for size in range(items + 1):
        for some in combinations(range(items), size):
            if not any({*other} <= {*some} for other in found) and not agree(some):
                found.append(some)
    return found


def check_conflicts(case: Case, name: str) -> None:
    engine, items = followed(case.game, name=name), case.items
    agree = followed(case.game, name="explicit").satisfiable
    every = smallest(agree, len(items))
    assert bool(every) == (not agree())
    assert {*places_of(engine, 1000)} == {*every}
    assert [*map(len, places_of(engine, 2))] == [*map(len, every[:2])]
    if every and name == "explicit":  # of two of one size the newer is told
        least = [places for places in every if len(places) == len(every[0])]
        assert places_of(engine) == [max(least, key=lambda places: places[::-1])]
    assert {*places_of(engine)} <= {*every}


@numbers
@within([*ONE_BOARD, *BY_CHANNEL])
def test_conflicts_are_all_the_smallest_sets_that_cannot_be_right(kind, number):
    for case in cases(kind, number):
        check_conflicts(case.torn(), "explicit")


@pytest.mark.parametrize("name", ["symbolic", "linear", "logic"])
@within(["repeats", "words", "halves", "at_most"])
def test_engines_that_search_find_the_same_conflicts(kind, name):
    check_conflicts(cases(kind, 1)[0].torn(3), name)


@numbers
@within(["boards"])
def test_conflicts_of_several_boards_are_those_of_each(kind, number):
    for case in cases(kind, 2 * number):
        engine = followed(case.torn().game)
        found = conflicts_by_board(engine, 1000)
        assert bool(found) == (not engine.satisfiable())
        for board, places in ((board, places) for board, some in found.items() for places in some):
            one = engine.boards()[board].engine
            assert not one.satisfiable(places)
            assert all(one.satisfiable([p for p in places if p != out]) for out in places)


@pytest.mark.parametrize(("settings", "least"), [((), 2), (("lies.at_most=1",), 3)])
def test_the_smallest_conflict_of_many_rows_is_found(settings, least):
    game, rng = load("3x3", settings), random.Random(1)
    engine = ExplicitEngine(game)
    for secret in [*[(0, 1, 2)] * 70, *((0, 0, 1), (2, 2, 2)) * 2]:
        engine.push(told(game, game.guesses.random(rng), secret))
    assert engine.first_conflict() >= 70
    assert all(map(engine.satisfiable, combinations(range(66, 74), least - 1)))
    found = places_of(engine, 5)
    assert [len(places) for places in found] == [least] * 5
    assert not any(map(engine.satisfiable, [*found, *places_of(engine)]))


# Certainties: true of all candidates, by rows that prove it and no row more.


def true_of(one: Certainty, code) -> bool:
    if one.position is not None:
        return code[one.position : one.position + 1] == one.code
    times = code.count(one.code[0])
    return times >= one.count if one.at_least else times == one.count


def what(one: Certainty):
    return one.code[0], one.position, one.count, one.at_least


def expected(left, every, symbols: int):
    """What the candidates have in common and not all secrets do, by their definitions."""
    for place in range(min(map(len, left))):
        if len({code[place] for code in left}) == 1 < len({code[place:][:1] for code in every}):
            yield left[0][place], place, None, False
    for symbol in range(symbols):
        times = [code.count(symbol) for code in left]
        always = [code.count(symbol) for code in every]
        if min(times) == max(times) < max(always):
            yield symbol, None, min(times), False
        elif min(times) > min(always):
            yield symbol, None, min(times), True


def proof_of(one: Certainty, items) -> list[Item]:
    """The items of a proof, in the order of the history; equal facts stand for each other."""
    turns = [place for place, item in enumerate(items) if isinstance(item, Turn)]
    numbered = dict(enumerate(turns, start=1))
    chosen = {numbered[each] if each in numbered else items.index(each) for each in one.because}
    return [items[place] for place in sorted(chosen)]


def check_certain(case: Case, name: str = "explicit") -> list:
    engine, left, every = followed(case.game, name=name), case.left(), list(case.game.secrets)
    found = certain(engine)
    told_of = [what(one) for one in found]
    assert engine.items == case.items
    assert len({*told_of}) == len(told_of)
    assert {*told_of} == {*(left and expected(left, every, len(case.game.alphabet)))}
    for one in found:
        proof = proof_of(one, case.items)
        assert proof
        assert all(true_of(one, code) for code in case.left(proof))
        for out in range(len(proof)):
            fewer = case.left([*proof[:out], *proof[out + 1 :]])
            assert not all(true_of(one, code) for code in fewer)
    return told_of


@numbers
@within(OF_SYMBOLS)
def test_what_is_certain_is_what_the_candidates_share_with_minimal_proofs(kind, number):
    for case in cases(kind, number):
        check_certain(case)


@within(["repeats", "distinct", "words", "halves"])
def test_a_solver_is_certain_of_the_same(kind):
    case = cases(kind, 1)[0]
    assert check_certain(case) == check_certain(case, "symbolic")


@numbers
@within(["boards"])
def test_of_several_boards_each_is_told_by_itself(kind, number):
    for case in cases(kind, 3 * number):
        game, left = case.game, case.left()
        found, one = certain(followed(game)), game.one_board
        for board, solved in enumerate(meaning.winning_guesses(game, game.history) if left else ()):
            parts = sorted({split(code, game.boards)[board] for code in left})
            if solved is None and meaning.on_board(game, game.history, board).items:
                said = {what(fact) for fact in found if fact.board == board}
                assert said == {*expected(parts, list(one.secrets), len(one.alphabet))}
        assert left or not found


def test_in_a_huge_space_the_symbol_counts_make_counts_certain():
    turns = (
        "ABCBFDCECBCDFFAC BBBBBWWWWWW_", "CABCFCABCBBADEEA BBBWWWWWWWWWW",
        "ABEEDEBAFAADBAEE BBBBWWWWWWWWW", "BAFCCAFCCEECAAEC BBBBBWWWWWW",
        "DADAEBDDAEFDACEE BBBBBBWWWWWW", "CBDCCCEEBDDCCDEB WWWWWWWWWWW",
    )  # fmt: skip
    # The two possible symbol counts are 4 3 3 2 4 0 and 3 3 3 2 4 1.
    found = {what(one) for one in certain(followed("16x6", *turns))}
    assert {(1, None, 3, False), (2, None, 3, False), (3, None, 2, False)} <= found
    assert {(0, None, 3, True), (4, None, 4, False)} <= found


def test_one_minimal_proof_serves_for_all_that_is_certain_of_the_last_code_of_a_huge_space():
    game, rng = load("16x6"), random.Random(5)
    secret, *guesses = [game.secrets.random(rng) for _ in range(31)]
    rows = [Turn(guess, game.turn(guess, game.score(guess, secret)).clue) for guess in guesses]
    engine = followed("16x6", *rows)
    found = [one for one in certain(engine) if one.position is not None]
    assert [one.code[0] for one in found] == [*secret]
    (proof,) = {one.because for one in found}
    places, others = [number - 1 for number in proof], none_of([secret], game.length)
    assert not engine.satisfiable(places, also=others)
    assert all(engine.satisfiable([*{*places} - {one}], also=others) for one in places)


# Repairs and suspects.


@numbers
@within([kind for kind in [*ONE_BOARD, *BY_CHANNEL] if kind != "table"])
def test_a_repair_leaves_as_many_candidates_as_it_says(kind, number):
    for case in cases(kind, number):
        game = case.torn().game
        found = repairs(followed(game))
        assert not found or sum(one.probability for one in found) == pytest.approx(1)
        for one in found:
            mended = mended_by(one, game.history)
            assert (
                one.count == sum(meaning.fits(game, mended, secret) for secret in game.secrets) > 0
            )


@numbers
@within([kind for kind in BY_CHANNEL if "misread" in kind])
def test_suspects_and_near_misses_have_the_chances_of_the_posterior(kind, number):
    for case in cases(kind, number):
        game, engine = case.game, followed(case.game)
        posterior, history = engine.posterior, game.history
        for suspect in suspects(engine):
            assert suspect.probability == posterior.wrong[suspect.row - 1]
            assert suspect.turn == history.turn(suspect.row)
        chances = [suspect.probability for suspect in suspects(engine)]
        assert chances == sorted(chances, reverse=True)
        chances = dict(zip(game.secrets, posterior.probabilities, strict=True))
        turns = [place for place, item in enumerate(history) if isinstance(item, Turn)]
        most = game.channel.lies.at_most + 1
        for near in near_misses(engine, top=30):
            unforgivable, forgivable = meaning.violations(game, history, near.code)
            assert not unforgivable
            assert [turns.index(place) + 1 for place in forgivable] == list(near.rows)
            assert len(forgivable) == most
            assert near.probability == pytest.approx(chances[near.code])


# Proofs by counting.


@numbers
@within(OF_SYMBOLS)
def test_a_demand_follows_from_its_row_alone(kind, number):
    for case in cases(kind, number):
        for item in case.items if not case.game.channel.lies.at_most else ():
            said = constraint_of(case.game, item)
            for bound in symbol_bounds(said, 0):
                for secret in filter(lambda secret: holds(said, secret), case.game.secrets):
                    held = sum(min(secret.count(s), times) for s, times in bound.times.items())
                    assert bound.low <= held <= (held if bound.high is None else bound.high)


@pytest.mark.parametrize("name", ["3x2", "3x3", "4x2", "4x3"])
def test_what_is_said_not_to_go_together_leaves_no_secret_of_all(name):
    """Rows of small games, alone and in twos: what counts a symbol once says nothing of more."""
    game, rng = load(name), random.Random(name)
    secrets = list(game.secrets)
    rows, left = [], []
    for guess in rng.sample(list(game.guesses), min(8, len(secrets))):
        answers = {game.score(guess, secret): told(game, guess, secret) for secret in secrets}
        rows += answers.values()
        left += [{s for s in secrets if game.score(guess, s) == marks} for marks in answers]
    couples = [(n,) for n in range(len(rows))]
    couples += rng.sample([(a, b) for a in range(len(rows)) for b in range(a)], 300)
    found = 0
    for places in couples:
        history = History(tuple(rows[n] for n in places))
        if counting_proof(game, history, range(1, len(places) + 1)) is not None:
            found += 1
            assert not set.intersection(*(left[n] for n in places))
    assert found
