"""What `check` says of a game file that is right: what the file means."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from program import Run

Program = Callable[..., Run]

MINE = """title: Mine
secret: {symbols: {R: [red, 1], G: green, B: blue}, length: 2}
turns: [RG B]
"""


def lines_of(run: Program, home: Path, text: str, *settings: str) -> list[str]:
    (home / "mine.yaml").write_text(text, encoding="utf-8")
    done = run("check", "mine.yaml", *(word for s in settings for word in ("--set", s)))
    assert (done.status, done.err) == (0, "")
    return done.out.splitlines()


def test_check_says_what_a_file_means(run: Program, home: Path) -> None:
    lines = lines_of(run, home, MINE)
    number = "a number says how many; a kind without one is open"
    assert lines[:-1] == [
        "Mine: 9 secrets, 9 guesses, rule pegs, 1 row",
        "secrets: any 2 symbols",
        "guesses: what may be hidden",
        "symbols: R (red, 1), G (green), B (blue)",
        "clues: B black, W white, _ unread, * nothing read",
        "  what is left out is a miss: RB B is 1 black, 0 white",
        "  _ is any mark, or a miss: RB B_ is 1 black, up to 1 more unread",
        f"  {number}: RB 1b is 1 black, white open (0w if none)",
        "channel: answers are true; an unread mark tells nothing",
        "rows: 4 left",
    ]
    assert lines[-1].startswith("next: try RB - ")
    told = json.loads(run("check", "mine.yaml", "--json").out)
    assert (told["name"], told["title"], told["secrets"]) == ("mine.yaml", "Mine", 9)
    assert told["meaning"] == lines[1:-2]
    assert (told["rows"], told["count"], told["consistent"], told["notes"]) == (1, 4, True, [])
    assert told["suggestions"][0]["guess"] == "RB"
    done = run("check", "mine.yaml", "--json", "--set", "turns=[RG B, RG B, GR B, BB B]")
    told = json.loads(done.out)
    assert (done.status, len(done.err.splitlines())) == (1, 1)
    assert (told["count"], told["consistent"], told["suggestions"]) == (0, False, [])
    assert told["notes"] == ["row 1 stands twice: RG B"]


def test_check_counts_facts_beside_rows_and_says_what_each_of_them_leaves(
    run: Program, home: Path
) -> None:
    facts = "facts: [no B, starts with R or G]\n"
    lines = lines_of(run, home, MINE + facts)
    assert lines[0].endswith("rule pegs, 1 row, 2 facts")
    assert lines[-2] == "rows and facts: 2 left"
    lines = lines_of(run, home, MINE + facts, "turns=[]")
    assert lines[0].endswith("rule pegs, 0 rows, 2 facts")
    assert lines[-2] == "facts: 4 left"
    told = json.loads(run("check", "mine.yaml", "--json").out)
    assert (told["rows"], told["facts"], told["count"]) == (1, 2, 2)


def test_check_and_play_say_which_words_are_passed_over(run: Program, home: Path) -> None:
    (home / "words.txt").write_text("pañal\nniños\nárbol\nmundo\nverde\nmundo\n", encoding="utf-8")
    (home / "mine.yaml").write_text("secret: {words: words.txt, length: 5}\n")
    said = "4 words passed over: 3 with other letters (Ñ, Á), 1 twice"
    done = run("check", "mine.yaml")
    assert done.err.splitlines()[0].startswith(f"note: {said}; `symbols: from words` takes all")
    assert json.loads(run("check", "mine.yaml", "--json").out)["notes"][0].startswith(said)
    for command in ("play", "host"):
        assert said in " ".join(run(command, "mine.yaml", stdin="\n").out.split())
    assert "passed over" not in run("play", "wordle", stdin="\n").out
    done = run("check", "mine.yaml", "--set", "secret.alphabet=spanish")
    assert done.err == "note: 1 word passed over: 1 twice\n"


def test_check_shows_that_what_is_left_out_is_unread_where_a_miss_has_a_mark(
    run: Program, home: Path
) -> None:
    text = "\n".join(lines_of(run, home, MINE, "marks.miss=X", "secret.length=3", "turns=[]"))
    assert "  what is left out was not read: RRG B is 1 black, 2 unread\n" in text
    assert "  _ is any mark: RRG B_ is 1 black, 2 unread\n" in text
    assert "  a number says how many were read so far: RRG 1b is 1 black, 2 unread\n" in text
    assert "\nfirst: try RRG - " in text


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (["secret.distinct=true"], "secrets: any 2 symbols, none twice"),
        (["guess.length=0-2"], "guesses: any 0 to 2 symbols"),
        (["guess.overlong=cut"], "guesses: what may be hidden, longer ones are cut"),
        (["reads={black: 0.2, white: about 0.1, misread: 0.05}"], "5.0 % of rows are misread"),
        (
            ["reads={black: 0.2, white: 0.1, misread: 0}"],
            "chance to read a mark: black 0.2, white 0.1, miss",
        ),
        (["lies={at_most: 1}"], "false at most: 1 row of the game; an unread mark tells nothing"),
        (["boards=2", "turns=[]"], "secrets: any 2 symbols, one on each of 2 boards"),
        (["play.attempts=3", "hard=true", "gives=[first]"], "play: 3 guesses, hard mode, at first"),
        (["secret.symbols=[a, A, b]", "turns=[]"], "symbols: a A b"),
        (["secret.symbols=1-60", "turns=[]"], "symbols: 1 to 60"),
    ],
)
def test_check_names_what_is_not_as_usual(
    run: Program, home: Path, settings: list[str], line: str
) -> None:
    (home / "mine.yaml").write_text(MINE)
    done = run("check", "mine.yaml", *(word for s in settings for word in ("--set", s)))
    assert done.status == 0
    assert line in done.out


@pytest.mark.parametrize(
    ("settings", "remark"),
    [
        (["secret.symbols=[8]", "turns=[]"], "there is only one secret: nothing is left to guess"),
        (["secret.symbols=[a, A]", "turns=[]"], "capital letters count: some symbols differ in"),
        (["play.attempts=1", "turns=[RG B, RR B]"], "the file has 2 rows, but play.attempts is 1"),
    ],
)
def test_check_remarks_on_what_may_not_have_been_meant(
    run: Program, home: Path, settings: list[str], remark: str
) -> None:
    (home / "mine.yaml").write_text(MINE)
    done = run("check", "mine.yaml", *(word for s in settings for word in ("--set", s)))
    assert done.status == 0
    assert f"note: {remark}" in done.err


def test_check_remarks_on_words_that_no_list_has(run: Program) -> None:
    assert "note: row 23: HERZL is in no list" in run("check", "heart-2018").err


def test_check_takes_a_game_that_is_over(run: Program, home: Path) -> None:
    lines = lines_of(run, home, MINE.replace("RG B", "RG won"))
    assert lines[-1] == "rows: 1 left"


def test_check_takes_tiles(run: Program, home: Path) -> None:
    lines = lines_of(run, home, MINE, "rule=marks", "turns=[]")
    assert "  every tile has a mark, none is left out: RG G. is G. (1 right)" in lines
    assert "  _ is any mark: RG _. is _. (1 unread)" in lines


def test_check_names_the_letters_of_words_in_short(run: Program) -> None:
    assert "symbols: A to Z\n" in run("check", "cryptic").out


def test_check_takes_words_of_several_boards(run: Program, home: Path) -> None:
    text = "secret: {words: [crane, sloth, mouth]}\nrule: marks\nboards: {count: 2, merged: true}\n"
    assert "secrets: pairs of words of 5 letters, 2 on one board" in lines_of(run, home, text)
    lines = lines_of(run, home, text.replace("true", "false"))
    assert any(line.endswith(", one on each of 2 boards") for line in lines)
