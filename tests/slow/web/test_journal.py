"""Journals: who wrote a row when, what a kill leaves, and journals of other times."""

from pathlib import Path

import pytest

from board_kills import CHANGES, check_killed


@pytest.mark.parametrize("change", ["a fact", "an edit", "two steps"])
def test_a_change_that_comes_again_after_a_kill_is_made_once(tmp_path: Path, change: str) -> None:
    assert check_killed(CHANGES[change], tmp_path, step=23) > 4
