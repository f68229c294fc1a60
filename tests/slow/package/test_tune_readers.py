"""The readers of NetHack's tune in four languages, on every tune."""

from pathlib import Path

import pytest

from reader_words import check_words
from tune_readers import GAME, PROGRAMS, book, guesses_taken, reader


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_reader_finds_every_tune_by_the_guesses_of_the_library(kind: str, tmp_path: Path) -> None:
    try:
        command = reader(kind, tmp_path)
    except FileNotFoundError as error:
        pytest.skip(str(error))
    check_words(command)
    file = book()
    taken = guesses_taken(command, GAME.secrets, file.tree)
    expected = [file.number(key) for key in ("secrets", "total", "worst")]
    assert [len(taken), sum(taken), max(taken)] == expected
