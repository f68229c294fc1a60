"""The readers of NetHack's tune: their data, and the one in Python on some of the tunes."""

import random
from pathlib import Path

from puzzlehunt.strategies.search.tree_file import text_of
from reader_words import check_words
from tune_readers import DATA, FOLDER, GAME, book, guesses_taken, reader


def test_the_data_are_the_whole_book_of_the_tune() -> None:
    file = book()
    assert DATA.read_text(encoding="ascii") == text_of(file)
    assert "guesses" not in file.head
    assert DATA.stat().st_size < 300_000


def test_every_reader_is_short() -> None:
    readers = sorted(FOLDER.glob("tune.*"))
    assert [path.suffix for path in readers] == [".c", ".lua", ".pl", ".py"]
    assert max(len(path.read_text().splitlines()) for path in readers) <= 60


def test_the_reader_in_python_plays_as_the_library(tmp_path: Path) -> None:
    secrets = random.Random(1).sample(list(GAME.secrets), 100)
    taken = guesses_taken(reader("py", tmp_path), secrets, book().tree)
    assert 4.5 < sum(taken) / len(taken) < 5.5


def test_the_reader_in_python_says_what_is_found_impossible_or_no_answer(tmp_path: Path) -> None:
    check_words(reader("py", tmp_path))
