"""The commands that read and write files: games, check, init, export."""

import json
import os
from pathlib import Path

import pytest

from cases import cases
from program import Program
from puzzlehunt.game.files import gamefile

POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX systems")


# Files.


@pytest.mark.slow
def test_games_lists_every_built_in_game_with_its_source(run: Program) -> None:
    told = json.loads(run("games", "--json").out)["games"]
    assert {game["name"] for game in told} == set(gamefile.built_in_games())
    boards = {game["name"]: game["boards"] for game in told}
    assert (boards["wordle"], boards["quordle"]) == (1, 4)
    assert all(game["about"] and game["source"] for game in told)
    names = [line.split()[0] for line in run("games").out.splitlines() if line[:1].strip()]
    assert names[1:] == [game["name"] for game in told]


SOON = {"dordle", "heart-2018", "liar", "mini-nerdle", "nethack", "safe-cracker", "4x6", "3x40"}
"""Games that fast tests print, one at least of every shape; slow tests print all others."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in SOON else [pytest.mark.slow])
        for name in sorted(SOON | {*gamefile.built_in_games()})
    ],
)
def test_a_printed_game_loads_again_as_the_same_game(name: str, run: Program, home: Path) -> None:
    text = run("games", name).out
    assert json.loads(run("games", name, "--json").out) == {"name": name, "yaml": text}
    (home / "mine.yaml").write_text(text, encoding="utf-8")
    mine, built_in = gamefile.load("mine.yaml"), gamefile.load(name)
    assert mine.title == built_in.title
    assert mine.secrets.size == built_in.secrets.size
    assert mine.guesses.size == built_in.guesses.size
    assert mine.history == built_in.history
    assert mine.rule.notation.legend() == built_in.rule.notation.legend()
    assert run("check", "mine.yaml").status == 0


@POSIX
def test_a_game_may_come_through_a_pipe(run: Program, home: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"game: 2x2")
    os.close(writer)
    done = run("check", f"/dev/fd/{reader}")
    os.close(reader)
    assert "4 secrets" in done.out


def test_init_writes_a_file_for_a_table_and_overwrites_nothing(run: Program, home: Path) -> None:
    (home / "t.csv").write_text("name,size\nA,1\nB,2\n")
    without = run("init", "mine.yaml")
    assert (without.status, without.out, "--table" in without.err) == (2, "", True)
    assert run("init", "mine.yaml", "--table", "t.csv").status == 0
    assert gamefile.load("mine.yaml").secrets.size == 2
    (home / "mine.yaml").write_text("precious\n")
    assert run("init", "mine.yaml", "--table", "t.csv").status == 2
    assert (home / "mine.yaml").read_text() == "precious\n"


@pytest.mark.parametrize("words", [one for (one,) in cases("commands that read a list")])
def test_each_command_tells_once_which_words_of_a_list_it_cannot_use(
    words: str, run: Program, home: Path
) -> None:
    (home / "list.txt").write_text("mundo\ncampo\npapel\nárbol\nmundo\ncasa\n", encoding="utf-8")
    (home / "mine.yaml").write_text("secret: {words: list.txt, length: 5, alphabet: english}\n")
    done = run(*words.replace("GAME", "mine.yaml").split())
    told = "1 word with other letters passed over: árbol"
    assert (done.err.count(told), done.out.count("passed over")) == (1, 0)


# Solvers.


def test_export_writes_a_script_and_reads_a_solvers_answer_back(run: Program, home: Path) -> None:
    z3 = pytest.importorskip("z3")
    (home / "mine.txt").write_text("heart\nhonor\nshore\nother\ntheir\nwhere\n")
    rows = ["-t", "HORSE B_WR_", "-t", "WORSE __RW_", "--words", "mine.txt"]
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
    assert read.out.strip() in run("candidates", "cryptic", *rows).out.split()


# What a file means.


def test_rows_that_contradict_each_other_end_with_1(run: Program) -> None:
    done = run("check", "mastermind", "--set", "turns=[RRRR B, RGBY none]")
    assert (done.status, "contradict each other" in done.err) == (1, True)
