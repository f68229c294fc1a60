"""Figures of JSON answers, held against the games that they are about."""

import json

import pytest

import puzzlehunt
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explanation.remaining import CandidatesListed, Remaining, remaining
from puzzlehunt.explanation.review import try_guess
from puzzlehunt.explanation.unread import unread_marks
from puzzlehunt.game.files import gamefile
from puzzlehunt.views.candidates import tried_lines
from puzzlehunt.views.json import advice_json, candidates_json, unread_json


def followed(name, *rows, changes=()):
    game = gamefile.load(name, changes)
    engine = open_engine(game)
    engine.follow([game.parse_turn(row) for row in rows])
    return engine


def ranked_json(engine):
    return unread_json(engine, unread_marks(engine))


def test_an_unread_mark_is_told_with_how_many_its_row_leaves_open(run):
    tiles = ranked_json(followed("wordle", "CRANE G____", "SLOTH .._._"))
    assert {(one["turn"], one["marks"]) for one in tiles["unread"]} == {(1, 4), (2, 2)}
    assert sorted((one["turn"], one["position"]) for one in tiles["unread"]) == [
        (1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (2, 5),
    ]  # fmt: skip
    pegs = ranked_json(followed("cryptic", "HORSE B_W__", "ZONES RR__R"))
    assert {(one["turn"], one["marks"]) for one in pegs["unread"]} == {(1, 3), (2, 2)}
    told = run("suggest", "wordle", "-t", "CRANE G____", "--unread", "--json").out
    assert {one["marks"] for one in json.loads(told)["unread"]} == {4}


def test_unread_marks_have_the_count_of_candidates_and_positions_and_boards_from_1(run):
    told = json.loads(run("suggest", "heart-2018", "--unread", "--top", "1", "--json").out)
    (mark,) = told["unread"]
    assert (told["count"], told["exact"]) == (47, True)
    assert (mark["turn"], mark["guess"], mark["clue"], mark["marks"]) == (24, "PRATE", "BR___", 3)
    assert 0 < mark["bits"] < mark["all_bits"]
    assert {"position", "board"}.isdisjoint(mark)
    boards = run("suggest", "dordle", "CRANE G_.__ .....", "--unread", "--json").out
    placed = [(mark["board"], mark["position"]) for mark in json.loads(boards)["unread"]]
    assert placed == [(1, 5), (1, 2), (1, 4)]
    none = run("suggest", "4x6", "AAAA BBB", "BBBB BB", "--unread", "--json")
    assert (none.status, json.loads(none.out)["unread"]) == (1, [])


def test_a_listing_that_was_stopped_has_no_count_and_asks_for_none():
    for name in ("4x6", "16x6"):
        engine = followed(name)
        codes = remaining(engine, 3).codes
        stopped = Remaining(codes, None, more=True, stopped=True)
        answer = candidates_json(engine, CandidatesListed(stopped))
        assert (answer["count"], answer["exact"]) == (None, False)
        assert "estimate" not in answer
        assert len(answer["candidates"]) == 3
        whole = candidates_json(engine, CandidatesListed(remaining(engine, 3)))
        assert whole["count"] == engine.game.secrets.size or "estimate" in whole


@pytest.mark.parametrize(
    ("name", "strategy", "rows", "unit"),
    [
        ("wordle", "deep", [], "estimated guesses"),
        ("3x10", "deep", [], "estimated guesses"),
        ("3x4", "optimal", [], "guesses on average"),
        ("4x6", "deep", [], "guesses on average"),
        ("3x4", "deep", ["AAB 1b 1w"], "guesses on average"),
    ],
)
def test_guesses_on_average_are_what_play_takes_and_others_are_estimates(
    name, strategy, rows, unit
):
    game = puzzlehunt.load(name, {"play.strategy": strategy, "turns": rows})
    advice = puzzlehunt.suggest(game, top=1, budget=puzzlehunt.Budget(seconds=5))
    assert advice_json(game, advice)["measure"] == unit
    tried = try_guess(puzzlehunt.Adviser(game), puzzlehunt.open_engine(game), advice[0].guess)
    assert ("none better" in " ".join(tried_lines(game, tried))) == (unit != "estimated guesses")
    if strategy == "optimal":
        average = puzzlehunt.run(game).summary("played").average
        assert advice[0].value == pytest.approx(average, abs=1e-4)
