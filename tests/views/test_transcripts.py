"""What is printed for each family of outcomes, word for word, as it was recorded."""

from pathlib import Path

import pytest

from transcripts import RECORDED, replayed


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_what_is_printed_is_what_was_recorded(path: Path, home: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n$ puzzlehunt") > 0
    assert replayed(text) == text
