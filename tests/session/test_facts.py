"""Facts as they are typed: what is counted as left, what is echoed, what is refused."""

from pathlib import Path

import pytest

from player import Player
from puzzlehunt.game.files import gamefile


@pytest.mark.parametrize(
    ("game", "fact", "echo", "left"),
    [
        ("bulls-and-cows", "[1-9]___", "[1-9]___", "4,536 left"),
        ("bulls-and-cows", "[1-2,9]___", "[129]___", "1,512 left"),
        ("4x6", "[1-3]___", "[A-C]___", "648 left"),
        ("4x6", "no 1 or 3", "no A C", "256 left"),
        ("mastermind", "starts with R or g", "starts with R or G", "432 left"),
    ],
)
def test_facts_leave_the_codes_that_they_are_true_of(
    game: str, fact: str, echo: str, left: str
) -> None:
    lines = Player(game).say(f"/fact {fact}").out.splitlines()
    assert lines[0] == f"fact: {echo}"
    assert left in lines


@pytest.mark.parametrize(
    "fact", ["vowel", "no vowels", "no s at the end", "starts with a vowel", "sum 50", "HEART"]
)
def test_a_fact_that_is_none_is_refused_and_changes_nothing(fact: str) -> None:
    player = Player("cryptic").say(f"/fact {fact}")
    assert not len(player.session.history)
    assert "facts are written A____, [A-C]____, contains A and B" in player.notes or (
        "the symbols of this game are not numbers" in player.notes
    )


def test_a_range_in_a_file_is_the_range_that_is_typed(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text('game: bulls-and-cows\nfacts: ["[1-9]___"]\n')
    game = gamefile.load(file)
    assert sum(game.fits(game.history, secret) for secret in game.secrets) == 4536


def test_and_and_or_in_a_fact_are_no_letters() -> None:
    player = Player("cryptic").say("/fact no A or E", "/fact contains S and T", "/fact no repeats")
    facts = [fact.text for fact in player.session.history.facts]
    assert facts == ["no A E", "contains S T", "no repeats"]
    for word in player.session.engine.candidates():
        name = player.session.game.format_code(word)
        assert not {*"AE"} & {*name}
        assert {*"ST"} <= {*name}
