"""A change is made as a whole or not at all, and its file knows it, wherever Ctrl-C comes."""

from pathlib import Path

import pytest

from changes import CHANGES, check_interrupted


@pytest.mark.parametrize("name", ["a row", "undo"])
def test_a_change_is_in_the_file_or_said_not_to_be(name: str, tmp_path: Path) -> None:
    check_interrupted(CHANGES[name], tmp_path / "s.yaml", step=9)
