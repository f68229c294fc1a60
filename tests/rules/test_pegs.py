import string
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.errors import TooLargeError
from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.feedback_matrix import table_partitions
from puzzlehunt.kernels.packed_codes import space_array
from puzzlehunt.rules.built_in import Pegs
from random_games import game_of
from rule_cases import CASES, rows, scored

# Score: the specification, against what others published.


def test_score_agrees_with_published_tests(published):
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


# The kernel; what holds of every rule is in `test_rules.py`.


def counted(rule, guess, secrets, weights):
    counts = Counter()
    for secret, weight in zip(secrets, weights, strict=True):
        counts[rule.score(guess, secret)] += weight
    return [counts[feedback] for feedback in rule.feedbacks]


@pytest.mark.needs("numba")
@given(scored(CASES["pegs"]), st.data())
def test_the_compiled_kernels_count_scores(drawn, data):
    from puzzlehunt.kernels.compiled.grouping import popcount_partitions

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


# Arrays of codes.


def test_a_space_too_large_for_an_array_is_refused():
    game = gamefile.load("16x6")
    with pytest.raises(TooLargeError, match="use the symbolic engine"):
        space_array(game.secrets, game.length)


@pytest.mark.slow
def test_a_large_partition_is_the_count_of_its_table():
    game = gamefile.load("nethack")
    rule = game.rule
    guesses = rule.rows(space_array(game.guesses, game.length))
    secrets = rule.rows(space_array(game.secrets, game.length))[::5]
    assert len(guesses) * len(secrets) > 50_000_000
    table = rule.table(guesses, secrets)
    counts = table_partitions(table, len(rule.feedbacks))
    assert (rule.partitions(guesses, secrets) == counts).all()
