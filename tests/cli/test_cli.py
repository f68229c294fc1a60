"""The command line: its commands and their help, exit statuses, and what is printed where."""

import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import puzzlehunt
from cases import cases
from program import Program, commands
from puzzlehunt.cli.options import KEY_OF, MOVED
from puzzlehunt.game.files.schema import GameKeys, GuessKeys, SecretKeys
from puzzlehunt.game.play import Play

ROOT = Path(__file__).resolve().parents[2]

TWO = ["--strategy", "entropy", "--strategy", "parts"]
LINE_END = os.linesep.encode()
POSIX = pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX systems")


COMMANDS = commands()


# Every command.


def test_the_commands_are_those_that_are_promised() -> None:
    promised = "play host suggest candidates score solve explain review export check games init"
    promised += " serve identify"
    lab = {f"lab {name}" for name in ("run", "compare", "plot", "verify")}
    assert set(COMMANDS) == {*promised.split()} | lab


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_and_is_documented(name: str, run: Program) -> None:
    shown = run(*name.split(), "--help")
    assert shown.status == 0
    assert f"puzzlehunt {name} " in shown.out
    table = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").partition("| does |")[2]
    assert re.search(rf"^\|.*`(lab )?{name.split()[-1]}`.*\|", table, re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    for parameter in COMMANDS[name].params:
        assert parameter.name == "help" or parameter.param_type_name == "argument" or parameter.help


def named_options(page: Path) -> Iterator[tuple[str, str]]:
    """Yield (command, option) for each option that a page says a command has; "" for any command.

    Both stand in one piece of code, as in `lab run --csv`, or in one sentence.
    """
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for sentence in re.split(r"(?<=[.!?:;])\s|\n\n|\|", text):
        codes = [code.split() for code in re.findall(r"`([^`\s][^`\n]*)`", sentence)]
        names = {" ".join(words[:n]) for words in codes for n in (1, 2)} & COMMANDS.keys()
        for first, *others in codes:
            alone = re.findall(r"^--[a-z][a-z-]*", first)
            yield from ((name, option) for option in alone for name in names or {""})
            name = f"lab {others[0]}" if first == "lab" and others else first
            if name in COMMANDS:
                yield from ((name, word) for word in others if re.match("--?[a-z]", word))


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{p.name}" for p in ROOT.glob("docs/*.md"))])
def test_an_option_in_a_document_is_one_of_its_command(page: str) -> None:
    options = {
        name: {"--help", *(each for parameter in one.params for each in parameter.opts)}
        for name, one in COMMANDS.items()
    }
    options[""] = {"--install-completion"}.union(*options.values())
    for command, option in named_options(ROOT / page):
        assert option in options[command], f"{command} {option}"


def test_without_a_command_a_pipe_gets_the_help(run: Program) -> None:
    shown = run()
    assert shown.status == 0
    assert "Usage: puzzlehunt" in shown.out


def test_the_version_is_that_of_the_package(run: Program) -> None:
    assert run("--version").out == f"puzzlehunt {puzzlehunt.__version__}\n"


@POSIX
def test_the_module_runs_as_the_program_does_and_colours_nothing_in_a_pipe(start: Program) -> None:
    done = start("solve", "2x2", "--secret", "AB")
    assert (done.returncode, done.stderr) == (0, b"(guesses by deep)" + LINE_END)
    assert done.stdout.endswith(b"Solved in 2 guesses: AB" + LINE_END)
    assert b"\x1b" not in done.stdout


# Exit statuses and streams.


LONG = ["secret=" + "[" * 3_000, ".".join("a" * 3_000) + "=1", "secret.words=\udcff"]


@pytest.mark.parametrize(
    "arguments",
    [*(shlex.split(line) for (line,) in cases("bad usage")),
     *(["suggest", "cryptic", "--set", setting] for setting in LONG)],
)  # fmt: skip
def test_bad_usage_ends_with_status_2_and_leaves_no_trace(
    arguments: list[str], run: Program, home: Path
) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert not list(home.glob("[!.]*"))
    usage, _, told = done.err.rpartition("Error: ")
    assert usage or done.err.startswith("puzzlehunt: ")
    assert len(told.splitlines()) in (1, 2)


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        (["suggest"], "count exact strategy measure suggestions"),
        (["candidates"], "count exact candidates"),
        (["solve", "--secret", "random"], "secret solved guesses facts turns seconds strategies"),
    ],
)
def test_contradictions_end_with_status_1_and_print_their_json_all_the_same(
    command: list[str], keys: str, run: Program
) -> None:
    rows = ["--set", "turns=[RRRR B, RGBY none]"]
    done = run(command[0], "mastermind", *command[1:], *rows, "--json")
    assert done.status == 1
    assert set(json.loads(done.out)) == {*keys.split()}
    assert "RGBY none" in done.err


def test_contradictions_without_json_leave_stdout_to_results(run: Program) -> None:
    rows = ["--set", "turns=[RRRR B, RGBY none]"]
    for command in (["suggest"], ["candidates"], ["lab", "compare", *TWO]):
        done = run(*command, "mastermind", *rows)
        assert (done.status, done.out) == (1, "")
        assert "RGBY none" in done.err


def test_score_reads_pairs_and_reports_bad_ones_where_they_stand(run: Program) -> None:
    lines = "FFAAB AABCD\n\nFFAAB\nFFAAB H\nFFAA ABC\nFFAAB ABCDEFGH\nXXXXX A\n"
    done = run("score", "nethack", "-", stdin=lines)
    told = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 0
    told_of = [(t["black"], t["white"]) for t in told if "error" not in t]
    assert told_of == [(0, 3), (0, 0), (0, 1), (0, 2)]
    assert [t["guess"] for t in told] == ["AABCD", "", "B", "ABC", "ABCDE", "A"]
    bad = [told[3], told[5]]
    assert all(set(t) == {"secret", "guess", "error"} for t in bad)
    assert [t["secret"] for t in bad] == ["FFAA", "XXXXX"]


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
    assert re.search(r"about [\d.e]+( \w+)? left", said)


# Options.

KEYS: dict[str, Any] = {"": GameKeys, "secret": SecretKeys, "guess": GuessKeys, "play": Play}
OPTIONS = {
    KEY_OF[parameter.name]: parameter
    for name, command in COMMANDS.items()
    for parameter in command.params
    if parameter.name in KEY_OF and name != "serve"
}


def test_what_an_option_sets_is_a_key_of_a_game() -> None:
    assert OPTIONS.keys() == set(KEY_OF.values())
    for path in OPTIONS:
        section, _, key = path.rpartition(".")
        assert key in {each.name for each in fields(KEYS[section])}


@pytest.mark.parametrize("name", sorted(KEY_OF.keys() - {"hard", "seed", "strategy"}))
def test_each_command_sets_the_key_of_an_option(name: str, run: Program) -> None:
    arguments = {
        "score": ["CRANE", "SLOTH"], "solve": ["--secret", "random"], "lab plot": ["-o", "x.svg"],
        "lab compare": ["--strategy", "parts", "--strategy", "first"],
    }  # fmt: skip
    for command, found in COMMANDS.items():
        if name in {parameter.name for parameter in found.params} and command != "lab verify":
            given = [*command.split(), "wordle", *arguments.get(command, [])]
            told = run(*given, f"--{name}", "none").err
            assert told.startswith(f"puzzlehunt: --{name} none: "), told


def test_a_command_that_cannot_be_read_is_answered_with_one_that_can(run: Program) -> None:
    for command in COMMANDS:
        refused = run(*command.split(), "4x6", "--nonsense")
        assert f"\nAs in: puzzlehunt {command}" in refused.err


def test_an_option_that_is_a_key_is_refused_by_its_name(run: Program) -> None:
    for command, found in COMMANDS.items():
        own = {name for parameter in found.params for name in parameter.opts}
        for option in MOVED.keys() - own if "--set" in own else ():
            refused = run(*command.split(), "4x6", option, "1")
            assert (refused.status, refused.out) == (2, "")
            assert f" --set {MOVED[option]}=VALUE" in refused.err
