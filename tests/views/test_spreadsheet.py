"""Answers on one line, for a cell of a sheet."""

from typing import Any

import pytest

from puzzlehunt.views.spreadsheet import candidates_cell, suggestions_cell

NOTHING = {"count": 0, "candidates": [], "suggestions": []}


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ({"count": 2, "candidates": ["BC", "CA"]}, "2 left: BC, CA"),
        ({"count": 1_296, "candidates": ["BC", "CA"]}, "1,296 left: BC, CA, ..."),
        ({"count": 3, "candidates": ["=A", "-B", "C"]}, "3 left: '=A, '-B, C"),
        ({"count": None, "candidates": ["A"]}, "too many left to count: A, ..."),
        (
            {"count": None, "candidates": [], "estimate": {"count": 500, "low": 400, "high": 600}},
            "about 500 left (400-600)",
        ),
        (
            {"count": 1, "candidates": [{"code": "A", "probability": 0.8}], "outside": 0.97},
            "1 left, 97 %: the secret is none of these: A",
        ),
        (
            {
                "count": 2, "candidates": ["A/B", "A/C"],
                "boards": [{"count": 1, "candidates": ["A"]}, {"count": 2, "candidates": ["B"]}],
            },
            "board 1: 1 left: A; board 2: 2 left: B, ...",
        ),
        (NOTHING, "nothing fits these rows"),
        (
            NOTHING | {"nearly": [{"code": "A"}], "wider": {"list": "huge", "candidates": ["B"]}},
            "nothing fits these rows; if one row is wrong: A; huge: B",
        ),
    ],
)  # fmt: skip
def test_a_cell_has_the_number_left_and_names(answer: dict[str, Any], line: str) -> None:
    assert candidates_cell(answer) == line


def test_a_cell_has_guesses_or_why_there_are_none() -> None:
    guesses = [{"guess": "BC"}, {"guess": "=A"}]
    assert suggestions_cell({"count": None, "suggestions": guesses}) == "BC, '=A"
    assert suggestions_cell({"count": 1, "suggestions": []}) == "solved"
    assert suggestions_cell(NOTHING) == candidates_cell(NOTHING)
