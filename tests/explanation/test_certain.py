"""What is certain: true of all candidates, by rows that prove it and no row more."""

import random
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from positions import followed
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import split
from puzzlehunt.explanation.certainty import Certainty, certain
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Item, Turn

Make = Callable[..., Any]

KINDS = ("repeats", "distinct", "words", "tunes", "halves", "formulas")


def _true_of(one: Certainty, code: Code) -> bool:
    if one.position is not None:
        return code[one.position] == one.symbol
    times = code.count(one.symbol)
    return times >= (one.count or 0) if one.at_least else times == one.count


def _what(one: Certainty) -> tuple[int, int | None, int | None, bool]:
    return (one.symbol, one.position, one.count, one.at_least)


def _expected(left: list[Code], every: list[Code], symbols: int) -> set[Any]:
    """What the candidates have in common and not all secrets do, by their definitions."""
    found: set[Any] = set()
    for place in range(len(left[0])):
        if len({code[place] for code in left}) == 1 < len({code[place] for code in every}):
            found.add((left[0][place], place, None, False))
    for symbol in range(symbols):
        times = [code.count(symbol) for code in left]
        always = [code.count(symbol) for code in every]
        if min(times) == max(times) < max(always):
            found.add((symbol, None, min(times), False))
        elif min(times) > min(always):
            found.add((symbol, None, min(times), True))
    return found


def _places(one: Certainty, items: list[Item]) -> list[int]:
    """The places of a proof in the history; equal facts stand for each other."""
    turns = [place for place, item in enumerate(items) if isinstance(item, Turn)]
    facts = [
        next(p for p, item in enumerate(items) if isinstance(item, Fact) and item == fact)
        for fact in one.facts
    ]
    return sorted([*(turns[number - 1] for number in one.turns), *facts])


def _check(game: Game, items: list[Item], name: str, fitting: Make) -> None:
    engine = followed(game, *items, name=name)
    found = certain(engine)
    left = fitting(items)
    if not left:
        assert found == []
        return
    every = list(game.secrets)
    assert {_what(one) for one in found} == _expected(left, every, len(game.secrets.alphabet))
    assert len(found) == len({_what(one) for one in found})
    for one in found:
        proof = [items[place] for place in _places(one, items)]
        assert proof
        assert all(_true_of(one, code) for code in fitting(proof))
        for place in range(len(proof)):
            fewer = [*proof[:place], *proof[place + 1 :]]
            assert not all(_true_of(one, code) for code in fitting(fewer))
    assert engine.items == tuple(items)


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_what_is_certain_is_what_the_candidates_share_with_minimal_proofs(
    seed: int, random_game: Make, brute_force: Make
) -> None:
    game = random_game(seed, *KINDS)
    _check(game, list(game.history), "explicit", lambda items: brute_force(game, items))


@settings(max_examples=3)
@given(seed=st.integers(0, 10**6))
def test_a_solver_is_certain_of_the_same(seed: int, random_game: Make, brute_force: Make) -> None:
    game = random_game(seed, "repeats", "distinct", "words", "halves")
    items = list(game.history)
    _check(game, items, "symbolic", lambda items: brute_force(game, items))
    arrays, solver = (certain(followed(game, *items, name=n)) for n in ("explicit", "symbolic"))
    assert [_what(one) for one in arrays] == [_what(one) for one in solver]


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_a_budget_of_lies_and_false_marks_are_reckoned_with(seed: int, noisy_game: Make) -> None:
    game = noisy_game(seed, ["at_most", "exactly", "chance"][seed % 3])

    def fitting(items: list[Item]) -> list[Code]:
        return [code for code in game.secrets if game.fits(History(tuple(items)), code)]

    _check(game, list(game.history), "explicit", fitting)


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_of_several_boards_each_is_told_by_itself(
    seed: int, random_game: Make, brute_force: Make
) -> None:
    game = random_game(seed, "boards")
    engine = followed(game, *game.history)
    found = certain(engine)
    left = brute_force(game, game.history)
    if not left:
        assert found == []
        return
    solved = [code is not None for code in game.winning_guesses(game.history)]
    one = game.one_board
    for board in range(game.boards):
        parts = sorted({split(code, game.boards)[board] for code in left})
        expected = _expected(parts, list(one.secrets), len(one.alphabet))
        told = {_what(fact) for fact in found if fact.board == board}
        if not solved[board] and game.on_board(game.history, board).items:
            assert told == expected


def test_many_rows_with_many_ways_to_break_them() -> None:
    game = gamefile.load("mastermind")
    rng = random.Random(3)
    secret = game.parse_secret("RGBY")
    guesses = [game.guesses.random(rng) for _ in range(25)]
    items = [
        Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess))
        for guess in guesses
        if guess != secret
    ]
    found = [one for one in certain(followed(game, *items)) if one.position is not None]
    assert [one.symbol for one in found] == list(secret)


def test_facts_are_part_of_proofs() -> None:
    game = gamefile.load("mastermind")
    fact = game.parse_fact("R___")
    [one, *_] = certain(followed(game, fact))
    assert (_what(one), one.turns, one.facts) == ((0, 0, None, False), (), (fact,))
    by_both = certain(followed(game, "RGGG B", fact))
    assert ((1, None, 0, False), (1,), (fact,)) in [(_what(o), o.turns, o.facts) for o in by_both]


def test_in_a_huge_space_the_symbol_counts_make_counts_certain() -> None:
    turns = (
        "ABCBFDCECBCDFFAC BBBBBWWWWWW_", "CABCFCABCBBADEEA BBBWWWWWWWWWW",
        "ABEEDEBAFAADBAEE BBBBWWWWWWWWW", "BAFCCAFCCEECAAEC BBBBBWWWWWW",
        "DADAEBDDAEFDACEE BBBBBBWWWWWW", "CBDCCCEEBDDCCDEB WWWWWWWWWWW",
    )  # fmt: skip
    # The two possible symbol counts are 4 3 3 2 4 0 and 3 3 3 2 4 1.
    found = {_what(one) for one in certain(followed(gamefile.load("16x6"), *turns))}
    assert {(1, None, 3, False), (2, None, 3, False), (3, None, 2, False)} <= found
    assert {(0, None, 3, True), (4, None, 4, False)} <= found
