"""The question of `play`: which game."""

import sys
from io import StringIO
from pathlib import Path

import pytest

from puzzlehunt.cli.playing import asked_game


def test_a_game_is_asked_for_until_there_is_one(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("\nwordel\nxyzzy\nBulls and Cows\n"))
    assert asked_game() == "Bulls and Cows"
    assert capsys.readouterr().err.splitlines() == [
        "no game 'wordel'; did you mean wordle?",
        "no game 'xyzzy'; type a name of the list, a file or a size such as 4x6",
    ]
    for end in ("quit\n", ""):
        monkeypatch.setattr(sys, "stdin", StringIO(end))
        with pytest.raises(SystemExit, match=r"^0$"):
            asked_game()
