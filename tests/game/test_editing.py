"""Game files changed in place: what is not changed stays, comments and all."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases, unescaped
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import edited, read_document

MINE = """\
# Our puzzle 12.
title: Mine   # a title
secret: {words: standard, length: 5}
play:
  attempts: 5   # few

# From Anna's sheet: all of it.
turns:   # rows: ours
  # the first day
  - WORST _R___   # row one
  - "HOUSE RR___"
  # after it
# the end
"""


def _value(text: str) -> dict[str, Any]:
    return read_document(text, "mine.yaml", Path()).value


def _edited(text: str, **changes: Any) -> str:
    value = {**_value(text), **changes}
    result = edited(text, value, "mine.yaml")
    assert _value(result) == value
    return result


@pytest.mark.parametrize(("text", "result"), cases("lists without any row"))
def test_a_list_of_rows_or_facts_without_any_is_empty(text: str, result: str) -> None:
    text = unescaped(text)
    value = _value(text) | {"turns": ["AABB B"]}
    if "facts" in value:
        value["facts"] = []
    assert edited(text, value, "mine.yaml") == unescaped(result)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("\ufeffgame: 4x6\nturns: [AAAA B]\n", "\ufeffgame: 4x6\nturns:\n- AABB B\n"),
        ("{game: 4x6, turns: [AAAA B]}  # ours\n", "game: 4x6\nturns:\n- AABB B  # ours\n"),
    ],
)
def test_a_byte_order_mark_and_comments_around_braces_stay(text: str, result: str) -> None:
    assert _edited(text, turns=["AABB B"]) == result


def test_what_is_said_already_changes_nothing() -> None:
    assert _edited(MINE) == MINE


@pytest.mark.parametrize("rows", [["HOUSE RRB"], []])
def test_rows_are_written_anew_and_all_around_them_stays(rows: list[str]) -> None:
    begin, end = MINE.index("turns:"), MINE.index("  # after it")
    written = "".join(f"- {row}\n" for row in rows)
    expected = f"turns:\n{written}" if rows else "turns: []\n"
    assert _edited(MINE, turns=rows) == MINE[:begin] + expected + MINE[end:]


def test_new_keys_come_last_and_in_their_own_mapping() -> None:
    changed = _edited(
        MINE,
        facts=["contains E"],
        play={"attempts": "6", "strategy": "parts"},
        secret={"words": "large: a", "length": "5", "distinct": "no"},
        reads="learn",
    )
    assert "  attempts: '6'   # few\n  strategy: parts\n\n# From" in changed
    assert "secret: {words: 'large: a', length: '5', distinct: 'no'}\n" in changed
    assert changed.endswith("facts:\n- contains E\nreads: learn\n  # after it\n# the end\n")


@pytest.mark.parametrize(("text", "expected"), cases("files whose rows are added"))
def test_rows_are_added_however_the_file_is_laid_out(text: str, expected: str) -> None:
    assert _edited(unescaped(text), turns=["A B", "C D"]) == unescaped(expected)


@given(st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_comments_around_rows_outlast_all_changes_of_the_rows(rng: random.Random) -> None:
    def rows() -> list[str]:
        return [f"{rng.choice('ABCD')} {rng.choice(['x', '[y]', '? #', '*'])}" for _ in range(5)]

    indent, quote = " " * rng.randrange(4), rng.choice(["'", '"'])
    old = rows()[: rng.randint(1, 5)]
    lines = [f"{indent}- {quote}{row}{quote}  # note {n}" for n, row in enumerate(old)]
    text = "\n".join(["# top", "turns:", *lines, "# e"])
    new = rows()[: rng.randrange(6)]
    changed = _edited(text, turns=new).splitlines()
    assert [line for line in changed if line.lstrip().startswith("#")] == ["# top", "# e"]


@pytest.mark.parametrize("name", sorted(gamefile.built_in_games()))
def test_a_row_more_leaves_every_other_line_of_a_built_in_game(name: str) -> None:
    text = gamefile.yaml_of(name)
    longer = iter(_edited(text, turns=[*_value(text).get("turns", []), "X *"]).splitlines())
    assert all(line in longer for line in text.partition("\nturns:")[0].splitlines())
