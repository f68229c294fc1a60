"""Answers on one line, for a cell of a spreadsheet, made of the answers that programs get."""

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlehunt.engines.count import Count
from puzzlehunt.views.candidates import left_lines
from puzzlehunt.views.escapes import csv_cell, one_line

Answer = Mapping[str, Any]
"""A JSON object with the keys of `suggest --json` or `candidates --json`."""


def suggestions_cell(answer: Answer) -> str:
    """Return suggested guesses, best first: `HARES, TARES`; or why there are none."""
    if answer["count"] == 0:
        return _nothing(answer)
    return _names([one["guess"] for one in answer["suggestions"]]) or "solved"


def candidates_cell(answer: Answer) -> str:
    """Return how many candidates are left, and those that are listed: `2 left: BC, CA`."""
    if answer["count"] == 0:
        return _nothing(answer)
    boards = answer.get("boards", ())
    if boards:
        numbered = enumerate(boards, start=1)
        return "; ".join(f"board {number}: {_left(board)}" for number, board in numbered)
    return _left(answer)


def _left(answer: Answer) -> str:
    codes = [one["code"] if isinstance(one, dict) else one for one in answer["candidates"]]
    left = ", ".join(left_lines(answered_count(answer), answer.get("outside")))
    dots = ", ..." if codes and answer["count"] != len(codes) else ""
    return f"{left}: {_names(codes)}{dots}" if codes else left


def answered_count(answer: Answer) -> Count:
    """Return the number of candidates of an answer, or its estimate."""
    if (estimate := answer.get("estimate")) is None:
        return Count.of(answer["count"])
    return Count(estimate["low"], estimate["high"], estimate["count"])


def _nothing(answer: Answer) -> str:
    """Return that nothing fits, and what nearly fits or is in a wider word list."""
    parts = ["nothing fits these rows"]
    if nearly := answer.get("nearly"):
        parts.append(f"if one row is wrong: {_names([one['code'] for one in nearly])}")
    if wider := answer.get("wider"):
        parts.append(f"{one_line(wider['list'])}: {_names(wider['candidates'])}")
    return "; ".join(parts)


def _names(codes: Sequence[str]) -> str:
    return ", ".join(map(csv_cell, codes))
