"""The search of hard mode, held against trying every guess that hard mode allows."""

from collections import Counter
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nested_trees import flat
from positions import position_of
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import TreeError
from puzzlehunt.kernels import problem
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.lab import tournament
from puzzlehunt.rules import marks, pegs
from puzzlehunt.strategies.adviser import suggest
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search import branch_and_bound, optimal, proof
from puzzlehunt.strategies.search.optimal import Optimal
from puzzlehunt.strategies.search.tree_file import tree_file, verify
from puzzlehunt.views.tournaments import result_notes

WORDS = ["".join(word) for word in product("abc", repeat=3)]


def keeps_tiles(guess, answer, later):
    used = Counter(symbol for symbol, tile in zip(guess, answer, strict=True) if tile)
    kept = all(g == o for g, o, tile in zip(guess, later, answer, strict=True) if tile == 2)
    return kept and used <= Counter(later)


def fits_pegs(guess, answer, later):
    return pegs.score(guess, later) == answer


def optimum_in_hard_mode(score, keeps, guesses, secrets, attempts):
    """Lost secrets, and guesses in all, of the best play of all that hard mode allows."""

    @cache
    def best(alive, allowed, left):
        if len(alive) == 1:
            return (0, 1)
        if left == 1:
            return (len(alive) - 1, len(alive))
        return min(filter(None, (cost(alive, allowed, left, guess) for guess in allowed)))

    def cost(alive, allowed, left, guess):
        parts = {}
        for secret in alive:
            parts.setdefault(tuple(score(guess, secret)), []).append(secret)
        if len(parts) == 1:
            return None
        lost, total = 0, len(alive)
        for answer, part in parts.items():
            if part != [guess]:
                later = tuple(g for g in allowed if keeps(guess, answer, g))
                more = best(tuple(part), later, left - 1)
                lost, total = lost + more[0], total + more[1]
        return (lost, total)

    return best(tuple(secrets), tuple(guesses), attempts or 9)


def found(strategy, position):
    return divmod(strategy._best(position)[0], problem.UNSOLVED_COST)


@st.composite
def word_games(draw):
    words = draw(st.lists(st.sampled_from(WORDS), min_size=6, max_size=14, unique=True))
    secrets = words[: draw(st.integers(3, min(9, len(words))))]
    return secrets, words, draw(st.sampled_from([None, 2, 3, 4]))


def game_text(secrets, words, attempts):
    limit = "" if attempts is None else f", play: {{attempts: {attempts}}}"
    lists = f"secret: {{words: [{', '.join(secrets)}]}}, guess: {{words: [{', '.join(words)}]}}"
    return f"{{{lists}, rule: marks, hard: true{limit}}}"


def plain_words(game):
    guesses = list(game.guesses)
    return guesses, list(game.secrets)


@given(word_games())
@settings(max_examples=10)
def test_without_a_budget_words_take_what_trying_everything_takes(game_of, case):
    game = game_of(game_text(*case))
    guesses, secrets = plain_words(game)
    expected = optimum_in_hard_mode(marks.score, keeps_tiles, guesses, secrets, case[2])
    assert found(Optimal(), position_of(game)) == expected


@given(word_games(), st.sampled_from([1, 2, 64]))
@settings(max_examples=10)
def test_a_proof_has_bounds_on_both_sides_and_goes_on_from_what_was_noted(game_of, case, at_once):
    game = game_of(game_text(*case))
    expected = found(Optimal(), position_of(game))
    bounds, findings = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(branch_and_bound, "FULLY_SEARCHED", 1)
        patch.setattr(proof, "_AT_ONCE", at_once)
        for known in (0, 1, 3, None):
            strategy, before = Optimal(), findings[:known]
            bounds, findings = [], []
            strategy.proof_log = proof.ProofLog(lambda b=before: b, findings.append, bounds.append)
            assert found(strategy, position_of(game)) == expected
            for each in bounds:
                assert (each.lost[0], each.lower) <= expected <= (each.lost[1], each.upper)
            assert bounds[-1].proved


@given(word_games())
@settings(max_examples=10)
def test_a_larger_budget_never_plays_worse(game_of, case):
    game = game_of(game_text(*case))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(problem, "FULLY_SEARCHED", 2)
        patch.setattr(branch_and_bound, "FULLY_SEARCHED", 2)
        patch.setattr(problem, "_SAFE_WIDTH", 1)
        patch.setattr(branch_and_bound, "_OPENINGS", 3)
        values = [found(Optimal(budget), position_of(game)) for budget in (1, 2, 3, 20)]
    assert all(worse >= better for worse, better in pairwise(values))
    assert values[-1] >= found(Optimal(), position_of(game))


def pegs_text(symbols, length, attempts=None):
    limit = "" if attempts is None else f", play: {{attempts: {attempts}}}"
    secret = f"{{symbols: {symbols}, length: {length}}}"
    return f"{{secret: {secret}, rule: pegs, hard: true{limit}}}"


@pytest.mark.parametrize("at_once", [16, 1], ids=["part by part", "whole"])
@pytest.mark.parametrize(
    ("symbols", "length", "attempts"),
    [("ABC", 2, None), ("ABC", 2, 2), ("ABCD", 2, None), ("ABCD", 2, 3)],
)
def test_pegs_take_what_trying_everything_takes(
    game_of, symbols, length, attempts, at_once, monkeypatch
):
    monkeypatch.setattr(branch_and_bound, "FULLY_SEARCHED", 1)
    monkeypatch.setattr(proof, "_AT_ONCE", at_once)
    game = game_of(pegs_text(symbols, length, attempts))
    codes, _ = plain_words(game)
    expected = optimum_in_hard_mode(pegs.score, fits_pegs, codes, codes, attempts)
    assert found(Optimal(), position_of(game)) == expected


@pytest.mark.parametrize(
    ("secret", "rule", "score", "keeps"),
    [
        ("symbols: ABCD, length: 2", "marks", marks.score, keeps_tiles),
        ("symbols: ABC, length: 3", "marks", marks.score, keeps_tiles),
        ("symbols: ABCD, length: 2, distinct: true", "pegs", pegs.score, fits_pegs),
    ],
)
def test_symbols_by_other_rules_take_what_trying_everything_takes(
    game_of, secret, rule, score, keeps
):
    game = game_of(f"{{secret: {{{secret}}}, rule: {rule}, hard: true}}")
    codes, _ = plain_words(game)
    expected = optimum_in_hard_mode(score, keeps, codes, codes, None)
    assert found(Optimal(), position_of(game)) == expected


def test_symbols_nobody_guessed_are_alike_behind_any_guess(game_of):
    game = game_of(pegs_text("ABCD", 2))
    codes, _ = plain_words(game)
    start, strategy = position_of(game), Optimal()
    for place, guess in list(enumerate(codes))[::4]:
        answers = game.rule.table(start.choices()[0][place : place + 1], start.secrets)[0]
        total = len(codes)
        for answer in np.unique(answers).tolist():
            feedback, left = game.rule.feedbacks[answer], np.flatnonzero(answers == answer)
            allowed = tuple(each for each in codes if fits_pegs(guess, feedback, each))
            if allowed and feedback != game.rule.winning:
                behind = start.after(code_of(start.secrets.codes[place]), left, feedback)
                searched = found(strategy, behind)
                assert searched == optimum_in_hard_mode(
                    pegs.score, fits_pegs, allowed, allowed, None
                )
                total += searched[1]
        place_of = start.secrets.codes[place]
        assert strategy.rate(start, code_of(place_of)).value == round(total / len(codes), 4)


@pytest.mark.parametrize(
    ("secret", "guess", "trouble"),
    [
        ("{symbols: ABC, length: 2, distinct: true}", "{distinct: true}", ""),
        ("{symbols: ABC, length: 2, distinct: true}", "{distinct: false}", "looks like"),
        ("{symbols: ABC, length: 2}", "{length: 1-2}", "looks like"),
    ],
)
def test_guesses_that_cannot_be_scored_as_secrets_are_left_to_lookahead(
    game_of, secret, guess, trouble
):
    game = game_of(f"{{secret: {secret}, guess: {guess}, rule: pegs, hard: true}}")
    found = Optimal(2).unsupported_reason(position_of(game))
    assert trouble in found
    assert bool(found) == bool(trouble)


def test_a_tree_with_a_guess_that_hard_mode_forbids_is_found_out(game_of):
    game = game_of(game_text(["aab", "aba", "abb"], ["aab", "aba", "abb", "ccc"], None))
    branches = {marks.score("aab", word): word for word in ("aba", "abb")}
    parse = game.parse_guess
    below = {answer: (parse(word), 1, {}) for answer, word in branches.items()}
    right = flat((parse("aab"), 5, below))
    assert verify(tree_file(game, "words", right, {}), game)["total"] == 5
    behind = parse("ccc"), 2, {marks.score("ccc", "aba"): (parse("aba"), 1, {})}
    wrong = flat((parse("aab"), 6, below | {marks.score("aab", "aba"): behind}))
    with pytest.raises(TreeError, match=r"CCC does not use the clue of row 1 \(AAB .*hard mode"):
        verify(tree_file(game, "words", wrong, {}), game)


def test_the_lab_plays_what_was_found_with_guesses_that_hard_mode_allows(game_of):
    game = game_of(game_text(WORDS[:20], WORDS, 4)).with_play({"strategy": "deep"})
    lost, total = found(Optimal(2), position_of(game))
    result = tournament.run(game, name="words", budget=2)
    assert lost == 0
    assert max(result.played) <= 4
    assert sum(result.played) <= total
    assert not any("lost" in line for line in result_notes(result))


def test_secrets_that_hard_mode_loses_are_counted(game_of):
    game = game_of(game_text(["aaa", "aab", "aac"], ["aaa", "aab", "aac"], 2))
    result = tournament.run(game.with_play({"strategy": "deep"}), name="words", budget=1)
    assert "found: 1 secret lost, which took more than 2 guesses" in result_notes(result)


def positions_behind_a_guess(game):
    """The positions that some guesses leave, each with what hard mode then allows."""
    start = position_of(game)
    guesses, _ = start.choices()
    rule = game.rule
    for place in range(0, len(guesses), 3):
        row = guesses[place : place + 1]
        answers = rule.table(row, start.secrets)[0]
        for answer in np.unique(answers).tolist():
            feedback = tuple(rule.feedbacks[answer])
            yield start.after(code_of(row.codes[0]), np.flatnonzero(answers == answer), feedback)


@given(word_games(), st.sampled_from([1, 2, None]))
@settings(max_examples=10)
def test_a_person_who_waits_gets_the_guess_and_the_value_of_the_compiled_search(
    game_of, case, budget
):
    game = game_of(game_text(*case))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(problem, "FULLY_SEARCHED", 2)
        patch.setattr(problem, "_SAFE_WIDTH", 2)
        for position in positions_behind_a_guess(game):
            if len(position.candidates) > 1:
                searched, _ = Optimal(budget).rank(position, 1)
                assert Optimal(budget).quickly(position) == searched[0]


def test_pegs_of_a_person_who_waits_get_the_guesses_of_the_compiled_search(game_of):
    game = game_of("{secret: {symbols: ABC, length: 3}, rule: pegs, hard: true}")
    for position in positions_behind_a_guess(game):
        if len(position.candidates) > 1:
            searched, _ = Optimal(3).rank(position, 1)
            assert Optimal(3).quickly(position) == searched[0]


def test_a_search_that_takes_too_long_gives_the_best_guess_so_far_or_none(game_of, monkeypatch):
    game = game_of(game_text(WORDS, WORDS, 3))
    position = max(positions_behind_a_guess(game), key=lambda each: len(each.candidates))
    whole = Optimal().quickly(position)
    monkeypatch.setattr(optimal, "_QUICK_WORK", 40_000)
    part = Optimal().quickly(position)
    assert part is not None
    assert part.value is None or part.value >= whole.value
    monkeypatch.setattr(optimal, "_QUICK_WORK", 1)
    assert Optimal().quickly(position) is None


def test_deep_suggests_the_searched_guess_first_where_a_person_waits(game_of):
    game = game_of(game_text(WORDS, WORDS, 4)).with_play({"strategy": "deep"})
    engine = open_engine(game, "explicit")
    engine.push("AAB ..Y")
    position = Position.of(game, engine, pool=Pool.of(game, engine.secrets()))
    searched, _ = Optimal(5).rank(position, 1)
    advice = suggest(game, ["AAB ..Y"], 3)
    assert advice.suggestions[0] == searched[0]
    assert all(one.value >= searched[0].value for one in advice.suggestions[1:])
