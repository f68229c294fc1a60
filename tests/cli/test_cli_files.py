"""The commands that read and write files: games, check, init, export."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from program import PRINTED_SOON, check_printed
from puzzlehunt.game.files import gamefile

Program = Callable[..., Any]

CONTRADICTION = ["-t", "RRRR B", "-t", "RGBY none"]

POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX systems")


# Files.


def test_games_shows_how_many_secrets_a_board_has_and_what_is_told(run: Program) -> None:
    shown = run("games").out
    assert "\x1b" not in shown
    rows = {line.split()[0]: line for line in shown.splitlines()}
    assert rows["quordle"].split()[1:4] == ["3,461", "x", "4"]
    assert "4 boards" in rows["quordle"]
    assert " 11,487  " in rows["wordle"]
    assert " 17,723  " in rows["nerdle"]
    assert "in common" in rows["jotto"]


@pytest.mark.parametrize("name", PRINTED_SOON)
def test_a_printed_game_loads_again_as_the_same_game(name: str, run: Program, home: Path) -> None:
    check_printed(name, run, home)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\x00\x01\x02", "text file"),
        (b"\xff\xfe\xfa", "UTF-8"),
        (b"secrets: {symbols: AB, length: 2}\n", "did you mean secret"),
        (b"game: mine.yaml\n", "itself"),
        (b"game: " + b"[" * 50_000, "nesting depth"),
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
    assert "mine.yaml: cannot" in done.err


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
    assert (without.status, without.out) == (2, "")
    assert "with --table FILE" in without.err
    assert run("init", "mine.yaml", "--table", "t.csv").status == 0
    assert gamefile.load("mine.yaml").secrets.size == 2
    (home / "mine.yaml").write_text("precious\n")
    assert run("init", "mine.yaml", "--table", "t.csv").status == 2
    assert (home / "mine.yaml").read_text() == "precious\n"


@pytest.mark.parametrize(
    "words",
    [
        "play GAME", "host GAME", "suggest GAME", "candidates GAME", "score GAME mundo mundo",
        "solve GAME --secret random", "explain GAME", "identify GAME", "review GAME", "export GAME",
        "check GAME", "lab compare GAME --strategy parts --strategy entropy",
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("((p1_A true) (p2_A true) (p3_B true))", 0),
        ("((p1_A true) (p2_B true) (p3_A true))", 1),
        ("unsat", 1),
        ("unknown", 2),
    ],
)
def test_a_solvers_answer_is_checked(answer: str, status: int, run: Program) -> None:
    clue = "won" if status == 0 else "BB"
    done = run("export", "3x3", "-t", f"AAB {clue}", "--read", "-", stdin=answer)
    assert done.status == status
    assert (done.out == "AAB\n") == (status == 0)


def test_the_script_of_contradicting_rows_is_written_and_the_status_says_so(run: Program) -> None:
    done = run("export", "mastermind", *CONTRADICTION)
    assert done.status == 1
    assert done.out.endswith("(check-sat)\n(get-model)\n")
