"""The conversation through a pipe, and whatever is typed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from puzzlehunt.game.files import gamefile

Program = Callable[..., Any]

# The pipe.


def test_a_pipe_reads_what_a_terminal_reads(run: Program) -> None:
    lines = "HORSE B_WR_\nWORSE __RW_\n/candidates 5\n/undo\n/quit\nFLESH *\n"
    done = run("play", "cryptic", stdin=lines)
    assert done.status == 0
    assert done.out.splitlines()[5:] == [
        "1. HORSE: 1 black, 1 white, 1 red, 2 unread",
        "933 left (17 %: a row is misread)",
        "try HARES - 0.5 bits, wins 0.2 %",
        "2. WORSE: 1 white, 1 red, 3 unread",
        "863 left (16 %: a row is misread)",
        "try HARES - 0.5 bits, wins 0.3 %",
        *(f"{word}  0.3 %" for word in ("HEARS", "HEIRS", "HARES", "HERBS", "HERDS")),
        "16 %: a row is misread",
        "undone: 2. WORSE WR___",
        "933 left (17 %: a row is misread)",
        "try HARES - 0.5 bits, wins 0.2 %",
    ]
    assert done.err == "... and 858 more: /candidates 25\n"


def test_a_shared_result_fills_the_rows_from_a_pipe_too(run: Program) -> None:
    done = run("play", "wordle", stdin="SLATE\nCHORE\n🟩🟨⬜⬜🟩\n⬛⬛⬛⬛🟩\n/history\n")
    assert " 1. SLATE GY..G" in done.out
    assert " 2. CHORE ....G" in done.out


def test_a_pipe_reports_bad_lines_and_skips_them(run: Program, home: Path) -> None:
    lines = "HORSE B_WR_\nHORSES B\n/nothing\nWORSE __RW_\nFLESH"
    done = run("play", "cryptic", "--session", "s.yaml", stdin=lines)
    assert done.status == 0
    assert len(done.err.splitlines()) == 2
    assert [t.guess for t in gamefile.load("s.yaml").history.turns] == [
        gamefile.load("cryptic").parse_guess(word) for word in ("HORSE", "WORSE", "FLESH")
    ]


def test_a_pipe_ends_with_status_1_where_the_rows_contradict_each_other(run: Program) -> None:
    lines = "RRRR B\nRGBY none\n"
    assert run("play", "mastermind", stdin=lines).status == 1
    assert run("play", "mastermind", stdin=lines + "/undo\n").status == 0
    assert run("play", "mastermind", stdin=lines + "/quit\n").status == 1


def test_echo_repeats_the_lines_behind_their_prompts(run: Program) -> None:
    done = run("play", "cryptic", "--echo", stdin="FLESH\nRR\n")
    assert "> FLESH\nFLESH clue> RR\n1. FLESH: 2 red, 3 unread\n" in done.out


# Whatever is typed.
