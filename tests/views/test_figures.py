"""Figures of plots, tables and JSON, computed here in another way."""

import csv
import io
import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from statistics import mean, quantiles

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlehunt
from cases import cases
from player import KeptScreen
from puzzlehunt.engines import open_engine
from puzzlehunt.engines.base import UNKNOWN, Count
from puzzlehunt.errors import TooLargeError
from puzzlehunt.explanation.remaining import CandidatesListed, Remaining, remaining
from puzzlehunt.explanation.review import try_guess
from puzzlehunt.game.files import gamefile
from puzzlehunt.lab.comparison import Published, compare, published
from puzzlehunt.lab.trees import candidates_left
from puzzlehunt.strategies import Adviser
from puzzlehunt.strategies.search.proof import Bounds
from puzzlehunt.views.candidates import (
    count_line,
    more_text,
    rounded,
    says_nothing,
    show_suggestions,
    show_tried,
)
from puzzlehunt.views.json import advice_json, candidates_json, game_json
from puzzlehunt.views.plots import plot
from puzzlehunt.views.tournaments import (
    bounds_line,
    published_json,
    published_table,
    result_csv,
    results_table,
)

GAME = puzzlehunt.load("3x3")
CODES = list(GAME.secrets)


def fits(rows, code):
    return all(GAME.score(guess, code) == answer for guess, answer in rows)


def row_text(row):
    guess, answer = row
    clue = GAME.rule.notation.full_clue(answer, guess)
    return f"{GAME.format_code(guess)} {GAME.rule.notation.format(clue)}"


def first_candidates(secret, last):
    """Return the guesses and the candidates left after each, of play by the first or last one."""
    left, guesses, counts = CODES, [], [len(CODES)]
    while not guesses or guesses[-1] != secret:
        guesses.append(left[-1 if last and len(guesses) else 0])
        answer = GAME.score(guesses[-1], secret)
        left = [code for code in left if GAME.score(guesses[-1], code) == answer]
        counts.append(len(left))
    return guesses, counts


GAMES = {secret: first_candidates(secret, last=False) for secret in CODES}
PLAYED = [len(guesses) for guesses, _ in GAMES.values()]
KNOWN = [counts.index(1) for _, counts in GAMES.values()]


@pytest.fixture(scope="module")
def comparison():
    """All games of the strategy whose guesses are known here, beside those of another."""
    return compare(GAME, ["first", "entropy"])


# Tournaments.


def test_a_table_of_games_has_for_each_secret_both_numbers_of_guesses(comparison):
    rows = list(csv.DictReader(io.StringIO(result_csv(comparison.results["first"]))))
    found = {
        GAME.parse_secret(row["secret"]): (int(row["played"]), int(row["known"])) for row in rows
    }
    assert found == dict(zip(CODES, zip(PLAYED, KNOWN, strict=True), strict=True))


def test_averages_worst_and_totals_are_those_of_the_games(comparison):
    table = results_table(comparison)
    (cells,) = (row for row in table.rows if row[0] == "first")
    told = dict(zip(table.header, cells, strict=True))
    for games, played, known in ((PLAYED, "played", ""), (KNOWN, "known", " known")):
        assert told[played] == f"{mean(games):.4f}"
        assert (told[f"worst{known}"], told[f"total{known}"]) == (str(max(games)), str(sum(games)))


@pytest.mark.parametrize("attempts", [None, 3])
def test_differences_are_paired_secret_by_secret(run, comparison, attempts):
    others = comparison.results["entropy"].guesses["played"].tolist()
    asked = ["lab", "compare", "3x3", "--strategy", "first", "--strategy", "entropy", "--published"]
    limit = ["--set", f"play.attempts={attempts}"] if attempts else []
    told = json.loads(run(*asked, "--json", *limit).out)
    (pair,), (first, other) = told["pairs"], told["results"]
    assert (told["games"], told["sampled"], told["published"]) == (len(CODES), False, [])
    assert pair["total"] == first["total"] - other["total"] == sum(PLAYED) - sum(others)
    assert pair["mean"] == pytest.approx(mean(PLAYED) - mean(others), abs=1e-6)
    lost = [sum(n > attempts for n in games) for games in (PLAYED, others) if attempts]
    assert [first["losses"], other["losses"]] == (lost or [None, None])
    assert pair["losses"] == (lost[0] - lost[1] if lost else None) != pair["total"]


def test_bounds_are_shown_in_all_and_on_average():
    line = bounds_line(Bounds(70, 81), GAME)
    low, high, least, most = map(Fraction, re.findall(r"\d+(?:\.\d+)?", line))
    assert (low, high, least, most) == (70, 81, Fraction("2.5926"), 3)


# Published figures.


def test_a_published_average_is_in_json_as_the_source_has_it_or_by_its_total():
    for row in published("4x6"):
        total = None if row.total is None else row.total / 1296
        assert published_json(row)["average"] == pytest.approx(total or row.average, abs=1e-6)


@pytest.mark.parametrize("more", [0, 4, -2])
def test_ones_own_result_stands_beside_a_published_one_with_its_difference(comparison, more):
    total, result = sum(PLAYED) - more, comparison.results["first"]
    row = Published("3x3", "first", "played", "here", len(CODES), total=total)
    own = published_table([row], [result]).rows[0][-2]
    assert own == f"{sum(PLAYED)}, {f'{more:+}' if more else 'the same'}"
    average = round(total / len(CODES), 4)
    row = Published("3x3", "first", "played", "here", len(CODES), average=average)
    own = published_table([row], [result]).rows[0][-2]
    assert own.split(", ")[0] == f"{mean(PLAYED):.4f}"
    assert float(own.split(", ")[1]) == pytest.approx(mean(PLAYED) - average, abs=1e-4)


@pytest.mark.parametrize("attempts", [max(PLAYED) - 1, max(PLAYED)])
def test_a_limit_that_no_game_exceeds_leaves_a_result_beside_a_published_one(attempts):
    result = puzzlehunt.run(GAME.with_play({"strategy": "first", "attempts": attempts}))
    row = Published("3x3", "first", "played", "here", len(CODES), worst=max(PLAYED))
    assert row.fits(result) == (attempts == max(PLAYED))


# Pictures.


@pytest.mark.needs("matplotlib")
def test_a_curve_has_the_medians_and_the_middle_half_of_the_games(comparison):
    axes, *_ = plot(comparison, kind="shrink").figure.axes
    longest = max(KNOWN)
    turns = [
        [counts[turn] if turn < len(counts) else 1 for _, counts in GAMES.values()]
        for turn in range(longest + 1)
    ]
    assert candidates_left(comparison.results["first"]).tolist() == turns
    expected = [quantiles(left, n=4, method="inclusive") for left in turns]
    (line,), (area,) = axes.lines, axes.collections
    assert line.get_ydata() == pytest.approx([middle for _, middle, _ in expected])
    corners = area.get_paths()[0].vertices
    drawn = [corners[corners[:, 0] == turn, 1] for turn in range(longest + 1)]
    assert [[min(of), max(of)] for of in drawn] == [[low, high] for low, _, high in expected]


@pytest.mark.needs("matplotlib")
def test_bars_count_games_and_a_line_is_their_average(comparison):
    all_axes = plot(comparison, kind="histogram").figure.axes
    first, last = all_axes[0], all_axes[-1]
    bars = {bar.get_x() + bar.get_width() / 2: bar.get_height() for bar in first.patches}
    assert bars == pytest.approx(Counter(PLAYED))
    assert first.lines[0].get_xdata()[0] == pytest.approx(mean(PLAYED))
    worst = max(int(result.guesses["played"].max()) for result in comparison.results.values())
    assert last.get_xticks().tolist() == list(range(1, worst + 1))


@pytest.mark.needs("matplotlib")
def test_bars_of_one_game_are_the_candidates_after_each_row():
    secret, made = CODES[5], [CODES[1], CODES[6]]
    rows = [(guess, GAME.score(guess, secret)) for guess in made]
    (axes,) = plot(GAME, map(row_text, rows)).figure.axes
    counts = [sum(fits(rows[:end], code) for code in CODES) for end in range(3)]
    assert [bar.get_width() for bar in axes.patches] == counts


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("3x4", {"strategy": "entropy"}),
        ("3x4", {"strategy": "parts", "opening": "AAB", "pool": "candidates"}),
        ("3x4", {"strategy": "consistent", "seed": 3}),
        ("3x4 hard", {"strategy": "deep"}),
    ],
)
def test_candidates_shrink_as_they_do_in_games_played_one_by_one(name, settings):
    size, *hard = name.split()
    game = puzzlehunt.load(size, ["hard=true"] * len(hard)).with_play(settings)
    result = puzzlehunt.run(game, name=name)
    left = candidates_left(result)
    assert (left[0] == 64).all()
    assert (np.diff(left, axis=0) <= 0).all()
    assert (left[-1] == 1).all()
    found = (left == 1).argmax(axis=0)
    assert np.array_equal(found, result.guesses["known"])


@pytest.mark.needs("matplotlib")
def test_plot_writes_what_it_is_asked_for_and_never_over_a_file(run, home):
    assert run("lab", "plot", "2x3", "--kind", "shrink", "-o", "a.svg").status == 0
    before = Path("a.svg").read_bytes()
    done = run("lab", "plot", "2x3", "--kind", "histogram", "-o", "a.svg")
    assert (done.status, Path("a.svg").read_bytes()) == (2, before)
    assert run("lab", "plot", "2x3", "--kind", "histogram", "-o", "a.svg", "--force").status == 0
    assert Path("a.svg").read_bytes() != before


def test_what_cannot_be_counted_cannot_be_drawn():
    game = puzzlehunt.load("2x3").with_play({"strategy": "consistent", "engine": "symbolic"})
    with pytest.raises(TooLargeError, match="where all can be counted"):
        candidates_left(puzzlehunt.run(game, name="2x3", secrets=1))


# JSON.


def test_a_listing_that_was_stopped_has_no_count_and_asks_for_none():
    for name in ("4x6", "16x6"):
        engine = open_engine(name)
        codes = remaining(engine, 3).codes
        stopped = Remaining(codes, None, more=True, stopped=True)
        answer = candidates_json(engine, CandidatesListed(stopped))
        assert (answer["count"], answer["exact"]) == (None, False)
        assert "estimate" not in answer
        assert len(answer["candidates"]) == 3
        whole = candidates_json(engine, CandidatesListed(remaining(engine, 3)))
        assert whole["count"] == engine.game.secrets.size or "estimate" in whole


@pytest.mark.parametrize(("name", "strategy", "unit", "row"), cases("units of guesses"))
def test_guesses_on_average_are_what_play_takes_and_others_are_estimates(name, strategy, unit, row):
    game = puzzlehunt.load(name, {"play.strategy": strategy, "turns": [row] if row else []})
    advice = puzzlehunt.suggest(game, top=1, budget=puzzlehunt.Budget(seconds=5))
    assert advice_json(advice)["measure"] == unit
    tried = try_guess(Adviser(game), open_engine(game), advice[0].code)
    screen = KeptScreen()
    show_tried(tried, screen)
    assert ("none is better" in screen.take()[0]) == (unit != "estimated guesses")
    if strategy == "optimal":
        average = puzzlehunt.run(game).summary("played").average
        assert advice[0].value == pytest.approx(average, abs=1e-4)


# Sentences about candidates and chances.


@pytest.mark.parametrize("limit", [1, 5, 26])
def test_what_is_listed_and_what_is_not_are_all(limit):
    left = remaining(open_engine(GAME), limit)
    assert len(left.codes) + int(more_text(left).split()[2]) == len(CODES)


@pytest.mark.parametrize(("chances", "outside", "said"), [
    ((0.5, 0.2), None, "... and 8 more, 30 %"),
    ((0.5, 0.2), 0.1, "... and 8 more, 20 %"),
    ((0.5, 0.5000001), 0.0, "... and 8 more, 0.0 %"),
    ((0.0002, 0.0001), 0.1, "... and 8 more"),
    ((), None, "... and 8 more"),
])  # fmt: skip
def test_chances_that_are_listed_and_the_rest_are_all(chances, outside, said):
    assert more_text(Remaining(((0,), (1,)), 10, True, chances, outside=outside)) == said


@pytest.mark.parametrize(("chances", "title", "each"), [
    ((None,) * 3, "may win", "each may win"),
    ((0.25,) * 3, "wins", "each: wins 25 %"),
    ((0.25, 0.25, 0.26), "wins", ""),
    ((0.25,) * 2, "wins", ""),
])  # fmt: skip
def test_what_all_suggestions_have_is_said_once(chances, title, each):
    one = puzzlehunt.suggest("4x6", top=1)[0]
    some = tuple(replace(one, chance=chance) for chance in chances)
    advice = replace(puzzlehunt.suggest("4x6", top=1), suggestions=some)
    screen = KeptScreen()
    show_suggestions(advice, screen)
    results, notes = screen.take()
    assert (title in results) == (not each)
    assert (f"({each})" in notes) == bool(each)


def test_a_guess_of_a_length_that_no_secret_has_says_so():
    assert "AABC 5.26 3,720 no, 4 symbols" in " ".join(
        str(puzzlehunt.suggest("nethack", top=5)).split()
    )


@pytest.mark.parametrize("name", ["wordle", "dordle", "capitals", "bulls-and-cows"])
def test_a_game_is_listed_with_the_number_of_its_secrets_and_of_its_guesses(name):
    game = puzzlehunt.load(name)
    listed, one = game_json(name, game, gamefile.document_of(name)), game.one_board
    assert listed["guesses"] == sum(1 for _ in game.guesses)
    assert listed["secrets"] == sum(1 for _ in one.secrets) ** game.boards


# Numbers in sentences, and lists that say nothing.


UNITS = {"million": 10**6, "billion": 10**9, "trillion": 10**12}


def number_of(words):
    """The number that some words say."""
    number, _, unit = words.replace(",", "").partition(" ")
    return Fraction(number) * UNITS.get(unit, 1)


@given(st.one_of(st.integers(1, 10**7), st.integers(1, 10**16), st.integers(1, 10**40)))
def test_a_rounded_number_is_nearly_the_number(number):
    words = rounded(number)
    assert abs(number_of(words) - number) * 20 <= number
    assert len(words) <= 12


@given(st.integers(0, 10**18), st.integers(0, 10**18))
def test_counts_are_exact_where_they_are_short(low, more):
    if low < 10**15:
        assert count_line(Count.of(low)) == f"{low:,} left"
    assert count_line(Count(low, low + more + 1)).startswith("at most ")
    assert not re.search(r"\d", count_line(UNKNOWN))


@pytest.mark.parametrize(("count", "line"), [
    (Count(5_812_345_678, 6_300_000_000, 6_020_000_000), "about 6 billion left (5.8-6.3 billion)"),
    (Count(7_200, 7_530, 7_362), "about 7,400 left (7,200-7,500)"),
    (Count(990_000, 1_100_000, 10**6), "about 1 million left (990,000-1.1 million)"),
    (Count(7_310, 7_340, 7_320), "about 7,300 left"),
    (Count.of(3 * 10**21), "about 3e21 left"),
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
