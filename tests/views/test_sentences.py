"""Sentences on a board's page say what the answers say, in the words that were recorded."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import puzzlehunt
from positions import followed
from puzzlehunt.engines.base import UNKNOWN, Count
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.explanation.partition import outlook
from puzzlehunt.explanation.remaining import Remaining
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.views.candidates import count_line, rounded
from puzzlehunt.views.sentences import guess_sentence, odds, says_nothing
from puzzlehunt.views.wording import measure_text
from transcripts import PAGES, answered_pages

UNITS = {"million": 10**6, "billion": 10**9, "trillion": 10**12}


def number_of(words):
    """The number that some words say."""
    number, _, unit = words.replace(",", "").partition(" ")
    return Fraction(number) * UNITS.get(unit, 1)


def test_what_a_page_says_is_what_was_recorded():
    small, _ = PAGES
    text = small.read_text(encoding="utf-8")
    assert text.count("\n=> sentence: ") > 15
    assert answered_pages(text) == text


@given(st.one_of(st.integers(1, 10**7), st.integers(1, 10**16), st.integers(1, 10**40)))
def test_a_rounded_number_is_nearly_the_number(number):
    words = rounded(number)
    assert abs(number_of(words) - number) * 20 <= number
    assert len(words) <= 12


@given(st.floats(0.001, 1))
def test_a_chance_is_said_in_hundredths_or_by_the_nearest_number_with_an_error_of_a_tenth(chance):
    said = odds(chance)
    if said.endswith(" %"):
        number = float(said.removesuffix(" %")) / 100
    else:
        nearest = float(number_of(said.removeprefix("1 in ")))
        number = 1 / nearest
        assert abs(nearest - 1 / chance) <= 0.5 or nearest >= 1_000
    assert number == pytest.approx(chance, rel=0.12)


@given(st.integers(0, 10**18), st.integers(0, 10**18))
def test_counts_are_exact_where_they_are_short(low, more):
    if low < 10**15:
        assert count_line(Count.exactly(low)) == f"{low:,} left"
    assert count_line(Count(low, low + more + 1)).startswith("at most ")
    assert not re.search(r"\d", count_line(UNKNOWN))


@pytest.mark.parametrize(("count", "line"), [
    (Count(5_812_345_678, 6_300_000_000, 6_020_000_000), "about 6 billion left (5.8-6.3 billion)"),
    (Count(7_200, 7_530, 7_362), "about 7,400 left (7,200-7,500)"),
    (Count(990_000, 1_100_000, 10**6), "about 1 million left (990,000-1.1 million)"),
    (Count.exactly(3 * 10**21), "about 3e21 left"),
])  # fmt: skip
def test_an_estimate_has_two_digits_and_its_bounds(count, line):
    assert count_line(count) == line
    assert len(line) <= 42


def test_a_list_of_codes_that_are_all_unlikely_says_nothing():
    code = ((0,),)
    assert says_nothing(Remaining(code, 1_001, more=True))
    assert says_nothing(Remaining(code, None, more=True))
    assert says_nothing(Remaining(code, 30, more=True, chances=(0.0009,)))
    assert not says_nothing(Remaining(code, 1_000, more=True))
    assert not says_nothing(Remaining(code, 30_000, more=True, chances=(0.001,)))
    assert not says_nothing(Remaining(code, None, more=False))
    assert not says_nothing(Remaining(code, None, more=True, stopped=True))


def test_a_guess_without_a_value_is_said_with_its_purpose():
    engine = puzzlehunt.open_engine("2x3")
    advice = replace(Adviser(engine.game).advise(engine, 1), question="to settle some")
    said = guess_sentence(engine.game, advice, outlook(engine, advice))
    assert (said.before, said.guess) == ("Try", advice.guesses[0])
    assert said.after == f" {measure_text(advice)}."


@given(st.integers(0, 100_000), st.sampled_from(["repeats", "words", "distinct", "boards"]))
@settings(max_examples=25)
def test_the_sentence_has_the_figures_of_the_best_guess(random_game, seed, kind):
    game = random_game(seed, kind)
    engine = followed(game)
    assume(None in game.winning_guesses(game.history) and engine.satisfiable())
    try:
        advice = Adviser(game).advise(engine, 3)
    except PuzzlehuntError:
        assume(False)
    may = outlook(engine, advice)
    said = str(guess_sentence(game, advice, may))
    guess = game.format_code(advice.suggestions[0].guess)
    assert guess in said
    assert said.endswith(".")
    words = said.replace(guess, "", 1)
    if chance := re.search(r"1 in ([\d,]+|[\d.]+ \w+) to", words):
        assert 1 / number_of(chance[1]) == pytest.approx(may.win, rel=0.12)
    elif chance := re.search(r"([\d.]+) % to", words):
        assert float(chance[1]) / 100 == pytest.approx(may.win, abs=0.006)
    elif "the only one" in words:
        assert may.win == pytest.approx(1)
    elif "cannot" in words:
        assert may.win == 0
    if left := re.search(r"about ([\d,]+) left|leaves about ([\d,]+)", words):
        assert float(number_of(left[1] or left[2])) == pytest.approx(may.left, rel=0.34)
    if "know" in words:
        assert may.left == pytest.approx(1)
