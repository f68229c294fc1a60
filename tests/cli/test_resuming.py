"""The questions of `play`: which game, and whether a game that was begun is resumed."""

import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from puzzlehunt.cli.playing import asked_game, wants_to_resume
from puzzlehunt.session.session import Session

Answers = Callable[..., tuple[bool, str]]
_BOTH = "your game of 1 row, CABC waiting for its clue"
WAITING = "# Row 2 waits for its clue: CABC\n"


@pytest.fixture
def answers(home: Path, monkeypatch: pytest.MonkeyPatch) -> Answers:
    """A function that types lines where it is asked whether to resume, and returns the outcome."""

    def answers(text: str, *rows: str, waiting: str = "") -> tuple[bool, str]:
        path = home / "old.yaml"
        path.write_text(f"game: 4x3\nturns: [AABB BW]\n{waiting}")
        monkeypatch.setattr(sys, "stdin", StringIO(text))
        session = Session.resume(path)
        try:
            return wants_to_resume(session, rows)
        finally:
            session.close()

    return answers


@pytest.mark.parametrize("answer", ["", "y", "Yes", "r", "resume", "continue", " yes. "])
def test_yes_resumes(answer: str, answers: Answers) -> None:
    assert answers(f"{answer}\n") == (True, "")
    assert answers(f"{answer}\n", "CCCC *") == (bool(answer), "")


@pytest.mark.parametrize("answer", ["n", "No", "new", "anew", "start anew", "Start  anew!", "/new"])
def test_no_starts_anew(answer: str, answers: Answers) -> None:
    assert answers(f"{answer}\n") == (False, "")


@pytest.mark.parametrize("answer", ["q\n", "Quit\n", "exit\n", "/quit\n", ""])
def test_quit_leaves(answer: str, answers: Answers) -> None:
    with pytest.raises(SystemExit) as left:
        answers(answer)
    assert left.value.code == 0


@pytest.mark.parametrize("answer", ["what?", "nope", "1", "yes please", "cabc", "B", "not"])
def test_anything_else_is_asked_again(
    answer: str, answers: Answers, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answers(f"{answer}\n{answer}\nno\n") == (False, "")
    printed = capsys.readouterr()
    assert printed.out == "Resume your game of 1 row, or start anew? [R/n]: " * 3
    assert len(printed.err.splitlines()) == 2


@pytest.mark.parametrize("row", ["CABC BW", "cabc *", "3. CABC 1 1"])
def test_a_row_is_a_row(row: str, answers: Answers) -> None:
    assert answers(f"{row}\n") == (True, row)
    assert answers(f"{row}\n", "CCCC *") == (False, row)


@pytest.mark.parametrize(
    ("rows", "waiting", "question"),
    [
        (["CCCC *"], "", "your game of 1 row and add 1 row, or start anew with it? [r/N]"),
        ([], WAITING, f"{_BOTH}, or start anew? [R/n]"),
        (
            ["CCCC *", "AAAA *"],
            WAITING,
            f"{_BOTH}, and add 2 rows, or start anew with them? [r/N]",
        ),
    ],
)
def test_the_question_names_what_waits_and_a_clue_answers_the_guess_that_does(
    rows: list[str],
    waiting: str,
    question: str,
    answers: Answers,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer, typed = ("BW", "BW") if waiting else ("y", "")
    assert answers(f"{answer}\n", *rows, waiting=waiting)[1] == typed
    assert capsys.readouterr().out == f"Resume {question}: "


def test_a_game_is_asked_for_until_there_is_one(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("\nwordel\nxyzzy\nBulls and Cows\n"))
    assert asked_game() == "bulls-and-cows"
    assert capsys.readouterr().err.splitlines() == [
        "no game 'wordel'; did you mean wordle?",
        "no game 'xyzzy'; type a name of the list, a file or a size such as 4x6",
    ]
    for end in ("quit\n", ""):
        monkeypatch.setattr(sys, "stdin", StringIO(end))
        with pytest.raises(SystemExit) as left:
            asked_game()
        assert left.value.code == 0
