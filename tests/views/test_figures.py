"""Figures of plots, tables and JSON, computed here in another way."""

import csv
import io
import json
import math
import re
from collections import Counter
from fractions import Fraction
from statistics import mean, quantiles

import pytest

import puzzlehunt
from puzzlehunt.explanation.remaining import CandidatesListed, remaining
from puzzlehunt.lab.comparison import compare
from puzzlehunt.lab.published import Published, published
from puzzlehunt.lab.trees import candidates_left
from puzzlehunt.strategies.search.proof import Bounds
from puzzlehunt.views.candidates import more_command, more_text, review_table, skill_line
from puzzlehunt.views.json import game_json
from puzzlehunt.views.plots import plot, plot_game
from puzzlehunt.views.tournaments import (
    bounds_line,
    published_json,
    published_table,
    result_csv,
    result_json,
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


def test_an_interval_of_a_sample_is_around_the_average_beside_it():
    found = compare(GAME, ["first", "entropy"], secrets=20)
    table = results_table(found)
    for row in table.rows:
        told = dict(zip(table.header, row, strict=True))
        low, high = map(float, told["95 %"].split("-"))
        assert low < float(told["played"]) < high
        ends = result_json(found.results[told["strategy"]])["interval"]
        assert ends == pytest.approx([low, high], abs=0.0006)


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
    own = published_table([row], [result]).rows[0][5]
    assert own == f"{sum(PLAYED)}, {f'{more:+}' if more else 'the same'}"
    average = round(total / len(CODES), 4)
    row = Published("3x3", "first", "played", "here", len(CODES), average=average)
    own = published_table([row], [result]).rows[0][5]
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
    axes, *_ = plot(comparison, "shrink").figure.axes
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
    all_axes = plot(comparison, "histogram").figure.axes
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
    (axes,) = plot_game(GAME, map(row_text, rows)).figure.axes
    counts = [sum(fits(rows[:end], code) for code in CODES) for end in range(3)]
    assert [bar.get_width() for bar in axes.patches] == counts


# A review.


def bits_of(guess, left):
    """Return the expected information of a guess: the entropy of its answers."""
    shares = [n / len(left) for n in Counter(GAME.score(guess, code) for code in left).values()]
    return sum(share * -math.log2(share) for share in shares)


@pytest.mark.parametrize("secret", ["ABC", "CCB", "BAA"])
def test_a_review_tells_what_was_expected_and_what_the_answers_told(run, secret):
    code, made = GAME.parse_secret(secret), [GAME.parse_guess(text) for text in ("AAA", "ABB")]
    rows = [(guess, GAME.score(guess, code)) for guess in made]
    lefts = [[each for each in CODES if fits(rows[:end], each)] for end in range(3)]
    expected = [bits_of(guess, left) for guess, left in zip(made, lefts, strict=False)]
    gained = [math.log2(len(lefts[n]) / len(lefts[n + 1])) for n in range(2)]
    most = [max(bits_of(guess, left) for guess in CODES) for left in lefts[:2]]
    texts = list(map(row_text, rows))
    told = json.loads(run("review", "3x3", *texts, "--json").out)
    for key, values in (("expected", expected), ("told", gained), ("most", most)):
        assert [turn[key] for turn in told["turns"]] == pytest.approx(values, abs=1e-6), key
    assert [turn["left"] for turn in told["turns"]] == [len(left) for left in lefts[1:]]
    skill, luck = sum(expected) / sum(most), sum(gained) - sum(expected)
    assert (told["contradiction"], *told) == (None, "turns", "skill", "luck", "contradiction")
    assert (told["skill"], told["luck"]) == pytest.approx((skill, luck), abs=1e-6)
    reviewed = puzzlehunt.review(GAME, texts)
    table = review_table(GAME, reviewed)
    shown = [dict(zip(table.header, map(str, row), strict=True)) for row in table.rows]
    for key, values in (("expected", expected), ("told", gained), ("bits", most)):
        assert [float(row[key]) for row in shown] == pytest.approx(values, abs=0.051), key
    numbers = re.findall(r"[-+]?\d+(?:\.\d+)?", skill_line(reviewed))
    assert [float(n) for n in numbers] == pytest.approx([100 * skill, luck], abs=0.51)


# Sentences about candidates and chances.


@pytest.mark.parametrize("limit", [1, 5, 26])
def test_what_is_listed_and_what_is_not_are_all_and_the_next_list_is_longer(limit):
    left = remaining(puzzlehunt.open_engine(GAME), limit)
    assert len(left.codes) + int(more_text(left).split()[2]) == len(CODES)
    listed = CandidatesListed(left, limit=limit)
    assert limit < int(more_command(left, listed).split()[1]) <= len(CODES)


@pytest.mark.parametrize("name", ["wordle", "dordle", "capitals", "bulls-and-cows"])
def test_a_game_is_listed_with_the_number_of_its_secrets_and_of_its_guesses(name):
    game = puzzlehunt.load(name)
    listed, one = game_json(name, game), game.one_board
    assert listed["guesses"] == sum(1 for _ in game.guesses)
    assert listed["secrets"] == sum(1 for _ in one.secrets) ** game.boards
