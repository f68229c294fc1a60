"""What is printed for each family of outcomes, and on pages, word for word as it was recorded."""

from pathlib import Path

import pytest

from transcripts import ANSWERS, LANGUAGES, PAGES, RECORDED, answered_pages, replayed

SLOW = [
    pytest.param(LANGUAGES, marks=[pytest.mark.slow, pytest.mark.needs("wordfreq")]),
    pytest.param(ANSWERS, marks=pytest.mark.slow),
]


@pytest.mark.parametrize("path", [*RECORDED, *SLOW], ids=lambda path: path.stem)
def test_what_is_printed_is_what_was_recorded(path: Path, home: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n$ puzzlehunt") > 0
    assert replayed(text) == text


@pytest.mark.parametrize("path", [PAGES[0], pytest.param(PAGES[1], marks=pytest.mark.slow)])
def test_what_a_page_says_is_what_was_recorded(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n=> sentence: ") > 1
    assert answered_pages(text) == text
