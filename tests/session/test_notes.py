"""Notes on rows: kept in the session, its history and its file."""

from pathlib import Path

import puzzlehunt
from player import Player
from puzzlehunt.game.files import gamefile


def test_a_note_stays_with_its_row_in_session_history_and_file(home: Path) -> None:
    player = Player("cryptic").say("HORSE BWR # from puzzle 12", "ZONES RR", "/save s.yaml")
    assert player.say("/history").out.splitlines() == [
        " 1. HORSE BWR__  # from puzzle 12",
        " 2. ZONES RR___",
    ]
    assert "- 'HORSE BWR__ # from puzzle 12'\n" in (home / "s.yaml").read_text()
    loaded = gamefile.load("s.yaml")
    assert [turn.note for turn in loaded.history.turns] == ["from puzzle 12", ""]
    assert loaded.history == player.session.history
    player.session.close()


def test_a_note_may_stand_with_the_guess_or_with_its_clue() -> None:
    player = Player("cryptic").say("HORSE # from puzzle 12", "BWR", "ZONES", "RR # the wall")
    notes = [turn.note for turn in player.session.history.turns]
    assert notes == ["from puzzle 12", "the wall"]
    player = Player("cryptic").say("HORSE # one\nBWR\nZONES RR # two\nFLESH # 3 of us")
    assert [turn.note for turn in player.session.history.turns] == ["one", "two", "3 of us"]


def test_a_row_completed_keeps_its_note_or_gets_the_new_one() -> None:
    player = Player("cryptic").say("HORSE BW # from puzzle 12", "HORSE BWR")
    player.say("/add 1 R", "/edit 1 BWRR")
    assert player.session.history.turns[0].note == "from puzzle 12"
    assert player.say("HORSE BWRR # the wall").session.history.turns[0].note == "the wall"
    assert "1. HORSE BWRR_ is known already" in player.say("HORSE BWRR").out
    assert player.say("/undo").session.history.turns[0].note == "from puzzle 12"


def test_a_note_is_printed_harmlessly_and_can_be_saved(home: Path) -> None:
    player = Player("cryptic").say("HORSE BW # \x1b[2Jwiped", "/save s.yaml")
    assert player.session.history.turns[0].note == "[2Jwiped"
    assert len(gamefile.load("s.yaml").history) == 1
    player.session.close()


def test_a_file_that_could_not_be_read_again_is_not_written(home: Path) -> None:
    player = Player("2x2").say("/save s.yaml", f"AB * # {'x' * 100_001}")
    assert "a text of more than 100,000 characters" in str(player.session.unsaved)
    assert len(gamefile.load("s.yaml").history) == 0
    assert player.say("/undo", "AB WW").session.unsaved is None
    assert len(gamefile.load("s.yaml").history) == 1
    player.session.close()


def test_a_note_is_shown_in_a_notebook() -> None:
    game = puzzlehunt.load("cryptic")
    history = puzzlehunt.History((game.parse_turn("HORSE BW # from <puzzle> 12"),))
    assert "from &lt;puzzle&gt; 12" in history._repr_html_()
    engine = puzzlehunt.open_engine(game)
    engine.follow(history)
    assert "# from &lt;puzzle&gt; 12" in engine._repr_html_()


def test_where_a_hash_is_a_symbol_there_are_no_notes() -> None:
    player = Player("2x2", settings=("secret={symbols: 'A#', length: 2}",)).say("A# 1 0")
    assert [turn.note for turn in player.session.history.turns] == [""]
