"""Every rule: its four faces agree with its score, and its score with what others published."""

import csv
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt import kernels
from puzzlehunt.codes import FOREIGN, Code, letters
from puzzlehunt.constraints import holds
from puzzlehunt.errors import IllegalGuessError, ImpossibleClueError, TooLargeError
from puzzlehunt.history import History, Turn
from puzzlehunt.rules import BUILT_IN, find_rule
from puzzlehunt.rules.base import Rule, TileRule
from puzzlehunt.rules.letters import Letters, LettersRule
from puzzlehunt.rules.marks import MarksRule, score
from puzzlehunt.rules.matches import Matches, MatchesRule
from puzzlehunt.rules.merged import MergedRule
from puzzlehunt.rules.near import NearRule
from puzzlehunt.rules.order import OrderRule
from puzzlehunt.rules.pairs import Pairs, PairsRule
from puzzlehunt.rules.pegs import PegsRule

few = settings(max_examples=12)


@dataclass(frozen=True)
class Case:
    """A rule as a game file may ask for it."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    merged: bool = False

    def rule(self, length: int, symbols: tuple[str, ...]) -> Rule:
        rule = find_rule(self.name)(
            length,
            len(symbols),
            marks=self.marks,
            names=self.names,
            options=self.options,
            alphabet=symbols,
        )
        return MergedRule(rule, 2) if self.merged else rule


CASES = {
    "pegs": Case("pegs"),
    "pegs with a mark for a miss": Case("pegs", marks={"miss": "R"}, names={"miss": "red"}),
    "pegs, white before black": Case("pegs", {"counts": ["white", "black"]}),
    "pegs, black alone": Case("pegs", {"counts": "black"}, names={"black": "bull"}),
    "marks": Case("marks"),
    "marks of signs": Case(
        "marks", marks={"right": "+", "elsewhere": "b", "absent": "x", "unknown": "-"}
    ),
    "matches": Case("matches"),
    "letters": Case("letters"),
    "letters with a mark for a miss": Case("letters", marks={"common": "X", "miss": "o"}),
    "order": Case("order"),
    "near": Case("near"),
    "near, within 1": Case("near", {"within": "1"}),
    "pairs": Case("pairs"),
    "two words on one board": Case("marks", merged=True),
    "two words on one board, near": Case("near", {"within": "2"}, merged=True),
}
with_one_secret = pytest.mark.parametrize(
    "case", [case for case in CASES.values() if not case.merged],
    ids=[name for name, case in CASES.items() if not case.merged],
)  # fmt: skip
every_rule = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@st.composite
def rules(draw: st.DrawFn, case: Case) -> Rule:
    length = draw(st.integers(1, 4 if case.merged else 6))
    if case.name == "pairs":
        halves = product("ABC"[: draw(st.integers(1, 3))], "xyz"[: draw(st.integers(1, 3))])
        return case.rule(length, tuple(map("".join, halves)))
    return case.rule(length, letters(draw(st.integers(1, 8))).symbols)


def secrets_for(rule: Rule):
    symbols = st.integers(0, rule.symbols - 1)
    return st.lists(symbols, min_size=rule.length, max_size=rule.length).map(tuple)


def guesses_for(rule: Rule):
    """Guesses of all lengths that the rule takes, foreign symbols among them where it does."""
    width = rule.width if isinstance(rule, TileRule) else rule.length
    one = rule.one if isinstance(rule, MergedRule) else rule
    symbols = st.integers(0, rule.symbols - 1)
    if not one.ordered:
        symbols |= st.just(FOREIGN)
    return st.lists(symbols, min_size=0 if rule.short else width, max_size=width).map(tuple)


@st.composite
def scored(draw: st.DrawFn, case: Case):
    """A rule, some guesses, and some secrets, of which some are among the guesses."""
    rule = draw(rules(case))
    guesses = draw(st.lists(guesses_for(rule), min_size=1, max_size=6))
    secrets = draw(st.lists(secrets_for(rule), min_size=1, max_size=20))
    whole = [guess for guess in guesses if FOREIGN not in guess]
    return rule, guesses, secrets + [guess for guess in whole if len(guess) == rule.length]


@st.composite
def texts_for(draw: st.DrawFn, rule: Rule, guess: Code, truth: tuple[int, ...]) -> str:
    """How somebody writes an answer that could be read in part."""
    if draw(st.integers(0, 9)) == 0:
        return "*"
    if isinstance(rule, TileRule):
        notation = rule.notation
        cells = [
            draw(
                st.sampled_from([notation.marks[digit], notation.unknown, "?", str(digit)])
                | st.permutations(notation.marks).map(
                    lambda marks, digit=digit: f"[{marks[0]}{notation.marks[digit]}]"
                )
            )
            for digit in truth[: rule.width]
        ]
        if isinstance(rule, MergedRule) and truth == (*[2] * rule.width, 0):
            return "".join(notation.marks[digit] for digit in truth)
        return draw(st.sampled_from(["", " ", ", "])).join(cells)
    if isinstance(rule, LettersRule):
        if truth[1]:
            return "won"
        truth = truth[:1]
    kinds = rule.notation.kinds
    counts = (*truth, rule.marks_of(guess) - sum(truth))
    if draw(st.booleans()):
        near = st.integers(0, 1)
        return ", ".join(
            f"{max(0, count - draw(near))}-{count + draw(near)} {kind.label}"
            for kind, count in zip(kinds, counts, strict=True)
            if draw(st.booleans())
        ) or "*"  # fmt: skip
    marks = [kind.mark or "." for kind in kinds]
    cells = []
    for mark, count in zip(marks, counts, strict=True):
        hidden = rule.notation.unknown if mark != "." else "."
        either = st.sampled_from(marks).map(lambda other, mark=mark: f"[{other}{mark}]")
        cells += [draw(st.sampled_from([mark, mark, hidden]) | either) for _ in range(count)]
    return "".join(draw(st.permutations(cells))) or "*"


@st.composite
def read(draw: st.DrawFn, case: Case):
    """A rule, a guess, a secret, and what was written about the answer."""
    rule = draw(rules(case))
    guess, secret = draw(guesses_for(rule)), draw(secrets_for(rule))
    if len(guess) == rule.length and FOREIGN not in guess and draw(st.integers(0, 4)) == 0:
        secret = guess
    return rule, guess, secret, draw(texts_for(rule, guess, rule.score(guess, secret)))


def rows(rule: Rule, codes):
    return rule.rows(kernels.array_of(codes, rule.length))


def test_no_rule_is_left_out_here():
    assert {case.name for case in CASES.values()} == set(BUILT_IN)


# Table and partitions: the same as score, for whole arrays.


@every_rule
@given(st.data())
@few
def test_table_is_score(case, data):
    rule, guesses, secrets = data.draw(scored(case))
    table = rule.table(rows(rule, guesses), rows(rule, secrets))
    found = [[rule.feedbacks[index] for index in line] for line in table.tolist()]
    assert found == [[rule.score(guess, secret) for secret in secrets] for guess in guesses]


@every_rule
@given(st.data())
@few
def test_partitions_count_scores(case, data):
    rule, guesses, secrets = data.draw(scored(case))
    quarters = st.integers(1, 40).map(lambda n: n / 4)
    weights = data.draw(st.lists(quarters, min_size=len(secrets), max_size=len(secrets)))
    counted = rule.partitions(rows(rule, guesses), rows(rule, secrets))
    weighed = rule.partitions(rows(rule, guesses), rows(rule, secrets), np.array(weights))
    for guess, count, weight in zip(guesses, counted.tolist(), weighed.tolist(), strict=True):
        groups, sums = Counter(), Counter()
        for secret, each in zip(secrets, weights, strict=True):
            groups[rule.score(guess, secret)] += 1
            sums[rule.score(guess, secret)] += each
        assert sorted(filter(None, count)) == sorted(groups.values())
        assert sorted(filter(None, weight)) == sorted(sums.values())


@every_rule
def test_no_guess_and_no_secret_make_an_empty_table(case):
    rule = case.rule(3, ("Ax", "Ay", "Bx"))
    some, none = rows(rule, [(0,) * rule.length] * 2), rows(rule, [])
    assert rule.table(some, none).shape == (2, 0)
    assert rule.table(none, some).shape == (0, 2)


@every_rule
@given(st.data())
@few
def test_every_score_is_one_of_the_feedbacks_each_once(case, data):
    rule, guesses, secrets = data.draw(scored(case))
    feedbacks = list(rule.feedbacks)
    assert len(set(feedbacks)) == len(feedbacks)
    assert {rule.score(guess, secret) for guess in guesses for secret in secrets} <= set(feedbacks)
    assert rule.winning in feedbacks


@pytest.mark.parametrize("case", ["marks", "order", "near", "matches", "letters", "pairs"])
@pytest.mark.parametrize("length", [11, 20, 21, 39])
def test_table_is_score_for_long_codes(case, length):
    symbols = ("Ax", "Ay", "Bx", "By", "Cx")
    rule = CASES[case].rule(length, symbols)
    codes = [tuple((p * step + p // 7) % 5 for p in range(length)) for step in range(6)]
    table = rule.table(rows(rule, codes), rows(rule, codes))
    found = [[rule.feedbacks[index] for index in line] for line in table.tolist()]
    assert found == [[rule.score(guess, secret) for secret in codes] for guess in codes]


def test_longer_guesses_than_a_number_holds_are_refused():
    rule = MarksRule(40, 2)
    codes = rows(rule, [(0,) * 40])
    with pytest.raises(TooLargeError, match="40 symbols are too long; at most 39"):
        rule.table(codes, codes)


# Constraint: the same as bounds.


@every_rule
@given(st.data())
@few
def test_constraint_is_score_in_clue(case, data):
    rule, guess, secret, text = data.draw(read(case))
    clue = rule.parse(text, guess)
    constraint = rule.constraint(guess, clue)
    secrets = [secret, *data.draw(st.lists(secrets_for(rule), max_size=20))]
    admitted = [rule.score(guess, other) in clue for other in secrets]
    assert [holds(constraint, other) for other in secrets] == admitted
    array = kernels.array_of(secrets, rule.length)
    assert kernels.satisfied(constraint, array).tolist() == admitted


@every_rule
@given(st.data())
@few
def test_refusing_to_win_rules_out_the_winning_feedback_alone(case, data):
    rule, guesses, secrets = data.draw(scored(case))
    for guess in guesses:
        refused = rule.refuse_winning(guess)
        lost = [rule.score(guess, secret) != rule.winning for secret in secrets]
        assert [holds(refused, secret) for secret in secrets] == lost
        assert kernels.satisfied(refused, kernels.array_of(secrets, rule.length)).tolist() == lost


@with_one_secret
@given(st.data())
@few
def test_only_the_secret_itself_wins(case, data):
    rule, guesses, secrets = data.draw(scored(case))
    for guess, secret in product(guesses, secrets):
        assert rule.score(secret, secret) == rule.winning
        assert (rule.score(guess, secret) == rule.winning) == (guess == secret)


@with_one_secret
@given(st.data())
@few
def test_the_secret_satisfies_the_hints_of_its_own_clues(case, data):
    rule, guess, secret, text = data.draw(read(case))
    clue = rule.parse(text, guess)
    if rule.score(guess, secret) in clue:
        assert holds(rule.hint(guess, clue), secret)


# Notation.


@every_rule
@given(st.data())
@few
def test_a_true_answer_is_never_refused_however_it_is_written(case, data):
    rule, guess, secret, text = data.draw(read(case))
    truth = rule.score(guess, secret)
    clue = rule.parse(text, guess)
    if isinstance(rule, LettersRule) and text == "*":
        assert rule.winning not in clue
    else:
        assert truth in clue
        assert truth in list(clue)
    assert rule.parse(rule.format(clue), guess) == clue


@every_rule
@given(st.data())
@few
def test_an_answer_read_in_full_admits_itself_alone(case, data):
    rule, guess, secret, _ = data.draw(read(case))
    truth = rule.score(guess, secret)
    clue = rule.exactly(truth, guess)
    assert list(clue) == [truth]
    assert rule.parse(rule.format(clue), guess) == clue
    assert rule.wins(clue) == (truth == rule.winning)


@every_rule
@given(st.data())
@few
def test_an_unread_answer_admits_every_score(case, data):
    rule, guess, secret, _ = data.draw(read(case))
    clue = rule.parse("*", guess)
    truth = rule.score(guess, secret)
    assert truth in clue or (isinstance(rule, LettersRule) and truth == rule.winning)
    assert rule.format(clue) == "*"
    assert rule.describe(clue) == "nothing read"


@every_rule
@given(st.data())
@few
def test_clues_and_legends_are_told_in_one_line(case, data):
    rule, guess, _, text = data.draw(read(case))
    for told in (rule.describe(rule.parse(text, guess)), rule.legend(), rule.told):
        assert told.strip()
        assert len(told.splitlines()) == 1


@every_rule
@pytest.mark.parametrize("word", ["won", "solved", " WON "])
def test_won_is_the_winning_feedback(case, word):
    rule = case.rule(3, ("Ax", "Ay", "Bx"))
    assert rule.wins(rule.parse(word, (0, 1, 2)))


@pytest.mark.parametrize(
    ("case", "text", "said"),
    [
        ("pegs", "BBW", "2 black, 1 white cannot happen with 3 pegs"),
        ("pegs, white before black", "1 2", "1 white, 2 black cannot happen with 3 pegs"),
        ("pairs", "BBW", "2 black, 1 white, 0 halves cannot happen with 3 pegs"),
        ("pairs", "BBHH", "2 black, 0 white, 2 halves cannot happen with 3 pegs"),
        ("matches", "4", "'4' cannot happen with 3 pegs"),
        ("letters", "4", "'4' cannot happen with 3 pegs"),
        ("marks", "GGY", "'GGY' cannot happen: no secret could be marked so"),
        ("order", "<__", "'<__' cannot happen: no symbol is earlier seen from Ax"),
        ("order", "__>", "'__>' cannot happen: no symbol is later seen from Bx"),
        ("near", ".__", "'.__' cannot happen: no symbol is far seen from Ax"),
    ],
)
def test_what_no_secret_can_answer_is_refused(case, text, said):
    rule = CASES[case].rule(3, ("Ax", "Ay", "Bx"))
    with pytest.raises(ImpossibleClueError) as error:
        rule.parse(text, (0, 1, 2))
    assert str(error.value) == said


@with_one_secret
def test_a_short_guess_cannot_have_won(case):
    rule = case.rule(3, ("Ax", "Ay", "Bx"))
    if rule.short:
        with pytest.raises(ImpossibleClueError, match="a guess of 2 cannot be the secret of 3"):
            rule.parse("won", (0, 1))


@pytest.mark.parametrize(
    ("case", "feedback", "parts"),
    [
        ("pegs", (1, 2), {"black": 1, "white": 2, "miss": 1}),
        ("pegs, white before black", (2, 1), {"black": 1, "white": 2, "miss": 1}),
        ("pegs, black alone", (1,), {"black": 1, "miss": 3}),
        ("marks", (2, 1, 0, 0), {"marks": "2100"}),
        ("order", (2, 1, 0, 0), {"marks": "2100"}),
        ("near", (2, 1, 0, 0), {"marks": "2100"}),
        ("two words on one board", (2, 1, 0, 0, 0), {"marks": "2100", "found": 0}),
        ("two words on one board", (2, 2, 2, 2, 2), {"marks": "2222", "found": 1}),
        ("matches", (3,), {"matches": 3}),
        ("letters", (3, 0), {"common": 3}),
        ("letters", (4, 1), {"common": 4}),
        ("pairs", (1, 2, 3), {"black": 1, "white": 2, "half": 3}),
    ],
)
def test_the_parts_of_a_feedback_have_the_names_of_the_rule(case, feedback, parts):
    rule = CASES[case].rule(4, ("Ax", "Ay", "Bx", "By"))
    assert rule.parts(feedback, (0, 1, 2, 3)) == parts


# Marks: against what others published, and written a second time.


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("rule", ["marks", "matches", "letters"])
def test_score_agrees_with_published_tests(data, game_of, rule):
    published = rows_of(data / f"{rule}.csv")
    assert published
    for row in published:
        symbols = sorted({*row["secret"], *row["guess"]})
        game = game_of(
            {"secret": {"symbols": symbols, "length": str(len(row["secret"]))}, "rule": rule}
        )
        guess, secret = game.parse_guess(row["guess"]), game.parse_secret(row["secret"])
        feedback = game.score(guess, secret)
        key = {"marks": "marks", "matches": "matches", "letters": "common"}[rule]
        assert str(game.rule.parts(feedback, guess)[key]) == row[key], row
        clue = "won" if guess == secret else row[key]
        assert list(game.parse_clue(clue, guess)) == [feedback], row


def marks_letter_by_letter(guess, secret):
    """Each letter gets as many marks as both have of it: its right tiles first, then from left."""
    marks = [0] * len(guess)
    for letter in set(guess):
        places = [p for p in range(len(guess)) if guess[p] == letter]
        right = [p for p in places if secret[p] == letter]
        others = [p for p in places if p not in right]
        elsewhere = others[: max(0, secret.count(letter) - len(right))]
        for place in right:
            marks[place] = 2
        for place in elsewhere:
            marks[place] = 1
    return tuple(marks)


@given(
    st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.text("ABC", min_size=n, max_size=n)] * 2))
)
def test_marks_are_those_that_a_second_writing_of_the_rule_gives(pair):
    guess, secret = pair
    assert score(guess, secret) == marks_letter_by_letter(guess, secret)


def test_marks_are_those_of_the_second_writing_for_all_codes_of_four():
    codes = list(product(range(3), repeat=4))
    for guess, secret in product(codes, codes):
        assert score(guess, secret) == marks_letter_by_letter(guess, secret)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_marks_are_refused_where_no_secret_gives_them_and_nowhere_else(length):
    symbols = 2 * length
    rule = MarksRule(length, symbols)
    for guess in product(range(min(3, length)), repeat=length):
        given = {rule.score(guess, secret) for secret in product(range(symbols), repeat=length)}
        for digits in product(range(3), repeat=length):
            text = "".join(map(str, digits))
            if digits in given:
                assert list(rule.parse(text, guess)) == [digits]
            else:
                with pytest.raises(ImpossibleClueError, match="no secret could be marked so"):
                    rule.parse(text, guess)


@pytest.mark.parametrize(
    ("guess", "text"),
    [
        ((0, 1, 2, 3, 4), "22221"),
        ((0, 0, 1, 2, 3), "01000"),
        ((0, 0, 0, 1, 2), "20100"),
        ((0, 0, 0, 0, 0), "10000"),
        ((0, 1, 2, 3, 4), "2222Y"),
        ((FOREIGN, 1, 2, 3, 4), "1____"),
        ((FOREIGN, 1, 2, 3, 4), "G____"),
        ((0, 0, 1, 2, 3), ".Y___"),
        ((0, 0, 1, 2, 3), "[.][Y]___"),
    ],
)
def test_marks_that_contradict_each_other_are_refused(guess, text):
    with pytest.raises(ImpossibleClueError, match="no secret could be marked so"):
        MarksRule(5, 26).parse(text, guess)


def test_a_long_row_of_which_little_was_read_is_not_refused():
    """Its first readings, in their order, are all impossible: yellow after absent of a letter."""
    rule = MarksRule(12, 26)
    guess = (0, 0, *range(1, 11))
    clue = rule.parse(".[GY]" + "_" * 10, guess)
    assert (0, 2, *[0] * 10) in clue


# Pegs of which not all is told, and in another order.


def test_counts_are_told_in_the_order_that_the_game_says():
    rule = PegsRule(4, 6, options={"counts": ["white", "black"]})
    assert rule.score((0, 1, 2, 3), (0, 2, 1, 4)) == (2, 1)
    assert list(rule.parse("2 1", (0, 1, 2, 3))) == [(2, 1)]
    assert rule.describe(rule.parse("WWB", (0, 1, 2, 3))) == "2 white, 1 black"
    assert rule.winning == (0, 4)


def test_black_alone_is_counted_as_matches_are():
    rule, matches = PegsRule(4, 6, options={"counts": "black"}), MatchesRule(4, 6)
    for guess, secret in product(product(range(2), repeat=4), repeat=2):
        assert rule.score(guess, secret) == matches.score(guess, secret)


@pytest.mark.parametrize("counts", ["white", ["white"], [], ["black", "black"], ["black", "red"]])
def test_counts_that_are_no_pegs_are_refused(counts):
    with pytest.raises(ValueError, match=r"counts: expected \[black, white\]"):
        PegsRule(4, 6, options={"counts": counts})


# Matches and letters.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", [2]), ("2 matches", [2]), ("2-3", [2, 3]), ("at least 3", [3, 4]), ("MM", [2]),
        ("0", [0]), ("none", [0]), (">2", [3, 4]), ("M_", [2]), ("<= 1", [0, 1]),
        ("no matches", [0]),
    ],
)  # fmt: skip
def test_a_number_alone_counts_matches(text, expected):
    rule = MatchesRule(4, 6)
    assert list(rule.parse(text, (0, 1, 2, 3))) == [Matches(n) for n in expected]


def test_all_letters_in_common_is_not_to_be_right():
    rule = LettersRule(3, 26)
    assert rule.score((0, 1, 2), (2, 1, 0)) == Letters(3, 0)
    assert rule.score((0, 1, 2), (0, 1, 2)) == Letters(3, 1) == rule.winning
    clue, won = rule.parse("3", (0, 1, 2)), rule.parse("won", (0, 1, 2))
    assert list(clue) == [Letters(3, 0)]
    assert list(won) == [Letters(3, 1)]
    assert rule.wins(won)
    assert not rule.wins(clue)
    assert holds(rule.constraint((0, 1, 2), clue), (2, 1, 0))
    assert not holds(rule.constraint((0, 1, 2), clue), (0, 1, 2))


def test_a_letter_counts_as_often_as_both_have_it():
    rule = LettersRule(5, 26)
    assert rule.score((0, 0, 0, 1, 2), (0, 3, 0, 1, 1)) == Letters(3, 0)
    assert rule.score((0, 0), (0, 3, 4, 0, 0)) == Letters(2, 0)
    assert rule.score((FOREIGN, FOREIGN), (0, 3, 4, 0, 0)) == Letters(0, 0)


# Order and near.


def codes(*texts):
    return [tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(c) for c in text) for text in texts]


@pytest.mark.parametrize(
    ("guess", "secret", "marks"),
    [
        ("MEND", "MIND", "=>=="),
        ("MIND", "MEND", "=<=="),
        ("MMMM", "ALMZ", "<<=>"),
        ("ABCD", "ABCD", "===="),
        ("AZAZ", "ZAZA", "><><"),
        ("BBBB", "BBAC", "==<>"),
    ],
)
def test_order_says_on_which_side_each_symbol_of_the_secret_is(guess, secret, marks):
    rule = OrderRule(4, 26)
    one, other = codes(guess, secret)
    assert rule.format(rule.exactly(rule.score(one, other), one)) == marks
    assert list(rule.parse(marks, one)) == [rule.score(one, other)]


@pytest.mark.parametrize("text", ["<=>>", "0 2 1 1", "🔽🟩🔼🔼", "⬇️🟩⬆️⬆️", "🔻🟩🔺🔺", "⏬🟩⏫⏫"])
def test_arrows_point_to_where_the_secret_is(text):
    rule = OrderRule(4, 26)
    assert list(rule.parse(text, codes("MMMM")[0])) == [(0, 2, 1, 1)]


def test_order_may_leave_two_sides_open():
    rule = OrderRule(2, 26)
    guess = codes("MM")[0]
    clue = rule.parse("[<>][<=]", guess)
    assert rule.describe(clue) == "[<>][<=] (2 of two)"
    left = {
        secret
        for secret in product(range(26), repeat=2)
        if holds(rule.constraint(guess, clue), secret)
    }
    assert left == {(a, b) for a, b in product(range(26), repeat=2) if a != 12 and b <= 12}


@pytest.mark.parametrize(
    ("within", "guess", "secret", "marks"),
    [
        (3, "MMMMMM", "MLJINP", "GYY.YY"),
        (3, "MMMMMM", "QMAZIO", ".G...Y"),
        (1, "MMMMM", "KLMNO", ".YGY."),
        (2, "ABYZ", "CDAX", "YY.Y"),
        (25, "AAZZ", "AZAZ", "GYYG"),
    ],
)
def test_near_is_within_some_places_and_not_around_the_end(within, guess, secret, marks):
    rule = NearRule(len(guess), 26, options={"within": str(within)})
    one, other = codes(guess, secret)
    assert rule.format(rule.exactly(rule.score(one, other), one)) == marks
    assert list(rule.parse(marks, one)) == [rule.score(one, other)]


def test_near_is_within_three_places_unless_the_game_says_otherwise():
    assert NearRule(5, 26).within == 3


@pytest.mark.parametrize("within", ["0", "-1", "x", "", "1.5", "1000", ["1"]])
def test_a_distance_that_is_none_is_refused(within):
    with pytest.raises(ValueError, match="within: expected a number of places above 0, not"):
        NearRule(5, 26, options={"within": within})


# Pairs.


@pytest.mark.parametrize(
    ("guess", "secret", "feedback"),
    [
        ("CR SB TG", "CR TB SB", (1, 1, 1)),
        ("CR SB TG", "CR SB TG", (3, 0, 0)),
        ("CR CR CR", "CB SR TG", (0, 0, 2)),
        ("CR SB", "SB CR", (0, 2, 0)),
        ("CR SR", "SR CR", (0, 2, 2)),
        ("CR CR", "CR SB", (1, 0, 0)),
        ("CB CR", "CR CR", (1, 0, 1)),
        ("SG CB", "CR TR", (0, 0, 0)),
    ],
)
def test_pairs_count_in_place_elsewhere_and_halves_in_place(guess, secret, feedback):
    symbols = tuple(map("".join, product("CST", "RGB")))
    one, other = (tuple(map(symbols.index, text.split())) for text in (guess, secret))
    rule = PairsRule(len(one), len(symbols), alphabet=symbols)
    assert rule.score(one, other) == Pairs(*feedback)
    assert list(rule.parse(" ".join(map(str, feedback)), one)) == [feedback]


@pytest.mark.parametrize("alphabet", [(), ("A", "B"), ("Ax", "B")])
def test_pairs_need_symbols_of_two_halves(alphabet):
    with pytest.raises(ValueError, match="the rule pairs needs symbols of two characters or more"):
        PairsRule(2, len(alphabet), alphabet=alphabet)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("[BW].", ["BW", "."]),
        ("[BW][WH]", ["BW", "WH"]),
        ("[BH][BH]", ["BH", "BH"]),
        ("[WH]W", ["WH", "W"]),
        ("[BWH]", ["BWH"]),
        ("_[WH]", ["BWH", "WH"]),
        ("[H.]B", ["H.", "B"]),
        ("[BW][BH][WH]", ["BW", "BH", "WH"]),
    ],
)
def test_marks_of_pairs_that_may_be_one_of_two_admit_what_each_can_be(text, cells):
    """A set of marks of four kinds says more than a range for each kind does."""
    rule = PairsRule(3, 6, alphabet=("Ax", "Ay", "Bx", "By", "Cx", "Cy"))
    kinds = {mark: kind for kind, mark in enumerate("BWH.")}
    readings = {
        tuple(chosen.count(kind) for kind in range(3))
        for chosen in product(*([kinds[mark] for mark in cell] for cell in cells))
    }
    clue = rule.parse(text, (0, 1, 2))
    assert set(clue) == readings
    assert rule.parse(rule.format(clue), (0, 1, 2)) == clue
    for secret in product(range(6), repeat=3):
        expected = rule.score((0, 1, 2), secret) in readings
        assert holds(rule.constraint((0, 1, 2), clue), secret) == expected


# Hard mode.


@pytest.mark.parametrize(
    ("turn", "allowed", "forbidden"),
    [
        ("CRANE G.Y..", ["CLOAK", "CABLE"], ["SLATE", "COULD", "BLACK"]),
        ("LOLLY YY...", ["MODEL", "COULD", "CLOAK"], ["CRANE", "SLATE"]),
        ("CRANE *", ["SLATE", "CRANE", "MODEL"], []),
        ("CRANE [GY]....", ["CLOAK", "BLACK"], ["SLATE"]),
        ("CRANE [G.]....", ["SLATE", "CLOAK"], []),
        ("CRANE ..... ?", ["SLATE", "CRANE"], []),
        ("CRANE GG...", ["CRIMP"], ["CLIMB"]),
    ],
)
def test_hard_mode_keeps_what_is_in_place_and_uses_what_is_elsewhere(
    game_of, turn, allowed, forbidden
):
    words = "[crane, slate, cloak, cable, could, black, model, lemon, alike, crimp, climb, lolly]"
    game = game_of(f"{{secret: {{words: {words}}}, rule: marks, hard: true, turns: ['{turn}']}}")
    for word in allowed:
        game.check_guess(game.parse_guess(word), game.history)
    for word in forbidden:
        with pytest.raises(IllegalGuessError) as error:
            game.check_guess(game.parse_guess(word), game.history)
        assert str(error.value) == (
            f"{word} does not use what row 1 told ({game.format_turn(game.history.turn(1))}); "
            "this is hard mode"
        )


def test_without_hard_mode_any_guess_is_allowed(game_of):
    game = game_of("{secret: {words: [crane, slate]}, rule: marks, turns: [CRANE 22222]}")
    game.check_guess(game.parse_guess("SLATE"), game.history)


@with_one_secret
def test_hard_mode_allows_the_secret_and_judges_guesses_of_every_length(game_of, case):
    value = {
        "secret": {"symbols": ["Ax", "Ay", "Bx"], "length": "3"},
        "rule": {"name": case.name, **case.options},
        "marks": case.marks,
        "names": case.names,
        "hard": "true",
    }
    if find_rule(case.name).short:
        value["guess"] = {"length": "0-3", "foreign": "ignore"}
    game, secret = game_of(value), (0, 1, 2)
    for guess in [(0, 0, 0), (1, 0, 2), (1, 2, 0)]:
        turn = Turn(guess, game.rule.exactly(game.score(guess, secret), guess))
        game.check_guess(secret, History((turn,)))
        for other in [*game.guesses, (FOREIGN, 0, 0)]:
            with suppress(IllegalGuessError):
                game.check_guess(other, History((turn,)))
