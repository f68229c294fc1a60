"""Rows that may lie, and doubted rows, as logic takes them: the engines, the export, and costs.

Held against a brute force that shares no code with the channel.
"""

import re
from itertools import combinations

import pytest

from puzzlehunt.channel.model import prior_of_lies
from puzzlehunt.engines.smtlib import script
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History

# The script.


def test_a_script_says_which_rows_may_lie_and_how_many(game_of):
    game = game_of(
        "{secret: {symbols: AB, length: 2}, lies: {at_most: 1},"
        " turns: [AA B, AB W ?, 'BA *', AB won], facts: [contains A]}"
    )
    text = script(game, game.history)
    assert re.findall(r"^\(declare-const (lie_\d) Bool\)$", text, re.MULTILINE) == [
        "lie_1",
        "lie_3",
    ]
    assert "\n; lie_N: turn N lies; 1 does at most.\n(assert (! (<= (+ (ite lie_1 1 0)" in text
    assert "lie" not in script(gamefile.load("4x6"), History())


def test_a_model_that_breaks_more_rows_than_may_lie_is_refused(run):
    rows = ("-t", "RRRR BBB ?", "-t", "RRGG none", "-t", "BBYY none")
    model = " ".join(f"(define-fun p{n}_{s} () Bool true)" for n, s in enumerate("RRBB", start=1))
    told = run("export", "liar", *rows, "--read", "-", stdin=f"sat ({model})")
    assert told.status == 1
    assert told.err == "puzzlehunt: RRBB does not fit the rows\n"
    told = run("export", "liar", *rows[:4], "--read", "-", stdin=f"sat ({model})")
    assert (told.status, told.out) == (0, "RRBB\n")


@pytest.mark.parametrize(("played", "length"), [(2, 5), (3, 3), (4, 2), (0, 3)])
@pytest.mark.parametrize("most", [0, 1, 2, 7])
def test_the_prior_of_a_set_of_lies_counts_all_sets_of_as_many_turns(played, length, most):
    turns = max(played, length)
    numbers = range(min(most, turns) + 1)
    for lies in range(played + 2):
        shares = []
        for number in numbers:
            sets = list(combinations(range(turns), number))
            given = [one for one in sets if [n for n in one if n < played] == list(range(lies))]
            shares.append(len(given) / len(sets) if lies <= played else 0)
        expected = sum(shares) / len(numbers)
        assert prior_of_lies(lies, played, most, length) == pytest.approx(expected)
