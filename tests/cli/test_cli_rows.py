"""What the commands are told: rows, logs, word lists, several boards."""

import json
import shlex
from pathlib import Path

import pytest

from cases import cases, unescaped
from program import Program

# Turns.


@pytest.mark.parametrize("rows", [one for (one,) in cases("rows of commands")])
def test_rows_mean_the_same_however_they_are_given(rows: str, run: Program, home: Path) -> None:
    log = "# the wall\n\n1. HORSE B_WR_\n2. WORSE __RW_\n"
    (home / "log.txt").write_text(log, encoding="utf-8-sig")
    (home / "second.txt").write_text("WORSE __RW_\r\n")
    given = shlex.split(unescaped(rows))
    done = run("candidates", "cryptic", *given, "--limit", "0", "--json", stdin=log)
    told = json.loads(done.out)
    assert round(told.pop("outside"), 3) == 0.127
    assert told == {"count": 863, "exact": True, "candidates": [], "nearly": []}


@pytest.mark.parametrize("rows", [one for (one,) in cases("rows to identify")])
def test_marks_are_identified_however_rows_are_given(rows: str, run: Program) -> None:
    words = ["--set", "secret.words=common"] if "wordle" in rows else []
    done = run("identify", *shlex.split(rows), *words, "--json", stdin="HORSE XXYZZ\n")
    assert json.loads(done.out)["hypotheses"][0]["legend"].keys() == {"X", "Y", "Z"}


def test_settings_mean_what_options_mean_where_a_command_has_its_own_default(run: Program) -> None:
    asked = ["identify", "4x6", "AABB O", "--json"]
    assert run(*asked, "--set", "rule=matches").out == run(*asked, "--rule", "matches").out
    words = ["identify", "HORSE XYX", "--set", "secret.words=large", "--json"]
    assert run(*words).out == run("identify", "HORSE XYX", "--words", "large", "--json").out
    seeds = ["--set", "play.seed=3"], ["--set", "play.seed=3"], ["--seed", "3"]
    hosts = [run("host", "4x6", *seed, stdin="AABB\nBBCC\nDDEE\n").out for seed in seeds]
    assert len({*hosts}) == 1


def test_rows_of_a_file_may_be_such_as_hard_mode_forbids(run: Program, home: Path) -> None:
    (home / "mine.yaml").write_text("game: wordle\nhard: true\nturns: [CRANE G...Y, SLOTH .....]\n")
    assert run("check", "mine.yaml").status == 0


def test_a_log_may_be_a_shared_result_of_guesses_that_are_rows(run: Program, home: Path) -> None:
    text = "Wordle 1,327 2/6\n\n⬛⬛⬛⬛⬛\n⬜🟨⬜🟨⬜\n\nhttps://example.org\n"
    (home / "log.txt").write_text(text, encoding="utf-8")
    guesses = ("candidates", "wordle", "-t", "CRANE", "-t", "SLOTH")
    rows = run("candidates", "wordle", "-t", "CRANE .....", "-t", "SLOTH .Y.Y.", "--json")
    assert run(*guesses, "--history", "log.txt", "--json").out == rows.out


# Word lists.


CZECH = ["-t", "CRANE G...Y", "-t", "SLOTH ....G"]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["candidates", "suggest", "explain"])
def test_a_list_that_ran_out_names_a_wider_one(command: str, run: Program) -> None:
    done = run(command, "wordle", *CZECH)
    assert done.status == 1
    assert done.err.splitlines()[-1] == "No word of its list fits; huge has 1: CZECH (--words huge)"
    told = json.loads(run(command, "wordle", *CZECH, "--json").out)
    assert told["wider"] == {"list": "huge", "count": 1, "candidates": ["CZECH"]}
    assert run(command, "wordle", *CZECH, "--words", "huge").status == 0


# Several boards.


def test_boards_are_told_alike_where_rows_contradict(run: Program) -> None:
    rows = ["-t", "CRANE ..G.G GGGGG", "-t", "SLATE GGG.G .....", "-t", "SLAKE ..... ....."]
    rows += ["-t", "SLAVE ..... .....", "--json"]
    told = [run(command, "dordle", *rows) for command in ("suggest", "candidates")]
    assert [done.status for done in told] == [1, 1]
    empty = {"count": 0, "candidates": []}
    for done in told:
        assert json.loads(done.out)["boards"] == [empty, {"count": 1, "candidates": ["CRANE"]}]


# Codes and clues that begin with a dash.

DASHES = ["--set", 'secret={symbols: "-+*", length: 3}']


def test_what_begins_with_a_dash_is_a_row_or_a_code(run: Program) -> None:
    expected = run("candidates", "3x3", "-t", "--+ B", *DASHES)
    assert expected.status == 0
    for words in (["--+ B"], ["--+", "B"], ["--+:B"], ["--", "--+ B"]):
        assert run("candidates", "3x3", *DASHES, *words).out == expected.out
    assert run("score", "3x3", "-+-", "--+", *DASHES).out == "BWW\n"
    assert run("explain", "3x3", "-+-:BWW", "--why", "--+", *DASHES).out.startswith("--+")
    refused = run("candidates", "3x3", "-x- B", *DASHES)
    assert refused.status == 2
    assert "begins with a dash, write --" in refused.err
