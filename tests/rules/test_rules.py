"""Every rule: its four faces agree with its score, and its score with what others published."""

import json
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from puzzlehunt.codes.alphabet import FOREIGN
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.game.turn_notation import parse_clue
from puzzlehunt.rules.built_in import LettersRule
from puzzlehunt.rules.testing import check_clue, check_rule, check_scores
from random_games import game_of, random_game
from rule_cases import CASES, every_rule, read, scored, secrets_for

few = settings(max_examples=8)


# The other faces are the same as the score.


@every_rule
@given(st.data())
@few
def test_arrays_and_refusals_are_the_score(case, data):
    rule, guesses, secrets = data.draw(scored(case))
    check_scores(rule, guesses, secrets)


@every_rule
@given(st.data())
@few
def test_a_true_answer_is_read_however_it_is_written_and_bounds_the_secret(case, data):
    rule, guess, secret, text = data.draw(read(case))
    truth = rule.score(guess, secret)
    is_said = isinstance(rule, LettersRule) and truth == rule.winning  # `*` means it did not win
    assert (truth in rule.parse("*", guess)) != is_said
    secrets = [secret, *data.draw(st.lists(secrets_for(rule), max_size=20))]
    check_clue(rule, guess, truth, "won" if is_said else text, secrets)


@pytest.mark.parametrize("number", [60, pytest.param(300, marks=pytest.mark.slow)])
def test_words_of_several_lengths_are_scored_alike_in_all_faces(number):
    for seed in range(number):
        check_rule(random_game(seed, "lengths"), seed)


@pytest.mark.parametrize("rule", ["pegs", "matches", "letters", "marks"])
def test_all_marks_right_are_the_win_where_no_other_secret_gets_them(rule):
    words = {"words": ["on", "no", "one", "tone", "tan"], "length": "2-4"}
    game = game_of({"secret": words, "rule": rule})
    won = {"pegs": "BBBB", "matches": "MMMM", "letters": "CCCC", "marks": "GGGG"}[rule]
    found = [g for g in ("ON", "NO", "ONE", "TONE", "TAN") if _wins(game, g, won[: len(g)])]
    assert found == (["TONE", "TAN"] if rule == "letters" else ["NO", "ONE", "TONE", "TAN"])
    assert not _wins(game, "TEN", won[:3])  # which is in no list
    assert all(_wins(game, guess, "won") for guess in ("ON", "NO", "ONE", "TONE", "TAN"))
    assert game.score("ON", "ON") == game.rule.winning != game.score("ON", "ONE")


def _wins(game, guess, clue):
    return game.rule.wins(parse_clue(game, clue, guess))


# Tables of any size.


@pytest.mark.parametrize(
    ("case", "length", "symbols"),
    [
        *product(["marks", "order", "near", "matches", "letters", "pairs"], [11, 20, 21, 39], [5]),
        *[("pegs", *size) for size in [(21, 2), (22, 2), (64, 6), (250, 3), (5, 250)]],
    ],
)
def test_table_is_score_for_codes_of_any_size(case, length, symbols):
    rule = CASES[case].rule(length, tuple(f"{n // 2}{'xy'[n % 2]}" for n in range(symbols)))
    codes = [tuple((p * step + p // 7) % symbols for p in range(length)) for step in range(6)]
    foreign = [] if rule.compares_symbols else [(FOREIGN,) * length]
    table = rule.table(rule.rows_of([*codes, *foreign]), rule.rows_of(codes))
    for guess, indices in zip([*codes, *foreign], table.tolist(), strict=True):
        assert [rule.feedbacks[n] for n in indices] == [rule.score(guess, s) for s in codes]


# Notation.


@every_rule
@pytest.mark.parametrize("length", [2, 3])
def test_what_is_refused_is_what_no_secret_answers(case, length):
    """By brute force, foreign symbols among the guesses. Repeated symbols are not looked into."""
    rule = case.rule(length, ("Ax", "Ay", "Bx", "By"))
    secrets = list(product(range(4), repeat=length))
    symbols = range(4) if rule.compares_symbols else range(FOREIGN, 4)
    for guess in product(symbols, repeat=length):
        answers = {rule.score(guess, secret) for secret in secrets} - {rule.winning}
        others = [feedback for feedback in rule.feedbacks if feedback != rule.winning]
        clues = {feedback: rule.notation.full_clue(feedback, guess) for feedback in others}
        taken = {feedback for feedback, clue in clues.items() if not rule.refusal(guess, clue)}
        assert answers <= taken
        known = [symbol for symbol in guess if symbol != FOREIGN]
        if len({*known}) == len(known) and rule.name != "pairs":
            assert answers == taken


@every_rule
def test_a_short_guess_cannot_have_won(case):
    rule = case.rule(3, ("Ax", "Ay", "Bx"))
    if rule.short_guesses:
        with pytest.raises(ImpossibleClueError, match="a guess of 2 cannot be a secret of 3"):
            rule.parse("won", (0, 1))


@pytest.mark.parametrize(("case", "feedback", "parts"), cases("parts of feedbacks"))
def test_the_parts_of_a_feedback_have_the_names_of_the_rule(case, feedback, parts):
    rule = CASES[case].rule(4, ("Ax", "Ay", "Bx", "By"))
    feedback = tuple(map(int, feedback.split()))
    assert rule.json_parts(feedback, (0, 1, 2, 3)) == json.loads(parts)


# Score: the specification, against what others published.


@pytest.mark.parametrize("rule", ["marks", "matches", "letters"])
def test_score_agrees_with_published_tests(published, rule):
    triples = published(rule)
    assert triples
    for row in triples:
        symbols = sorted({*row["secret"], *row["guess"]})
        game = game_of(
            {"secret": {"symbols": symbols, "length": str(len(row["secret"]))}, "rule": rule}
        )
        guess, secret = game.parse_guess(row["guess"]), game.parse_secret(row["secret"])
        feedback = game.score(guess, secret)
        key = {"marks": "marks", "matches": "matches", "letters": "common"}[rule]
        assert str(game.rule.json_parts(feedback, guess)[key]) == row[key], row
        clue = "won" if guess == secret else row[key]
        assert list(parse_clue(game, clue, guess)) == [feedback], row
