"""Why a code is out: each reason is told as what it is."""

import pytest

from puzzlehunt.explanation.why import certain, parse_question, why
from puzzlehunt.game.files import gamefile


def test_what_may_only_be_guessed_is_told_by_what_it_breaks() -> None:
    outside = gamefile.load("bulls-and-cows", ("guess.distinct=false",))
    (verdict,) = why(outside, code="1123")
    assert "repeated" in verdict.not_a_secret


@pytest.mark.parametrize(
    ("board", "text", "question"),
    [("AB", "2: AB", ((0, 1), 1)), ("AB", "AB", ((0, 1), None)), ("AB/", "A/", ((0, 2), None))],
)
def test_a_question_on_several_boards_names_a_secret_for_one_or_for_any(
    board: str, text: str, question: tuple[tuple[int, ...], int | None]
) -> None:
    game = gamefile.load("2x3", [f"secret={{symbols: {board}, length: 2}}", "boards=2"])
    assert parse_question(game, text) == question
    assert [verdict.board for verdict in why(game, code="AB", board=1)] == [1]
    with pytest.raises(ValueError, match="from 0 to 1, not 2"):
        why(game, code="AB", board=2)


def test_the_first_row_that_is_a_proof_alone_is_the_proof() -> None:
    found = {one.symbol: one.because for one in certain("4x6", ["AAAA none", "BBCC 4w"])}
    assert found["A"] == (1,)
    assert found["D"] == (2,)
