"""Why a code is out: each reason is told as what it is."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from player import Player
from puzzlehunt.explanation.why import Reason, not_a_secret
from puzzlehunt.game.files import gamefile

Make = Callable[..., Any]
COMMON = ("secret.words=common", "guess.words=large", "play.opening=CRANE", "play.strategy=entropy")
PAIR = "secret={words: [CRANE, HOUSE, MOIST], length: 5}"
SETTINGS = {"wordle": COMMON, "xordle": (PAIR, *COMMON[1:])}
REASONS = [
    ("cryptic", "GEESE", Reason.REPEATED_SYMBOL, "E repeated, and no letter may be"),
    ("bulls-and-cows", "1123", Reason.REPEATED_SYMBOL, "1 repeated, and no symbol may be"),
    ("wordle", "AALII", Reason.WIDER_LIST, "only in the wider list large"),
    ("wordle", "QQQQQ", Reason.NO_LIST, "it is in no list"),
    ("nerdle", "12+13=26", Reason.FORMULA, "12+13=26: 12+13 is 25, not 26"),
    ("nerdle", "01+01=02", Reason.GUESS_ONLY, "it may be guessed, but is never hidden"),
    ("primel", "12345", Reason.FORMULA, "12345 is not prime: 3 x 4115"),
    ("xordle", "CRANE/CRANE", Reason.SAME_TWICE, "the two must differ"),
    ("xordle", "CRANE/HOUSE", Reason.SHARED_SYMBOL, "E in both, and no letter may be"),
    ("xordle", "MOIST/QQQQQ", Reason.NO_LIST, "QQQQQ is in no list"),
    ("xordle", "MOIST/SLATE", Reason.GUESS_ONLY, "SLATE may be guessed, but is never hidden"),
]


@pytest.mark.parametrize(("name", "code", "reason", "text"), REASONS)
def test_a_code_that_is_never_hidden_is_told_why(
    name: str, code: str, reason: Reason, text: str
) -> None:
    player = Player(name, settings=SETTINGS.get(name, ()))
    assert player.say(f"/why {code}").out == f"{code} is no secret here: {text}\n"
    game = player.session.game
    why = not_a_secret(game, game.parse_secret(code))
    assert why is not None
    assert why.reason == reason


def test_a_letter_that_is_none_is_named() -> None:
    assert "'3' is no symbol of this game" in Player("wordle").say("/why H3ART").notes


@pytest.mark.parametrize("command", ["why", "try"])
def test_without_a_code_the_program_asks_which(command: str) -> None:
    player = Player("wordle").say(f"/{command}")
    assert player.notes == f"! which code? e.g. /{command} {player.suggested}\n"


def test_what_may_be_hidden_has_no_reason_against_it() -> None:
    game = gamefile.load("mastermind")
    assert not_a_secret(game, game.parse_secret("RRRR")) is None
    assert Player("mastermind").say("/why RRRR").out == "RRRR: still in\n"


def test_what_may_only_be_guessed_is_told_by_what_it_breaks() -> None:
    outside = gamefile.load("bulls-and-cows", ("guess.distinct=false",))
    told = not_a_secret(outside, outside.parse_secret("1123"))
    assert told is not None
    assert told.reason == Reason.REPEATED_SYMBOL


def test_rows_facts_and_lists_are_told_each_as_such() -> None:
    player = Player("wordle", settings=COMMON).say("CRANE GY..G", "/fact no L", "/why AALII")
    assert player.out.splitlines()[-4:] == [
        "AALII is out by 1. CRANE GY..G",
        "  it would show ..Y.., 4 marks off",
        "AALII is out by fact: no L",
        "AALII is no secret here: only in the wider list large",
    ]
    assert player.say("/why CRANE").out.splitlines() == [
        "CRANE is out by 1. CRANE GY..G",
        "  it was guessed, and was not the secret",
    ]


def test_explain_says_the_same_and_json_names_each_kind(run: Make) -> None:
    lists = ("--words", "common", "--guesses", "large")
    rows = (*lists, "-t", "CRANE GY..G", "--set", "facts=[no L]")
    done = run("explain", "wordle", *rows, "AALII")
    assert done.out.splitlines()[-1] == "AALII is no secret here: only in the wider list large"
    told = json.loads(run("explain", "wordle", *rows, "AALII", "--json").out)
    assert told["why"] == [
        {"kind": "fact", "text": "no L"},
        {"kind": "row", "turn": 1, "text": "it would show ..Y.., 4 marks off"},
        {"kind": "wider list", "list": "large", "text": "only in the wider list large"},
    ]
    assert (told["candidate"], told["because"]) == (False, [1])
    guessed = json.loads(run("explain", "wordle", *rows, "CRANE", "--json").out)
    assert [reason["kind"] for reason in guessed["why"]] == ["guessed"]
    boards = (*lists, "-t", "CRANE ..... GGGGG", "AALII", "--json")
    kinds = [
        (reason["board"], reason["kind"])
        for reason in json.loads(run("explain", "dordle", *boards).out)["why"]
    ]
    assert kinds == [(1, "row"), (1, "wider list"), (2, "row"), (2, "wider list")]
