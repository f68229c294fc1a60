import random
import string
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.codes.alphabet import FOREIGN
from puzzlehunt.codes.constraints import holds
from puzzlehunt.errors import ImpossibleClueError, TooLargeError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.compiled.partitions import popcount_partitions
from puzzlehunt.kernels.packed_codes import array_of, code_of, space_array
from puzzlehunt.rules.notation.count_clue import CountClue
from puzzlehunt.rules.pegs import Pegs, PegsRule, score


@st.composite
def rules(draw: st.DrawFn) -> PegsRule:
    return PegsRule(draw(st.integers(1, 7)), draw(st.integers(1, 12)))


def secrets_for(rule: PegsRule):
    symbols = st.integers(0, rule.symbols - 1)
    return st.lists(symbols, min_size=rule.length, max_size=rule.length).map(tuple)


def guesses_for(rule: PegsRule):
    symbols = st.integers(0, rule.symbols - 1) | st.just(FOREIGN)
    return st.lists(symbols, max_size=rule.length).map(tuple)


@st.composite
def tables(draw: st.DrawFn):
    """A rule, some guesses (short, empty, with foreign symbols), and some secrets."""
    rule = draw(rules())
    guesses = draw(st.lists(guesses_for(rule), min_size=1, max_size=8))
    secrets = draw(st.lists(secrets_for(rule), min_size=1, max_size=30))
    return rule, guesses, secrets


def rows(rule, codes):
    return rule.rows(array_of(codes, rule.length))


# Score: the specification, against what others published.


def test_score_agrees_with_published_tests(published, game_of):
    symbols = string.ascii_uppercase + string.digits
    for row in published("pegs"):
        length = len(row["secret"])
        game = game_of(
            {
                "secret": {"symbols": symbols, "length": str(length)},
                "guess": {"length": f"0-{length}"},
            }
        )
        found = game.score(game.parse_guess(row["guess"]), game.parse_secret(row["secret"]))
        assert row["black"] in ("", str(found.black)), row
        assert row["white"] in ("", str(found.white)), row


def test_score_agrees_with_nethack(published):
    game = gamefile.load("nethack")
    for row in published("nethack"):
        found = game.score(game.parse_guess(row["guess"]), game.parse_secret(row["secret"]))
        assert found == (int(row["gears"]), int(row["tumblers"])), row


def test_the_sentences_of_nethack_are_read_as_their_feedback(published):
    game = gamefile.load("nethack")
    other = {"": "silence", "<OPEN>": "won"}
    for row in published("nethack"):
        guess, message = row["guess"] or '""', row["message"]
        turn = game.parse_turn(f"{guess} {other.get(message, message)}")
        assert list(turn.clue) == [(int(row["gears"]), int(row["tumblers"]))], row


@pytest.mark.parametrize(
    ("guess", "secret", "pegs"),
    [
        ("HORSE", "HEART", Pegs(1, 2)),
        ("AABB", "ABAB", Pegs(2, 2)),
        ("AAAB", "BBBA", Pegs(0, 2)),
        ("", "ABC", Pegs(0, 0)),
        ("CA", "ABC", Pegs(0, 2)),
    ],
)
def test_each_peg_of_the_secret_answers_for_one_of_the_guess(guess, secret, pegs):
    assert score(guess, secret) == pegs


@given(st.data(), rules())
def test_black_and_white_together_do_not_depend_on_positions(data, rule):
    secret = data.draw(secrets_for(rule))
    guess = data.draw(guesses_for(rule))
    shuffled = tuple(data.draw(st.permutations(secret)))
    assert sum(rule.score(guess, secret)) == sum(rule.score(guess, shuffled))


@given(st.data(), rules())
def test_only_the_secret_itself_wins(data, rule):
    secret, guess = data.draw(secrets_for(rule)), data.draw(guesses_for(rule))
    assert rule.score(secret, secret) == rule.winning
    assert (rule.score(guess, secret) == rule.winning) == (guess == secret)


def test_feedbacks_are_all_pairs_and_each_once():
    rule = PegsRule(4, 6)
    assert len(rule.feedbacks) == len(set(rule.feedbacks)) == 15
    assert set(rule.feedbacks) == {(b, w) for b in range(5) for w in range(5 - b)}


# Table and partitions: the same for whole arrays.


@given(tables())
def test_table_is_score(drawn):
    rule, guesses, secrets = drawn
    table = rule.table(rows(rule, guesses), rows(rule, secrets))
    found = [[rule.feedbacks[index] for index in line] for line in table]
    assert found == [[rule.score(guess, secret) for secret in secrets] for guess in guesses]


def counted(rule, guess, secrets, weights):
    counts = Counter()
    for secret, weight in zip(secrets, weights, strict=True):
        counts[rule.score(guess, secret)] += weight
    return [counts[feedback] for feedback in rule.feedbacks]


@given(tables(), st.data())
def test_partitions_count_scores(drawn, data):
    rule, guesses, secrets = drawn
    found = rule.partitions(rows(rule, guesses), rows(rule, secrets))
    assert found.tolist() == [counted(rule, g, secrets, [1] * len(secrets)) for g in guesses]
    quarters = st.integers(1, 40).map(lambda n: n / 4)
    weights = data.draw(st.lists(quarters, min_size=len(secrets), max_size=len(secrets)))
    weighed = rule.partitions(rows(rule, guesses), rows(rule, secrets), np.array(weights))
    assert weighed.tolist() == [counted(rule, g, secrets, weights) for g in guesses]


@pytest.mark.needs("numba")
@given(tables(), st.data())
def test_the_compiled_kernel_counts_scores(drawn, data):
    rule, guesses, secrets = drawn
    many, few = rows(rule, guesses), rows(rule, secrets)
    quarters = st.integers(1, 40).map(lambda n: n / 4)
    weights = data.draw(st.lists(quarters, min_size=len(secrets), max_size=len(secrets)))
    offsets = np.array([rule.feedbacks.index(Pegs(0, t)) for t in range(rule.length + 1)], np.uint8)
    alike = [1] * len(secrets)
    for each, shown in [(np.ones(1, np.int64), alike), (np.array(weights), weights)]:
        counts = np.zeros((len(guesses), len(rule.feedbacks)), each.dtype)
        popcount_partitions(
            many.position_bits,
            many.count_bits,
            few.position_bits,
            few.count_bits,
            offsets,
            each,
            counts,
        )
        assert counts.tolist() == [counted(rule, g, secrets, shown) for g in guesses]


@pytest.mark.parametrize(("length", "symbols"), [(21, 2), (22, 2), (64, 6), (250, 3), (5, 250)])
def test_table_is_score_for_codes_of_any_size(length, symbols):
    rule = PegsRule(length, symbols)
    rng = random.Random(length)
    secrets = [tuple(rng.choices(range(symbols), k=length)) for _ in range(6)]
    guesses = [secrets[0], secrets[1][::-1], (symbols - 1,) * length, (FOREIGN,) * length]
    table = rule.table(rows(rule, guesses), rows(rule, secrets))
    found = [[rule.feedbacks[index] for index in line] for line in table]
    assert found == [[rule.score(guess, secret) for secret in secrets] for guess in guesses]


# Arrays of codes.


@given(st.data(), rules())
def test_arrays_give_their_codes_back(data, rule):
    codes = data.draw(st.lists(guesses_for(rule), max_size=10))
    array = array_of(codes, rule.length)
    assert [code_of(row) for row in array] == codes


@given(st.from_type(Game))
def test_the_array_of_a_space_is_the_space(game):
    for space in (game.secrets, game.guesses):
        array = space_array(space, game.length)
        assert [code_of(row) for row in array] == list(space)


def test_a_space_too_large_for_an_array_is_refused():
    game = gamefile.load("16x6")
    with pytest.raises(TooLargeError, match="use the symbolic engine"):
        space_array(game.secrets, game.length)


# Constraint: the same as bounds.


@st.composite
def clues_for(draw: st.DrawFn, marks: int) -> CountClue:
    """Any box of counts, whoever might write it."""
    ends = st.integers(0, marks)
    ranges = tuple(tuple(sorted((draw(ends), draw(ends)))) for _ in range(3))
    return CountClue(ranges, marks)


@given(st.data(), rules())
def test_constraint_is_score_in_clue(data, rule):
    guess = data.draw(guesses_for(rule))
    clue = data.draw(clues_for(len(guess)))
    constraint = rule.constraint(guess, clue)
    for secret in data.draw(st.lists(secrets_for(rule), min_size=1, max_size=20)):
        assert holds(constraint, secret) == (rule.score(guess, secret) in clue)


@given(st.data(), rules())
def test_refusing_to_win_rules_out_the_guess_alone(data, rule):
    guess, secret = data.draw(guesses_for(rule)), data.draw(secrets_for(rule))
    assert holds(rule.is_not_secret(guess), secret) == (guess != secret)
    assert not holds(rule.is_not_secret(secret), secret)


@given(st.from_type(Game).filter(lambda game: game.boards == 1))
def test_the_constraint_of_a_turn_is_what_the_game_admits(game):
    for turn in game.history.turns:
        constraint = game.constraint(turn)
        for secret in game.secrets:
            feedback = game.score(turn.guess, secret)
            assert holds(constraint, secret) == game.admits(turn, feedback)


# Notation.


@given(st.data(), rules())
def test_a_true_answer_is_never_refused(data, rule):
    guess, secret = data.draw(guesses_for(rule)), data.draw(secrets_for(rule))
    feedback = rule.score(guess, secret)
    clue = rule.full_clue(feedback, guess)
    assert list(clue) == [feedback]
    assert rule.parse(rule.format(clue), guess) == clue
    assert rule.wins(clue) == (guess == secret)


def test_one_peg_out_of_place_alone_cannot_happen():
    rule = PegsRule(4, 6)
    with pytest.raises(ImpossibleClueError, match="3 black, 1 white cannot happen with 4 pegs"):
        rule.parse("BBBW", (0, 1, 2, 3))
    assert list(PegsRule(5, 6).parse("BBBW", (0, 1, 2, 3))) == [(3, 1)]


def test_the_parts_of_a_feedback_count_the_pegs_of_the_guess():
    rule = PegsRule(5, 6)
    assert rule.json_parts(Pegs(1, 2), (0, 1, 2, 3, 4)) == {"black": 1, "white": 2, "miss": 2}
    assert rule.json_parts(Pegs(1, 0), (0, FOREIGN)) == {"black": 1, "white": 0, "miss": 1}
