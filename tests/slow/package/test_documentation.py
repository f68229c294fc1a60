"""Stories in the documents: what the program prints at every line, and its picture."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

from transcripts import TRANSCRIPTS, replayed

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_shows_what_is_printed_today(path: Path, home: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n$ puzzlehunt") > 0
    assert replayed(text) == text


def test_the_picture_shows_what_the_program_prints_today() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "terminal_picture.py"), "--check"], check=False
    )
    assert done.returncode == 0


def test_the_worked_examples_give_what_their_page_shows() -> None:
    page = ROOT / "docs" / "worked-examples.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 15
    assert failed == 0
