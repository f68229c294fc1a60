"""The command line: what each command prints where, its JSON keys, its exit status."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from puzzlehunt import gamefile
from puzzlehunt.cli import app

ROOT = Path(__file__).resolve().parent.parent
Program = Callable[..., Any]

CONTRADICTION = ["-t", "RRRR B", "-t", "RGBY none"]
POSIX = pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX systems")


def _commands() -> dict[str, Any]:
    """Every command by its full name, `lab run` included."""
    found = {}
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        below = getattr(command, "commands", None)
        found |= {f"{name} {n}": c for n, c in below.items()} if below else {name: command}
    return found


# Every command.


def test_the_commands_are_those_that_are_promised() -> None:
    promised = "play host suggest candidates score solve explain review export check games init"
    lab = {f"lab {name}" for name in ("run", "compare", "plot", "report", "verify", "book")}
    assert set(_commands()) == {*promised.split()} | lab


@pytest.mark.parametrize("name", _commands())
def test_every_command_has_help_with_an_example_and_is_documented(name: str, run: Program) -> None:
    shown = run(*name.split(), "--help")
    assert shown.status == 0
    assert f"puzzlehunt {name} " in shown.out
    assert f"puzzlehunt {name} " in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", _commands())
def test_every_option_is_explained(name: str) -> None:
    for parameter in _commands()[name].params:
        assert parameter.name == "help" or parameter.param_type_name == "argument" or parameter.help


def test_without_a_command_a_pipe_gets_the_help(run: Program) -> None:
    shown = run()
    assert shown.status == 0
    assert "Usage: puzzlehunt" in shown.out


def test_the_version_is_that_of_the_package(run: Program) -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.*)"', project, re.MULTILINE)
    assert version is not None
    assert run("--version").out == f"puzzlehunt {version[1]}\n"


def test_the_module_runs_as_the_program_does(start: Program) -> None:
    done = start("score", "cryptic", "HEART", "HORSE")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"BWWRR" + LINE_END, b"")


LINE_END = os.linesep.encode()


# Exit statuses and streams.


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["suggest"],
        ["suggest", "nowhere.yaml"],
        ["suggest", "cryptic", "--top", "0"],
        ["suggest", "cryptic", "--top", "many"],
        ["suggest", "cryptic", "--budget", "nan"],
        ["suggest", "cryptic", "--try", "HEARTS"],
        ["suggest", "cryptic", "--seed", "-1"],
        ["suggest", "cryptic", "-t", "HORSE XYZ"],
        ["suggest", "cryptic", "-t", "B_WR_"],
        ["suggest", "cryptic", "--history", "nowhere.txt"],
        ["candidates", "cryptic", "--limit", "-1"],
        ["candidates", "mastermind", "-t", "RRRR BBBW"],
        ["score", "cryptic", "HEART", "HEAR"],
        ["score", "cryptic", "HERT", "HEART"],
        ["solve", "cryptic"],
        ["solve", "cryptic", "--secret", "HERZL"],
        ["explain", "cryptic", "HEARTS"],
        ["export", "4x6", "-o", "nowhere/script.smt2"],
        ["export", "4x6", "--read", "nowhere.txt"],
        ["check", "nowhere.yaml"],
        ["games", "nothing"],
        ["play"],
        ["play", "nothing"],
        ["lab", "run", "4x6", "--secrets", "0"],
        ["lab", "run", "4x6", "--secrets", "1297"],
        ["lab", "run", "16x6"],
        ["lab"],
        ["suggest", "cryptic", "--set", "secret.length=99"],
        ["suggest", "cryptic", "--set", "title"],
        ["suggest", "cryptic", "--set", "=4"],
        ["suggest", "cryptic", "--set", "..=4"],
        ["suggest", "cryptic", "--set", "secret=" + "[" * 3_000],
        ["suggest", "cryptic", "--set", "secret=" + "[" * 3_000 + "]" * 3_000],
        ["suggest", "cryptic", "--set", ".".join("a" * 3_000) + "=1"],
        ["suggest", "cryptic", "--set", "secret=&a [*a]"],
        ["suggest", "cryptic", "--set", "secret.words=\x01"],
        ["suggest", "cryptic", "--set", "secret.words=\udcff"],
        ["suggest", "cryptic", "--reads", "black=1.1"],
        ["suggest", "0x6"],
        ["suggest", "4x99999999"],
    ],
)
def test_bad_usage_ends_with_status_2_and_nothing_on_stdout(
    arguments: list[str], run: Program
) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert "should not happen" not in done.err
    usage, _, told = done.err.rpartition("Error: ")
    assert usage or done.err.startswith("puzzlehunt: ")
    assert len(told.splitlines()) in (1, 2)


@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [
        (["sugest", "cryptic"], "suggest"),
        (["lab", "rn", "cryptic"], "run"),
        (["suggest", "crytic"], "cryptic"),
        (["games", "nethak"], "nethack"),
        (["check", "mastermnd"], "mastermind"),
        (["suggest", "cryptic", "--strategy", "entrpy"], "entropy"),
        (["suggest", "cryptic", "--engine", "explcit"], "explicit"),
        (["suggest", "cryptic", "--pool", "secret"], "secrets"),
        (["suggest", "cryptic", "--ties", "frist"], "first"),
        (["suggest", "cryptic", "--set", "play.strateg=parts"], "strategy"),
        (["suggest", "cryptic", "--set", "secret.words=standrd"], "standard"),
        (["score", "cryptic", "HEART", "HEARTS"], "HEATS"),
        (["explain", "cryptic", "HART"], "HEART"),
    ],
)
def test_a_wrong_name_is_answered_with_one_that_exists(
    arguments: list[str], nearest: str, run: Program
) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert nearest in done.err


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        (["suggest"], {"count", "exact", "strategy", "measure", "suggestions"}),
        (["candidates"], {"count", "exact", "candidates"}),
        (
            ["solve", "--secret", "random"],
            {"secret", "solved", "guesses", "facts", "turns", "seconds"},
        ),
    ],
)
def test_contradictions_end_with_status_1_and_print_their_json_all_the_same(
    command: list[str], keys: set[str], run: Program
) -> None:
    rows = ["--set", "turns=[RRRR B, RGBY none]"]
    done = run(command[0], "mastermind", *command[1:], *rows, "--json")
    assert done.status == 1
    assert set(json.loads(done.out)) == keys
    assert "2. RGBY none" in done.err


def test_contradictions_without_json_leave_stdout_to_results(run: Program) -> None:
    for command in (["suggest"], ["candidates"]):
        done = run(*command, "mastermind", *CONTRADICTION)
        assert (done.status, done.out) == (1, "")
        assert "2. RGBY none" in done.err


def test_results_go_to_stdout_and_remarks_to_stderr(run: Program) -> None:
    listed = run("candidates", "4x6", "-t", "AABB 1 1", "--limit", "3")
    assert listed.out == "ABCC\nABCD\nABCE\n"
    assert listed.err == "... and 205 more (--limit N)\n"
    advised = run("suggest", "4x6", "--top", "1")
    assert advised.out.split()[:5] == ["guess", "bits", "largest", "may", "win"]
    assert advised.err == "1,296 left\n"


@POSIX
def test_nothing_is_coloured_in_a_pipe(start: Program) -> None:
    for arguments in (["games"], ["suggest", "mastermind"], ["solve", "4x3", "--secret", "AABB"]):
        done = start(*arguments)
        assert done.returncode == 0
        assert b"\x1b" not in done.stdout + done.stderr


# Turns.


@pytest.mark.parametrize(
    "rows",
    [
        ["-t", "HORSE B_WR_", "-t", "WORSE __RW_"],
        ["-t", "HORSE:B_WR_", "-t", "WORSE:__RW_"],
        ["-t", "horse b_wr_", "--turn", "worse,__rw_"],
        ["-t", "1. HORSE B_WR_ # from the wall", "-t", "#2 WORSE\t_ _ R W _"],
        ["--history", "log.txt"],
        ["--history", "-"],
        ["-t", "HORSE B_WR_", "--history", "second.txt"],
    ],
)
def test_rows_mean_the_same_however_they_are_given(
    rows: list[str], run: Program, home: Path
) -> None:
    log = "# the wall\n\n1. HORSE B_WR_\n2. WORSE __RW_\n"
    (home / "log.txt").write_text(log, encoding="utf-8-sig")
    (home / "second.txt").write_text("WORSE __RW_\r\n")
    done = run("candidates", "cryptic", *rows, "--limit", "0", "--json", stdin=log)
    expected = {"count": 863, "exact": True, "candidates": [], "nearly": []}
    assert json.loads(done.out) == expected


def test_a_guess_alone_is_a_row_with_nothing_read(run: Program) -> None:
    done = run("candidates", "cryptic", "-t", "HEART", "--json", "--limit", "5000")
    told = json.loads(done.out)
    assert told["count"] == 3385
    assert len(told["candidates"]) == 3385
    assert "HEART" not in [found["code"] for found in told["candidates"]]


def test_rows_that_hard_mode_forbids_are_refused_in_order(run: Program, home: Path) -> None:
    hard = ["wordle", "--set", "hard=true"]
    rows = ["-t", "CRANE G...Y", "-t", "SLOTH ....G"]
    done = run("candidates", *hard, *rows)
    assert (done.status, done.out) == (2, "")
    assert "-t 'SLOTH ....G': SLOTH does not use what row 1 told (CRANE G...Y)" in done.err
    (home / "log.txt").write_text("CRANE G...Y\nCHEST G.G..\nSLOTH ....G\n")
    done = run("candidates", *hard, "--history", "log.txt")
    assert done.status == 2
    assert "log.txt:3: SLOTH does not use what row 1 told" in done.err
    (home / "mine.yaml").write_text("game: wordle\nhard: true\nturns: [CRANE G...Y, SLOTH .....]\n")
    assert run("check", "mine.yaml").status == 0


def test_a_log_may_be_guesses_and_a_shared_result(run: Program, home: Path) -> None:
    text = "CRANE\nSLOTH\nWordle 1,327 2/6\n\n⬛⬛⬛⬛⬛\n⬜🟨⬜🟨⬜\n\nhttps://example.org\n"
    (home / "log.txt").write_text(text, encoding="utf-8")
    shared = run("candidates", "wordle", "--history", "log.txt", "--json")
    rows = run("candidates", "wordle", "-t", "CRANE .....", "-t", "SLOTH .Y.Y.", "--json")
    assert shared.out == rows.out
    (home / "log.txt").write_text(text.replace("SLOTH\n", ""), encoding="utf-8")
    done = run("candidates", "wordle", "--history", "log.txt")
    assert (done.status, done.out) == (2, "")
    assert done.err == "puzzlehunt: log.txt: 2 rows of squares, but 1 guess is unread\n"
    (home / "log.txt").write_text(text.replace("SLOTH", "SL0TH\nSLOTH"), encoding="utf-8")
    done = run("candidates", "wordle", "--history", "log.txt")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("puzzlehunt: log.txt: SL0TH before the squares is no guess: ")


# Word lists.


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["suggest", "-t", "HORSE *", "--strategy", "consistent"],
        ["candidates", "-t", "HORSE *"],
        ["score", "HERTZ", "HORSE"],
        ["explain", "HERTZ"],
        ["solve", "--secret", "HERTZ", "--strategy", "consistent"],
    ],
)
def test_word_lists_are_options_of_every_command(command: list[str], run: Program) -> None:
    arguments = [command[0], "cryptic", *command[1:], "--json"]
    by_option = run(*arguments, "--words", "huge", "--guesses", "large")
    by_key = run(*arguments, "--set", "secret.words=huge", "--set", "guess.words=large")
    assert by_option.status == 0

    def told(text: str) -> object:
        return {k: v for k, v in json.loads(text).items() if k != "seconds"}

    assert told(by_option.out) == told(by_key.out)


def test_word_lists_are_options_of_what_prints_no_json(run: Program, home: Path) -> None:
    (home / "mine.txt").write_text("heart\nhorse\n")
    words = ["--words", "mine.txt", "--guesses", "large"]
    assert run("check", "cryptic", *words).out.startswith("Cryptic Mastermind: 2 secrets, 7,1")
    assert "(or (and p1_H p2_E p3_A p4_R p5_T)" in run("export", "cryptic", *words).out
    assert "2 games" in run("lab", "run", "cryptic", "--words", "mine.txt").err
    assert run("play", "cryptic", *words).out.startswith("Cryptic Mastermind (2 codes)")
    assert run("host", "cryptic", *words).out.startswith("Cryptic Mastermind (2 codes)")
    assert "--words nowhere" in run("candidates", "cryptic", "--words", "nowhere").err


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


def test_wider_candidates_are_twenty_at_most(run: Program, home: Path) -> None:
    (home / "mine.txt").write_text("crane\nsloth\n")
    arguments = ["candidates", "wordle", "--words", "mine.txt", "--json"]
    assert "wider" not in json.loads(run(*arguments, "-t", "MOUTH .....").out)
    told = json.loads(run(*arguments, "-t", "CRANE ...Y.").out)
    assert told["wider"]["list"] == "common"
    assert len(told["wider"]["candidates"]) == 20 < told["wider"]["count"]


def test_where_a_wider_list_has_nothing_either_none_is_named(run: Program) -> None:
    rows = ["-t", "CRANE GGGG.", "-t", "CRANK GGGG."]
    done = run("candidates", "wordle", *rows, "-t", "CRAMP .....", "--json")
    assert "wider" not in json.loads(done.out)


# Several boards.


def test_candidates_of_several_boards_are_listed_board_by_board(run: Program) -> None:
    rows = ["-t", "CRANE ..G.G GGGGG", "-t", "SLATE GGG.G ....."]
    done = run("candidates", "dordle", *rows)
    assert done.out == "board 1: 2 left\nSLAKE\nSLAVE\nboard 2: 1 left\nCRANE\n"
    assert (done.status, done.err) == (0, "")
    assert json.loads(run("candidates", "dordle", *rows, "--json").out) == {
        "count": 2,
        "exact": True,
        "candidates": ["SLAKE/CRANE", "SLAVE/CRANE"],
        "boards": [
            {"count": 2, "candidates": ["SLAKE", "SLAVE"]},
            {"count": 1, "candidates": ["CRANE"]},
        ],
    }
    limited = run("candidates", "dordle", *rows, "--limit", "1")
    assert limited.out == "board 1: 2 left\nSLAKE\nboard 2: 1 left\nCRANE\n"
    assert limited.err == "... and 1 more (--limit N)\n"


def test_suggest_lists_what_each_board_has_left(run: Program) -> None:
    rows = ["-t", "CRANE ..G.G GGGGG", "-t", "SLATE GGG.G ....."]
    told = json.loads(run("suggest", "dordle", *rows, "--json").out)
    assert told["boards"] == [
        {"count": 2, "candidates": ["SLAKE", "SLAVE"]},
        {"count": 1, "candidates": ["CRANE"]},
    ]
    assert run("suggest", "dordle", *rows).err == "board 1: 2, 2: solved CRANE\n"
    at_most = json.loads(run("suggest", "dordle", "-t", "CRANE ..... .....", "--json").out)
    assert [len(board["candidates"]) for board in at_most["boards"]] == [20, 20]


def test_boards_are_told_alike_where_rows_contradict(run: Program) -> None:
    rows = ["-t", "CRANE ..G.G GGGGG", "-t", "SLATE GGG.G .....", "-t", "SLAKE ..... ....."]
    rows += ["-t", "SLAVE ..... .....", "--json"]
    told = [run(command, "dordle", *rows) for command in ("suggest", "candidates")]
    assert [done.status for done in told] == [1, 1]
    empty = {"count": 0, "candidates": []}
    for done in told:
        assert json.loads(done.out)["boards"] == [empty, {"count": 1, "candidates": ["CRANE"]}]


def test_explain_asks_each_board(run: Program) -> None:
    rows = ["-t", "CRANE ..... GGGGG", "-t", "SLOTH ..Y.. ....."]
    told = json.loads(run("explain", "dordle", *rows, "CRANE", "--json").out)
    assert (told["code"], told["candidate"], told["because"]) == ("CRANE", True, [1, 2])
    assert told["boards"] == [
        {"board": 1, "code": "CRANE", "candidate": False, "because": [1, 2], "because_facts": []},
        {"board": 2, "code": "CRANE", "candidate": True, "because": [], "because_facts": []},
    ]
    whole = json.loads(run("explain", "dordle", *rows, "POUND/CRANE", "--json").out)
    assert (whole["candidate"], whole["because"]) == (False, [1])
    one = run("explain", "dordle", *rows, "2: CRANE")
    assert one.out == "board 2: CRANE is still in\n"
    assert run("explain", "dordle", "3: CRANE").status == 2


def test_a_bad_row_is_named_by_its_place(run: Program, home: Path) -> None:
    (home / "log.txt").write_text("HORSE B_WR_\n\nHEART XX\n")
    assert "log.txt:3: 'XX'" in run("candidates", "cryptic", "--history", "log.txt").err
    assert "-t 'HEART XX': 'XX'" in run("candidates", "cryptic", "-t", "HEART XX").err


def test_codes_may_start_with_a_dash(run: Program) -> None:
    signs = ["--set", 'secret={symbols: "-+*", length: 3}', "--set", "title=signs"]
    assert run("score", "3x3", "-+-", "--+", *signs, "--json").out == (
        '{"secret": "-+-", "guess": "--+", "feedback": "BWW", "black": 1, "white": 2, "miss": 0}\n'
    )
    assert run("explain", "3x3", "-+-", "-t", "--- B", *signs).status == 0
    assert run("suggest", "3x3", "--try", "-+-", *signs).status == 0
    assert run("solve", "3x3", "--secret", "--+", *signs).out.splitlines()[-1].endswith(": --+")
    left = run("candidates", "3x3", "-t", "--+ B", "-t", "-++:BB", *signs)
    assert left.out == "+++\n*++\n"


# JSON.


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
    assert re.search(r"about [\d.,e]+ left \([\d.,e]+ to [\d.,e]+\)", said)


def test_candidates_takes_any_limit(run: Program) -> None:
    for limit in ("27", "1000000", "9" * 40):
        assert len(run("candidates", "3x3", "--limit", limit).out.splitlines()) == 27


def test_suggest_prints_its_keys_best_first(run: Program) -> None:
    told = json.loads(run("suggest", "heart-2018", "--top", "3", "--json").out)
    assert (told["count"], told["exact"]) == (47, True)
    assert (told["strategy"], told["measure"]) == ("entropy", "bits")
    assert len(told["suggestions"]) == 3
    keys = {"guess", "value", "worst", "candidate", "chance"}
    assert all(set(s) == keys for s in told["suggestions"])
    values = [s["value"] for s in told["suggestions"]]
    assert values == sorted(values, reverse=True)


def test_suggest_rates_a_guess_that_is_tried(run: Program) -> None:
    told = json.loads(run("suggest", "cryptic", "--try", "herzl", "--json").out)
    (rated,) = told["suggestions"]
    assert (rated["guess"], rated["candidate"]) == ("HERZL", False)


@pytest.mark.parametrize(
    ("strategy", "measure"),
    [
        ("entropy", "bits"),
        ("minimax", "largest group"),
        ("expected-size", "left on average"),
        ("parts", "parts"),
        ("consistent", "any candidate"),
    ],
)
def test_options_are_the_keys_under_play(strategy: str, measure: str, run: Program) -> None:
    by_option = run("suggest", "4x3", "--strategy", strategy, "--json").out
    by_key = run("suggest", "4x3", "--set", f"play.strategy={strategy}", "--json").out
    assert by_option == by_key
    assert json.loads(by_option)["strategy"] == strategy
    assert json.loads(by_option)["measure"] == measure


def test_the_other_options_change_what_is_suggested(run: Program) -> None:
    def best(*options: str) -> str:
        told = json.loads(run("suggest", "4x6", "-t", "AABB 1 1", *options, "--json").out)
        return str(told["suggestions"][0]["guess"])

    assert best("--pool", "candidates", "--ties", "first") != best("--strategy", "consistent")
    assert best("--engine", "symbolic", "--budget", "0.2") != ""
    opened = json.loads(run("suggest", "4x6", "--opening", "ABCD", "--top", "1", "--json").out)
    assert opened["suggestions"][0]["guess"] == "ABCD"


def test_a_seed_repeats_what_chance_drew(run: Program) -> None:
    def drawn(seed: str) -> str:
        strategy = ["--strategy", "consistent", "--seed", seed]
        return str(run("suggest", "4x6", *strategy, "--json").out)

    assert drawn("3") == drawn("3")
    assert len({drawn(str(seed)) for seed in range(5)}) > 1


def test_explain_names_a_smallest_conflict(run: Program) -> None:
    done = run("explain", "mastermind", "-t", "GGGG B", *CONTRADICTION, "--json")
    told = json.loads(done.out)
    assert done.status == 1
    assert {"consistent", "conflict"} <= set(told)
    assert (told["consistent"], told["conflict"]) == (False, [1, 3])
    in_words = run("explain", "mastermind", "-t", "GGGG B", *CONTRADICTION)
    assert "1. GGGG B" in in_words.out
    assert "3. RGBY none" in in_words.out
    assert "2. RRRR B" not in in_words.out


def test_explain_says_what_rules_a_code_out_or_that_nothing_does(run: Program) -> None:
    rows = ["-t", "HORSE B_WR_", "-t", "WORSE BB", "-t", "ZONES RR___"]
    out = run("explain", "cryptic", *rows, "HEART", "--json")
    told = json.loads(out.out)
    assert out.status == 0
    assert (told["code"], told["candidate"], told["because"]) == ("HEART", False, [2])
    within = json.loads(run("explain", "cryptic", "HEART", "--json").out)
    assert (within["candidate"], within["because"]) == (True, [])
    assert told["because_rows"] == [{"turn": 2, "shown": "WWRRR", "off": 2}]
    expected = "HEART is out by 2. WORSE BB___\n  it would show WWRRR, 2 off\n"
    assert run("explain", "cryptic", *rows, "HEART").out == expected
    assert run("explain", "cryptic", "HEART").out == "HEART: still in\n"


def test_explain_lists_all_smallest_conflicts_and_says_why_one_is_one(run: Program) -> None:
    rows = ["-t", "RRGG BW", "-t", "RGBY none", "-t", "OOPP BBW"]
    done = run("explain", "mastermind", *rows, "--all", "--json")
    told = json.loads(done.out)
    assert (done.status, told["conflict"]) == (1, [1, 2])
    assert told["reason"] == "row 1 needs 2 of R, G; row 2 leaves none of them"
    turns = [conflict["turns"] for conflict in told["conflicts"]]
    assert turns == [[1, 2], [1, 3], [2, 3]]
    lines = run("explain", "mastermind", *rows, "--all").out.splitlines()
    assert lines[1:6] == [
        "  1. RRGG BW",
        "  2. RGBY none",
        "Row 1 needs 2 of R, G; row 2 leaves none of them.",
        "Nor can these:",
        "  rows 1, 3",
    ]
    assert "conflicts" not in json.loads(run("explain", "mastermind", *rows, "--json").out)


def test_a_code_that_fits_but_is_no_secret_is_no_candidate(run: Program) -> None:
    told = json.loads(run("explain", "bulls-and-cows", "1123", "--json").out)
    assert (told["candidate"], told["because"]) == (False, [])


# Playing alone.


@pytest.mark.parametrize(
    ("game", "secret"),
    [
        pytest.param("cryptic", "HEART", marks=pytest.mark.slow),
        ("nethack", "FFAAB"),
        ("mansions-of-madness", "random"),
    ],
)
def test_solve_ends_with_the_secret(game: str, secret: str, run: Program) -> None:
    done = run("solve", game, "--secret", secret)
    told = json.loads(run("solve", game, "--secret", secret, "--json").out)
    assert done.status == 0
    assert set(told) == {"secret", "solved", "guesses", "facts", "turns", "seconds"}
    assert told["solved"]
    assert told["guesses"] == len(told["turns"])
    assert told["turns"][-1]["guess"] == told["secret"]
    *rows, end = done.out.splitlines()
    assert [row.split(":")[0] for row in rows] == [
        f"{number}. {turn['guess']}" for number, turn in enumerate(told["turns"], start=1)
    ]
    assert end == f"Solved in {told['guesses']} guesses: {told['secret']}"
    if secret != "random":
        assert told["secret"] == secret


def test_the_turns_of_solve_are_rows_that_other_commands_read(run: Program) -> None:
    told = json.loads(run("solve", "nethack", "--secret", "FFAAB", "--json").out)
    rows = [f"{turn['guess']} {turn['clue']}" for turn in told["turns"][:-1]]
    left = run("candidates", "nethack", "--history", "-", stdin="\n".join(rows))
    assert "FFAAB" in left.out.split()


def test_solve_gives_up_after_the_attempts_of_the_game(run: Program) -> None:
    done = run("solve", "mastermind", "--secret", "RRRR", "--set", "play.attempts=2", "--json")
    assert done.status == 1
    assert json.loads(done.out)["solved"] is False
    assert json.loads(done.out)["guesses"] == 2


def test_solve_goes_on_from_a_log_and_draws_what_the_log_allows(run: Program) -> None:
    for seed in map(str, range(3)):
        done = run("solve", "heart-2018", "--secret", "random", "--seed", seed, "--json")
        assert done.status == 0
        assert json.loads(done.out)["turns"][:2] == [
            {"guess": "WORST", "clue": "R____"},
            {"guess": "HOUSE", "clue": "RR___"},
        ]


def test_solve_names_the_row_of_a_log_that_rules_its_secret_out(run: Program) -> None:
    done = run("solve", "heart-2018", "--secret", "CRANE", "--json")
    assert done.status == 1
    assert "CRANE is out by " in done.err
    assert json.loads(done.out)["solved"] is False


def test_lab_run_counts_guesses_until_played_and_until_known(run: Program) -> None:
    done = run("lab", "run", "2x3", "--strategy", "parts", "--pool", "candidates", "--json")
    told = json.loads(done.out)
    assert set(told) == {
        *("game", "strategy", "pool", "ties", "opening", "seed", "version", "games", "total"),
        *("average", "worst", "histogram", "interval", "known", "seconds", "exact", "basis"),
    }
    assert set(told["known"]) == {"total", "average", "worst", "histogram", "interval"}
    assert (told["game"], told["strategy"], told["pool"]) == ("2x3", "parts", "candidates")
    assert (told["ties"], told["opening"], told["seed"]) == ("candidate", "AB", 0)
    assert (told["interval"], told["exact"], told["basis"]) == (None, True, "")
    for counts in (told, told["known"]):
        assert sum(counts["histogram"].values()) == told["games"] == 9
        assert sum(int(n) * times for n, times in counts["histogram"].items()) == counts["total"]
        assert counts["average"] == round(counts["total"] / 9, 6)
        assert counts["worst"] == max(map(int, counts["histogram"]))
    assert told["known"]["total"] < told["total"]


def test_lab_run_writes_a_line_a_game_and_leaves_a_file_alone(run: Program, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    assert run("lab", "run", "2x3", "--csv", str(file)).status == 0
    text = file.read_text(encoding="utf-8")
    assert text.startswith("secret,played,known\nAA,")
    assert len(text.splitlines()) == 10
    again = run("lab", "run", "2x3", "--csv", str(file))
    assert (again.status, again.out) == (2, "")
    assert "exists already" in again.err
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--strategy", "naiv-1"], "did you mean naive-1?"),
        (["--strategy", "naive-1"], "a game like nethack"),
        (["--opening", "AAAA"], "opening"),
        (["--pool", "some"], "candidates, secrets or all"),
        (["--secrets", "10"], "the game has only 9"),
        (["--cluster", "tcp://127.0.0.1:1"], "no scheduler answers there"),
        (["--csv", "no/such/folder.csv"], "there is no folder"),
    ],
)
def test_lab_run_says_in_one_line_what_it_cannot_do(
    options: list[str], told: str, run: Program
) -> None:
    done = run("lab", "run", "2x3", *options)
    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert len(done.err.splitlines()) == 1


def test_lab_run_plays_a_seeded_sample(run: Program) -> None:
    options = ["--strategy", "consistent", "--opening", "AABB", "--json", "--secrets", "20"]
    first = json.loads(run("lab", "run", "4x6", *options, "--seed", "1").out)
    again = json.loads(run("lab", "run", "4x6", *options, "--seed", "1").out)
    assert first["games"] == 20
    assert first["opening"] == "AABB"
    assert first | {"seconds": 0} == again | {"seconds": 0}


@pytest.mark.parametrize("strategy", ["entropy", "consistent"])
def test_lab_run_goes_on_from_a_log_with_the_secrets_that_it_leaves(
    strategy: str, run: Program
) -> None:
    log = ["--strategy", strategy, "--set", "turns=[AABB 1 1]", "--json"]
    left = json.loads(run("candidates", "4x4", "--set", "turns=[AABB 1 1]", "--json").out)["count"]
    assert json.loads(run("lab", "run", "4x4", *log).out)["games"] == left
    assert json.loads(run("lab", "run", "4x4", *log, "--secrets", "5").out)["games"] == 5


@pytest.mark.parametrize("strategy", ["entropy", "consistent"])
def test_lab_run_plays_no_games_where_a_log_contradicts_itself(strategy: str, run: Program) -> None:
    log = ["--strategy", strategy, "--set", "turns=[AABB 1 1, AABB 2 0]"]
    done = run("lab", "run", "4x4", *log, "--json")
    assert done.status == 1
    assert json.loads(done.out)["games"] == 0
    assert "2. AABB" in done.err
    assert run("lab", "run", "4x4", *log).out == ""


def test_lab_run_prints_both_counts_for_people(run: Program) -> None:
    done = run("lab", "run", "2x3")
    assert [line.split()[0] for line in done.out.splitlines()[1:]] == ["played", "known"]
    assert done.err.startswith("9 games in ")


# Files.


@pytest.mark.slow
def test_games_lists_every_built_in_game_with_its_source(run: Program) -> None:
    told = json.loads(run("games", "--json").out)["games"]
    assert {game["name"] for game in told} == set(gamefile.built_in_games())
    boards = {game["name"]: game["boards"] for game in told}
    assert (boards["wordle"], boards["xordle"], boards["quordle"]) == (1, 1, 4)
    assert all(game["about"] and game["source"] for game in told)
    names = [line.split()[0] for line in run("games").out.splitlines() if line[:1].strip()]
    assert names[1:] == [game["name"] for game in told]


def test_games_shows_how_many_secrets_a_board_has_and_what_is_told(run: Program) -> None:
    rows = {line.split()[0]: line for line in run("games").out.splitlines()}
    assert "3,461 x 4  " in rows["quordle"]
    assert "a tile: in place, elsewhere, absent, 4 boards" in rows["quordle"]
    assert " 3,461  " in rows["wordle"]
    assert " 17,723  " in rows["nerdle"]
    assert "how many in common" in rows["jotto"]


@pytest.mark.slow
@pytest.mark.parametrize("name", gamefile.built_in_games())
def test_a_printed_game_loads_again_as_the_same_game(name: str, run: Program, home: Path) -> None:
    (home / "mine.yaml").write_text(run("games", name).out, encoding="utf-8")
    mine, built_in = gamefile.load("mine.yaml"), gamefile.load(name)
    assert (mine.title, mine.secrets.size, mine.guesses.size) == (
        built_in.title,
        built_in.secrets.size,
        built_in.guesses.size,
    )
    assert mine.history == built_in.history
    assert mine.rule.legend() == built_in.rule.legend()
    assert run("check", "mine.yaml").status == 0


def test_check_says_what_a_file_means(run: Program, home: Path) -> None:
    (home / "mine.yaml").write_text(
        "title: Mine\nsecret: {symbols: ABC, length: 2}\nturns: [AB B]\n"
    )
    done = run("check", "mine.yaml")
    assert done.out == "Mine: 9 secrets, 9 guesses, rule pegs, 1 row\n"
    assert (done.status, done.err) == (0, "")


def test_check_ends_with_status_1_where_the_rows_contradict_each_other(
    run: Program, home: Path
) -> None:
    (home / "mine.yaml").write_text("game: 2x3\nturns: [AB B, AB none]\n")
    done = run("check", "mine.yaml")
    assert done.status == 1
    assert "2. AB none" in done.err


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty"),
        (b"\x00\x01\x02", "text file"),
        (b"\xff\xfe\xfa", "UTF-8"),
        (b"- a\n", "key: value"),
        (b"secret: {symbols: AB, length: 2}\nrule: pgs\n", "did you mean pegs"),
        (b"secret: {symbols: AB, length: 2}\nsecret: {}\n", "twice"),
        (b"secrets: {symbols: AB, length: 2}\n", "did you mean secret"),
        (b"game: mine.yaml\n", "itself"),
        (b"game: " + b"[" * 50_000, "nested too deeply"),
    ],
)
def test_a_bad_file_is_one_line_with_its_name(
    content: bytes, problem: str, run: Program, home: Path
) -> None:
    (home / "mine.yaml").write_bytes(content)
    done = run("check", "mine.yaml")
    assert (done.status, done.out) == (2, "")
    assert re.match(r"puzzlehunt: mine\.yaml(:\d+)?: ", done.err)
    assert problem in done.err
    assert len(done.err.splitlines()) == 1


def test_a_folder_is_no_game_file(run: Program, home: Path) -> None:
    (home / "mine.yaml").mkdir()
    done = run("check", "mine.yaml")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("puzzlehunt: mine.yaml: cannot be read")


@POSIX
def test_a_game_may_come_through_a_pipe(start: Program, home: Path) -> None:
    os.mkfifo(home / "pipe")
    writer = subprocess.Popen([sys.executable, "-c", "open('pipe','w').write('game: 2x2')"])
    done = start("check", "pipe")
    assert writer.wait(10) == 0
    assert done.stdout.startswith(b"2x2: 4 secrets")


@pytest.mark.parametrize(
    ("answers", "size"),
    [
        (["My words", "words", "common", "4", "y", "pegs", "R"], 1533),
        (["My colours", "symbols", "RGB", "2", "n", "", ""], 9),
        (["", "", "", "", "", "", ""], None),
        (["Titel: mit 'Zeichen' #1", "s", "ÄÖÜ", "3", "y", "pegs", "-"], 6),
        (["My Wordle", "words", "common", "5", "n", "marks"], 3461),
        (["My order", "words", "common", "5", "n", "order"], 3461),
        (["My warmth", "symbols", "0123456789", "3", "n", "near"], 1000),
        (["My Jotto", "words", "common", "5", "y", "letters", ""], 2354),
        (["My lock", "symbols", "0123456789", "3", "n", "matches", "-"], 1000),
    ],
)
def test_init_writes_a_commented_file_that_loads(
    answers: list[str], size: int | None, run: Program, home: Path
) -> None:
    done = run("init", "mine.yaml", stdin="".join(f"{answer}\n" for answer in answers))
    assert done.status == 0
    assert done.out.startswith("mine.yaml: ")
    assert (home / "mine.yaml").read_text(encoding="utf-8").count("# ") >= 5
    game = gamefile.load("mine.yaml")
    assert size is None or game.secrets.size == size
    assert game.title == answers[0] or not answers[0]


@pytest.mark.parametrize(
    "answers",
    [
        [],
        ["Mine"],
        ["Mine", "words", "nowhere", "5", "n", "", ""],
        ["Mine", "symbols", "RGB", "4", "y", "", ""],
        ["Mine", "symbols", "RGB", "many", "n", "", ""],
        ["Mine", "symbols", "RGB", "3", "n", "", "BB"],
        ["Mine", "symbols", "RGB", "3", "n", "mark"],
        ["Mine", "symbols", "RGB", "3", "n", "pairs", ""],
    ],
)
def test_init_writes_nothing_where_the_answers_are_bad(
    answers: list[str], run: Program, home: Path
) -> None:
    done = run("init", "mine.yaml", stdin="".join(f"{answer}\n" for answer in answers))
    assert (done.status, done.out) == (2, "")
    assert list(home.glob("*")) == []


def test_init_overwrites_nothing(run: Program, home: Path) -> None:
    (home / "mine.yaml").write_text("precious\n")
    assert run("init", "mine.yaml", stdin="\n" * 9).status == 2
    assert (home / "mine.yaml").read_text() == "precious\n"


# Solvers.


def test_export_writes_a_script_and_reads_a_solvers_answer_back(run: Program, home: Path) -> None:
    z3 = pytest.importorskip("z3")
    rows = ["-t", "HORSE B_WR_", "-t", "WORSE __RW_"]
    shown = run("export", "cryptic", *rows)
    assert shown.status == 0
    assert run("export", "cryptic", *rows, "-o", "game.smt2").out == ""
    assert (home / "game.smt2").read_text(encoding="utf-8") == shown.out
    solver = z3.Solver()
    solver.from_string(shown.out)
    assert str(solver.check()) == "sat"
    model = solver.model()
    values = " ".join(f"({name} {str(model[name]).lower()})" for name in model.decls())
    (home / "answer").write_text(f"sat\n({values})\n")
    read = run("export", "cryptic", *rows, "--read", "answer")
    assert read.status == 0
    assert read.err == "checked against 2 rows: it fits\n"
    assert read.out.strip() in run("candidates", "cryptic", *rows, "--limit", "5000").out.split()


@pytest.mark.parametrize(
    ("answer", "status", "told"),
    [
        ("((p1_A true) (p2_A true) (p3_B true))", 0, "it fits"),
        ("((p1_A true) (p2_B true) (p3_A true))", 1, "does not fit 1. AAB "),
        ("unsat", 1, "unsat"),
        ("unknown", 2, "unknown"),
        ("hello", 2, "no model"),
        ("((p1_A true))", 2, "position 2"),
        ("((p1_A true) (p1_B true) (p2_A true) (p3_A true))", 2, "position 1"),
    ],
)
def test_a_solvers_answer_is_checked(answer: str, status: int, told: str, run: Program) -> None:
    clue = "won" if status == 0 else "BB"
    done = run("export", "3x3", "-t", f"AAB {clue}", "--read", "-", stdin=answer)
    assert done.status == status
    assert told in done.err
    assert (done.out == "AAB\n") == (status == 0)


def test_the_script_of_contradicting_rows_is_written_and_the_status_says_so(run: Program) -> None:
    done = run("export", "mastermind", *CONTRADICTION)
    assert done.status == 1
    assert done.out.endswith("(check-sat)\n(get-model)\n")


# Streams that are closed, full, or hold no text.


@POSIX
@pytest.mark.parametrize(
    "arguments",
    [["games"], ["candidates", "cryptic", "--limit", "9999"], ["--help"], ["play", "2x2"]],
)
def test_a_full_disk_behind_stdout_is_one_line_and_status_2(
    arguments: list[str], start: Program
) -> None:
    with Path("/dev/full").open("wb") as full:
        done = start(*arguments, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 2
    assert done.stderr == b"puzzlehunt: No space left on device\n"


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize(
    ("arguments", "closed"),
    [
        ("play 2x2", "<&-"),
        ("play 2x2", ">&-"),
        ("play 2x2", "<&- >&- 2>&-"),
        ("candidates 2x2 --history -", "<&-"),
        ("games", ">&-"),
        ("games nothing", "2>&-"),
    ],
)
def test_closed_streams_lead_nowhere(arguments: str, closed: str, home: Path) -> None:
    command = f'"{sys.executable}" -m puzzlehunt {arguments} {closed}'
    done = _shell(command)
    assert done.returncode == (2 if "nothing" in arguments else 0)
    assert b"should not happen" not in done.stderr
    assert b"Traceback" not in done.stderr
    if "nothing" in arguments:
        assert done.stdout == b""


@POSIX
def test_a_reader_that_goes_away_is_no_error(home: Path) -> None:
    command = f'yes "HEART HORSE" | "{sys.executable}" -m puzzlehunt score cryptic - | head -2'
    done = _shell(command)
    assert done.stdout.count(b"\n") == 2
    assert done.stderr == b""


def test_bytes_that_are_no_text_are_shown_and_skipped(start: Program) -> None:
    lines = b"\xef\xbb\xbfHEART HORSE\nHE\xffRT HORSE\n\x00 HORSE\nHEART HORSE\n"
    done = start("score", "cryptic", "-", input=lines)
    told = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert done.returncode == 0
    assert ["error" in t for t in told] == [False, True, True, False]


def test_streams_that_cannot_spell_a_symbol_write_it_another_way(
    start: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    symbols = ["--set", "secret={symbols: [é, ü, A], length: 2}"]
    told = json.loads(start("candidates", "2x2", *symbols, "--json").stdout)
    assert told["candidates"][0] == "éé"
    assert start("candidates", "2x2", *symbols).stdout.split()[0] == rb"\xe9\xe9"


def _shell(command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, input=b"", timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("game", "rows"),
    [
        ("wordle", ["CRANE GGGGG"]),
        ("dordle", ["CRANE GGGGG .Y...", "BIRTH * GGGGG"]),
        ("xordle", ["CRANE GGGGG", "MOUTH GGGGG"]),
    ],
)
def test_nothing_is_suggested_once_all_is_found(run, game, rows):
    turns = [part for row in rows for part in ("-t", row)]
    told = run("suggest", game, *turns, "--json")
    assert told.status == 0
    assert json.loads(told.out)["suggestions"] == []


def test_numbers_that_nobody_reads_are_rounded(run: Program) -> None:
    asked = run("suggest", "100x20")
    assert (asked.status, asked.err) == (0, "about 1.3e130 left\n(from the rows alone)\n")
    assert "to settle how often symbols occur" in asked.out
    assert run("check", "250x250").out.startswith("250x250: about 3.1e599 secrets")
    assert json.loads(run("suggest", "50x10", "--json").out)["count"] == 10**50
