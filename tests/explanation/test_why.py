"""Why a code is out: each reason is told as what it is."""

import pytest

from program import Program
from puzzlehunt.explanation.why import parse_question, why
from puzzlehunt.game.files import gamefile

COMMON = ("secret.words=common", "guess.words=large", "play.opening=CRANE", "play.strategy=entropy")
REASONS = [
    ("cryptic", "GEESE", "repeated"),
    ("bulls-and-cows", "1123", "repeated"),
    ("wordle", "AALII", "only in the wider list large"),
    ("wordle", "QQQQQ", "not in the list"),
    ("nerdle", "12+13=26", "not in the list"),
    ("nerdle", "01+01=02", "not in the list"),
]


@pytest.mark.parametrize(("name", "code", "reason"), REASONS)
def test_a_code_that_is_never_hidden_is_told_why(name: str, code: str, reason: str) -> None:
    game = gamefile.load(name, COMMON if name == "wordle" else ())
    (verdict,) = why(game, code=code)
    assert reason in verdict.not_a_secret


def test_what_may_only_be_guessed_is_told_by_what_it_breaks() -> None:
    outside = gamefile.load("bulls-and-cows", ("guess.distinct=false",))
    (verdict,) = why(outside, code="1123")
    assert "repeated" in verdict.not_a_secret


def test_a_row_that_must_lie_says_how_many_marks_would_be_false(run: Program) -> None:
    told = run("explain", "fibble", "-t", "CRANE GY...", "-t", "SLATE .G..G", "--why", "CORGI").out
    assert "CORGI is out by 1. CRANE GY...\n  true marks GY...: 0 false, not 1" in told
    assert "2. SLATE .G..G\n  true marks .....: 2 false, not 1" in told


@pytest.mark.parametrize(
    ("board", "text", "question"),
    [
        ("AB", "2: AB", ((0, 1), 1)),
        ("AB", "AB", ((0, 1), None)),
        ("AB/", "A/", ((0, 2), None)),
    ],
)
def test_a_question_on_several_boards_names_a_secret_for_one_or_for_any(
    board: str, text: str, question: tuple[tuple[int, ...], int | None]
) -> None:
    game = gamefile.load("2x3", [f"secret={{symbols: {board}, length: 2}}", "boards=2"])
    assert parse_question(game, text) == question
    assert [verdict.board for verdict in why(game, code="AB", board=1)] == [1]
    with pytest.raises(ValueError, match="from 0 to 1, not 2"):
        why(game, code="AB", board=2)
