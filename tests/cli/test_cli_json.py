"""What the commands answer: their JSON keys, and what goes with them."""

import json
import re
from collections.abc import Callable
from typing import Any

from puzzlehunt.game.files import gamefile

Program = Callable[..., Any]
CONTRADICTION = ["-t", "RRRR B", "-t", "RGBY none"]


def test_score_prints_its_keys(run: Program) -> None:
    assert json.loads(run("score", "cryptic", "heart", "horse", "--json").out) == {
        "secret": "HEART",
        "guess": "HORSE",
        "feedback": "BWWRR",
        "black": 1,
        "white": 2,
        "miss": 2,
    }


def test_score_reads_pairs_and_reports_bad_ones_where_they_stand(run: Program) -> None:
    lines = "FFAAB AABCD\n\nFFAAB\nFFAAB H\nFFAA ABC\nFFAAB ABCDEFGH\nXXXXX A\n"
    done = run("score", "nethack", "-", stdin=lines)
    told = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 0
    assert [(t["black"], t["white"]) for t in told if "error" not in t] == [
        (0, 3),
        (0, 0),
        (0, 1),
        (0, 2),
    ]
    assert [t["guess"] for t in told] == ["AABCD", "", "B", "ABC", "ABCDE", "A"]
    bad = [told[3], told[5]]
    assert all(set(t) == {"secret", "guess", "error"} for t in bad)
    assert [t["secret"] for t in bad] == ["FFAA", "XXXXX"]


def test_candidates_prints_its_keys_with_codes_in_code_order(run: Program) -> None:
    game = gamefile.load("3x3")
    guess = game.parse_guess("AAB")
    left = [game.format_code(s) for s in game.secrets if game.score(guess, s) == (1, 1)]
    told = json.loads(run("candidates", "3x3", "-t", "AAB 1 1", "--json").out)
    assert told == {"count": len(left), "exact": True, "candidates": left}


def test_candidates_that_cannot_be_listed_are_counted_within_bounds(run: Program) -> None:
    told = json.loads(run("candidates", "16x6", "--limit", "2", "--json").out)
    assert told == {"count": 6**16, "exact": True, "candidates": ["A" * 16, "A" * 15 + "B"]}
    row = ("-t", "AAAABBBBCCCCDDDD 4b6w")
    told = json.loads(run("candidates", "16x6", *row, "--limit", "1", "--json").out)
    assert (told["count"], told["exact"]) == (None, False)
    found = told["estimate"]
    assert 0 < found["low"] < found["count"] < found["high"] < 6**16
    assert found["high"] < 1.2 * found["low"]
    said = run("suggest", "16x6", *row, "--strategy", "consistent").err
    assert re.search(r"about [\d.e]+( \w+)? left \([\d.]+-[\d.e]+( \w+)?\)", said)


def test_suggest_prints_its_keys_best_first(run: Program) -> None:
    told = json.loads(run("suggest", "heart-2018", "--top", "3", "--json").out)
    assert (told["count"], told["exact"]) == (47, True)
    assert (told["strategy"], told["measure"]) == ("entropy", "bits")
    assert len(told["suggestions"]) == 3
    keys = {"guess", "value", "worst", "candidate", "chance"}
    assert all(set(s) == keys for s in told["suggestions"])
    values = [s["value"] for s in told["suggestions"]]
    assert values == sorted(values, reverse=True)


def test_identify_has_meanings_secrets_and_guesses(run: Program) -> None:
    rows = ["-t", "AABB OX", "-t", "ACDA X"]
    told = json.loads(run("identify", "4x4", *rows, "--top", "2", "--json").out)
    keys = "hypotheses candidates suggestions exact"
    assert list(told) == keys.split()
    first, second = told["hypotheses"][0], told["suggestions"][1]
    assert {*first} == {"rule", "options", "shown", "reversed", "legend", "probability"}
    assert {*first["legend"]} == {"O", "X"}
    assert {*second} == {"guess", "value", "probability"}
    assert (len(told["suggestions"]), told["exact"]) == (2, False)


def test_explain_names_a_smallest_conflict(run: Program) -> None:
    done = run("explain", "mastermind", "-t", "GGGG B", *CONTRADICTION, "--json")
    told = json.loads(done.out)
    assert done.status == 1
    assert {"consistent", "conflict"} <= set(told)
    assert (told["consistent"], told["conflict"]) == (False, [1, 3])


def test_explain_says_what_rules_a_code_out_or_that_nothing_does(run: Program) -> None:
    rows = ["-t", "HORSE B_WR_", "-t", "WORSE BB", "-t", "ZONES RR___"]
    out = run("explain", "cryptic", *rows, "--why", "HEART", "--json")
    told = json.loads(out.out)
    assert out.status == 0
    assert (told["code"], told["candidate"], told["because"]) == ("HEART", False, [2])
    within = json.loads(run("explain", "cryptic", "--why", "HEART", "--json").out)
    assert (within["candidate"], within["because"]) == (True, [])
    assert told["because_rows"] == [{"turn": 2, "shown": "WWRRR", "off": 2}]
