import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes import Notes
from puzzlehunt.game import meaning
from puzzlehunt.game.turn_notation import parse_clue
from random_games import game_of, noisy_game, random_game

seeds = st.integers(0, 100_000)
few = settings(max_examples=4)
more = settings(max_examples=8)

LIES = [[], ["exactly"], ["chance"]]
CHANNELS = [[*more, *lies] for more in ([], ["reads"], ["table"]) for lies in LIES] + [["learn"]]
through = pytest.mark.parametrize("parts", CHANNELS, ids=lambda parts: "+".join(parts) or "perfect")


def chances(game, clues, feedbacks, log_chances="log_chances"):
    """(C, F): the chance of each clue, given each feedback, by a method of the likelihood."""
    method, feedbacks = getattr(meaning.likelihood(game), log_chances), np.array(feedbacks)
    return np.exp([method(clue, feedbacks) for clue in clues])


def any_guess(game, seed):
    return game.guesses.random(random.Random(seed))


def tabled(noted, rows):
    """Every clue that may be noted, and (C, F): its chance in each of some rows.

    Several texts may be read as the same clue.
    """
    found = {}
    for column, row in enumerate(rows):
        for text, chance in row.items():
            found.setdefault(noted.clue(text), np.zeros(len(rows)))[column] += chance
    return list(found), np.array(list(found.values()))


def alike(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-300)


# How likely a clue is: held against all that may happen between an answer and a row.


@through
@given(seeds)
@few
def test_a_clue_is_as_likely_as_all_that_leads_to_it(parts, seed):
    """Half of the misread rows have one mark wrong, and half say anything."""
    game = noisy_game(seed, *parts, rows=0)
    noted = Notes(game, any_guess(game, seed))
    clues, expected = tabled(noted, [noted.right(feedback) for feedback in noted.answers])
    assert chances(game, clues, [*noted.answers]) == alike(expected)
    clues, expected = tabled(noted, [noted.anything()])
    assert np.exp([[meaning.likelihood(game).log_uniform(clue)] for clue in clues]) == alike(
        expected
    )
    some = random.Random(seed).sample(noted.others, min(3, len(noted.others)))
    if some:
        clues, expected = tabled(noted, [noted.wrong(feedback) for feedback in some])
        assert chances(game, clues, some, "log_misread") == alike(expected)


# Clues that leave things open.


CRYPTIC = {
    "secret": {"symbols": "ABC", "length": "3"},
    "marks": {"miss": "R"},
    "reads": {"black": "0.25", "white": "0.5", "miss": "0.8", "misread": "0"},
}
UNMARKED = {
    "secret": {"symbols": "ABC", "length": "3"},
    "reads": {"black": "0.25", "white": "0.5", "miss": "0.4", "misread": "0"},
}


@pytest.mark.parametrize(
    ("value", "clue", "feedback", "expected"),
    [
        (CRYPTIC, "R__", (0, 0), 3 * 0.8 * 0.2**2),
        (CRYPTIC, "B__", (1, 1), 0.25 * 0.5 * 0.2),
        (CRYPTIC, "B__", (2, 0), 2 * 0.25 * 0.75 * 0.2),
        (CRYPTIC, "[BW]__", (1, 1), 0.25 * 0.5 * 0.2 + 0.75 * 0.5 * 0.2),
        (CRYPTIC, "1b 1w 1r", (1, 1), 0.25 * 0.5 * 0.8),
        (CRYPTIC, "=1b", (1, 1), 1),
        (CRYPTIC, ">=1b", (1, 1), 1),
        (UNMARKED, "B_", (1, 0), 0.25 * 2 * 0.6 * 0.4),
        (UNMARKED, "B_", (2, 0), 2 * 0.25 * 0.75 * 0.4),
        (UNMARKED, "none", (0, 0), 0.4**3),
        (UNMARKED, "1 1", (1, 1), 0.25 * 0.5 * 0.4),
        (UNMARKED, "1b", (1, 1), 1),
    ],
)
def test_a_row_is_read_mark_by_mark_and_counts_are_sure(value, clue, feedback, expected):
    """An unread mark may be a miss, also where a miss has no mark."""
    game = game_of(value)
    parsed = game.rule.parse(clue, (0, 1, 2), checked=False)
    assert chances(game, [parsed], [feedback]) == pytest.approx(expected)


# Drawn by chance.


FALSE = [["exactly"], ["chance"], ["table", "exactly"], ["table", "chance"]]


@pytest.mark.parametrize("parts", FALSE, ids="+".join)
@given(seeds)
@few
def test_a_lie_is_drawn_from_all_that_the_game_may_show(parts, seed):
    game = noisy_game(seed, *parts, rows=0)
    rng = random.Random(seed)
    guess = any_guess(game, seed)
    noted, rule = Notes(game, guess), game.rule
    truth = rng.choice(
        [f for f in noted.others if not rule.refusal(guess, rule.notation.full_clue(f, guess))]
    )
    lies = game.channel.lies
    rows = noted.falsified(truth, lies.exactly) if lies.exactly else noted.lie(truth)
    times = 9 * len(rows) if len(rows) < 20 else 30
    drawn = {tuple(meaning.likelihood(game).draw_lie(truth, guess, rng)) for _ in range(times)}
    shown = {noted.answers[feedback] for feedback in drawn}
    assert shown <= {*rows, noted.answers[truth]}
    assert len(rows) >= 20 or len(shown) > 0.9 * len(rows) - 1
    assert tuple(truth) not in drawn or len(rows) <= 1


@pytest.mark.parametrize("kind", ["repeats", "distinct", "words", "tunes", "halves"])
@pytest.mark.parametrize("seed", range(10))
def test_each_mark_that_was_read_is_as_likely_as_any_to_be_unread(kind, seed):
    game = random_game(seed, kind)
    for turn in game.history.turns:
        blurred = turn.clue.erasures()
        assert all(share > 0 for share, _ in blurred)
        assert not blurred or sum(share for share, _ in blurred) == pytest.approx(1)


def test_of_marks_alike_any_may_be_the_one():
    game = game_of(CRYPTIC)
    shares = {}
    for share, clue in parse_clue(game, "BBR", (0, 1, 2)).erasures():
        text = game.rule.notation.format(clue)
        shares[text] = shares.get(text, 0) + share
    assert shares == {"BR_": pytest.approx(2 / 3), "BB_": pytest.approx(1 / 3)}
