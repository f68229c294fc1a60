"""Files that somebody wrote, played on: their text stays, and one program writes at a time."""

import errno
import os
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from player import Opened, Player
from program import Program
from puzzlehunt.errors import GameFileError, SessionError, SessionInUseError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document
from puzzlehunt.session import file_store
from puzzlehunt.session.changes import DropRow, SetStrategy
from puzzlehunt.session.outcomes import Failed, Note
from puzzlehunt.session.session import Session, WatchedSession

MINE = """\
# Our puzzle 12.
title: Mine   # a title
secret: {words: [heart, horse, worse, zones, house, worst], length: 5}
rule: pegs
marks: {black: B, white: W, miss: R, unknown: _}

# From Anna's sheet.
turns:
- WORST R
- HOUSE RR
# the end
"""


@pytest.fixture
def mine(home: Path) -> Path:
    path = home / "mine.yaml"
    path.write_text(MINE, newline="")
    return path


# What the author wrote.


def test_what_a_killed_program_left_is_removed_by_the_next(mine: Path, opened: Opened) -> None:
    left, other = (mine.with_name(f".mine.yaml.{end}") for end in ("abcd1234.tmp", "original"))
    for path in (left, other):
        path.write_text("half")
    opened(mine)
    assert (left.exists(), other.exists()) == (False, True)


def test_rows_are_written_to_the_file_and_all_else_in_it_stays(mine: Path, opened: Opened) -> None:
    player = opened(mine)
    assert mine.read_text() == MINE
    player.say("ZONES R")
    longer = MINE.replace("HOUSE RR\n", "HOUSE RR\n- ZONES R____\n")
    assert mine.read_text() == longer
    player.say("/edit 1 RB")
    assert "\n- WORST BR___\n- HOUSE RR\n- ZONES R____\n" in mine.read_text()
    player.say("/drop 1")
    assert "\n- HOUSE RR\n- ZONES R____\n" in mine.read_text()
    player.say("/undo", "/undo")
    assert mine.read_text() == longer
    player.say("/undo")
    assert mine.read_text() == MINE
    player.say("/new")
    assert "turns: []\n" in mine.read_text()
    player.say("/undo")
    assert mine.read_text() == MINE


def test_settings_that_play_changes_are_added(mine: Path, opened: Opened) -> None:
    opened(mine).say("/strategy parts", "/rates miss=0.5", "/fact contains E")
    text = mine.read_text()
    settings = "play:\n  strategy: parts\nreads:\n  miss: '0.5'\n"
    assert text.replace(settings, "").replace("- /fact contains E\n", "") == MINE
    game = gamefile.load(mine)
    assert (game.play.strategy, len(game.history.facts)) == ("parts", 1)


def test_options_are_written_with_the_next_row(mine: Path) -> None:
    changes = Document({}).with_option("--strategy", "play.strategy", "parts")
    session = Session.resume(mine, changes=changes)
    assert mine.read_text() == MINE
    session.apply(DropRow(1))
    session.undo()
    assert mine.read_text().replace("play:\n  strategy: parts\n", "") == MINE
    session.close()


def test_what_is_inherited_is_written_only_when_it_changes(home: Path) -> None:
    path = home / "log.yaml"
    path.write_text("game: heart-2018  # the log\nfacts: [contains E]\n")
    session = Session.resume(path)
    assert len(session.history.turns) == 27
    session.apply(SetStrategy("parts"))
    text = "game: heart-2018  # the log\nfacts: [contains E]\nplay:\n  strategy: parts\n"
    assert path.read_text() == text
    session.apply(DropRow(27))
    assert path.read_text().startswith(text + "turns:\n- ")
    assert len(gamefile.load(path).history.turns) == 26
    session.undo()
    assert path.read_text() == text
    session.close()


def test_a_copy_has_the_comments_and_finds_its_lists(home: Path) -> None:
    (home / "list.txt").write_text("heart\nhorse\n")
    text = "# mine\nsecret: {words: ./list.txt, length: 5} # few\nrule: pegs\n"
    (home / "mine.yaml").write_text(text)
    (home / "deep").mkdir()
    session = Session.resume(home / "mine.yaml")
    session.keep_in(home / "copy.yaml")
    assert (home / "copy.yaml").read_text() == text
    session.keep_in(home / "deep" / "copy.yaml")
    assert (home / "deep" / "copy.yaml").read_text() == text.replace(
        "./list.txt, length: 5", "../list.txt, length: '5'"
    )
    session.close()
    with pytest.raises(
        GameFileError, match=r"lies outside of the folder .* name it yourself: secret.words="
    ):
        gamefile.load(home / "deep" / "copy.yaml")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", BOM_UTF8])
def test_line_ends_and_a_byte_order_mark_stay(line_end: str, mark: bytes, home: Path) -> None:
    path, old = home / "mine.yaml", "# mine\ngame: 2x3  # ours\nturns:\n- AB B\n# end\n"
    new = old.replace("AB B\n", "AB B\n- CC none\n")
    whole = {text: mark + text.replace("\n", line_end).encode() for text in (old, new)}
    path.write_bytes(whole[old])
    session = Session.resume(path)
    session.play(session.game.turn("CC none"))
    assert path.read_bytes() == whole[new]
    session.undo()
    session.close()
    assert path.read_bytes() == whole[old]


# What others do to the file.


def test_what_the_author_changes_meanwhile_is_kept(mine: Path, opened: Opened) -> None:
    player = opened(mine)
    mine.write_text(MINE.replace("HOUSE RR", "HOUSE RRB"))
    player.say("ZONES R")
    assert "in memory only" in player.notes
    assert mine.read_text() == MINE.replace("HOUSE RR", "HOUSE RRB")
    assert len(player.rows) == 3
    mine.write_text("nothing: [")
    assert "in memory only" in player.say("/undo").notes
    assert mine.read_text() == "nothing: ["
    mine.unlink()
    assert player.say("/redo").notes == ""
    assert MINE.splitlines()[6] in mine.read_text()


def test_a_file_that_another_program_writes_is_refused(mine: Path, opened: Opened) -> None:
    writer = opened(mine)
    assert not writer.session.is_shared
    with pytest.raises(SessionInUseError, match="to play together: puzzlehunt serve"):
        Session.resume(mine)
    opened(mine)  # it closes the one before


def test_a_file_that_could_not_be_read_again_is_not_written(
    mine: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, written = opened(mine), mine.read_text()
    monkeypatch.setattr("puzzlehunt.session.file_store.MOST_BYTES", 2_000)
    assert "at most 16 MB" in player.say(f"ZONES R # {'x' * 2_000}").notes
    assert mine.read_text() == written


def test_a_file_that_cannot_be_written_is_played_in_memory(
    mine: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise SessionError(f"{path}: cannot be written (Read-only file system)")

    monkeypatch.setattr("puzzlehunt.session.file_store.acquire_lock", refuse)
    player = opened(mine)
    assert "/save" in player.first_notes
    assert "in memory only" in player.say("ZONES R").notes
    assert len(player.rows) == 3
    monkeypatch.undo()
    player.say("/undo", "/redo")
    assert player.notes == ""
    assert len(gamefile.load(mine).history) == 3


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_is_full_or_fails_loses_nothing(
    code: int, mine: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_handle: int) -> None:
        raise OSError(code, os.strerror(code))

    player, others = opened(mine), set(mine.parent.iterdir())
    monkeypatch.setattr(os, "fsync", fail)
    player.say("ZONES R")
    unsaved = f"in memory only: {mine}: cannot be written ({os.strerror(code)})"
    assert unsaved in player.notes
    assert (mine.read_text(), len(player.rows)) == (MINE, 3)
    for line in ("/save copy.yaml", "/export script"):
        failed, still = player.say(line).outcomes
        assert isinstance(failed, Failed)
        assert isinstance(still, Note)
        assert unsaved in still.text
    assert {path for path in mine.parent.iterdir() if path.suffix != ".lock"} <= others
    monkeypatch.undo()
    assert player.say("/undo", "/redo").notes == ""
    assert len(gamefile.load(mine).history) == 3


# From the command line.


def test_a_name_that_is_too_long_is_one_line(run: Program, home: Path) -> None:
    name = 300 * "a"
    done = run("play", "2x3", stdin=f"/save {name}\n/export {name}\n")
    assert done.err.count("!") == 2
    for command in (("play", "--session", name), ("export", "-o", name)):
        done = run(command[0], "2x3", *command[1:], stdin="")
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)


def test_a_pipe_writes_the_file_of_session_and_no_other(
    run: Program, mine: Path, home: Path
) -> None:
    done = run("play", "mine.yaml", stdin="ZONES R\n")
    assert mine.read_text() == MINE
    assert done.err.count("\n") == 1
    assert run("play", "mine.yaml", stdin="/history\n").err == ""
    assert run("play", "mine.yaml", "--session", "mine.yaml", stdin="ZONES R\n").status == 0
    assert mine.read_text().replace("- ZONES R____\n", "") == MINE
    assert run("play", "--session", "mine.yaml", "--reads", "learn", stdin="").status == 0
    assert "reads: learn\n" in mine.read_text()
    held = Session.resume(mine)
    done = run("play", "--session", "mine.yaml", stdin="HEART *\n")
    assert (done.status, done.out) == (2, "")
    assert mine.read_text().count("HEART *") == 0
    held.close()


def test_a_session_is_set_aside_by_the_time_of_its_last_change(home: Path) -> None:
    path = home / "4x6.yaml"
    targets = []
    for text in ("one", "two"):
        path.write_text(text)
        os.utime(path, (1_600_000_000, 1_600_000_000))
        targets.append(file_store.set_aside(path))
        assert not path.exists()
        assert targets[-1].read_text() == text
    assert targets[0].name.startswith("4x6-2020-09-1")
    assert targets[1].name == f"{targets[0].stem}-2.yaml"
    with pytest.raises(SessionError, match="cannot be written"):
        file_store.set_aside(path)


def test_rows_follow_a_watched_file_and_what_is_typed_stays_beside_them(home: Path) -> None:
    """A file may be half written: it is read when it has not changed between two looks."""
    sheet = home / "sheet.csv"
    session = WatchedSession("4x6", sheet)
    player = Player(session, quiet=True)
    assert not session.is_outdated
    player.say("AAAA B", "/fact no F")
    steps = [
        ("guess,clue\nAABB,B\nCCDD,\n", "AABB B|CCDD *|AAAA B|/fact no F", 0),
        ("guess,clue\nCCDD,WW\nAABB,B\n", "CCDD WW|AABB B|AAAA B|/fact no F", 0),
        ("guess,clue\nCCDD,WW\nAAB", "CCDD WW|AABB B|AAAA B|/fact no F", 1),
        (None, "CCDD WW|AABB B|AAAA B|/fact no F", 0),
        ("\ufeffguess;clue\nCCDD;W;x\nDDDD;B?", "DDDD B_|CCDD WW|AABB B|AAAA B|/fact no F", 1),
        ("AAAA BW", "AAAA BW|/fact no F", 0),
        ("", "/fact no F", 0),
    ]
    for text, rows, unread in steps:
        sheet.unlink(missing_ok=True)
        if text is not None:
            (home / "new").write_text(text)
            (home / "new").rename(sheet)
        assert not session.is_outdated
        player.say("")
        assert str(session.history).split("\n") == rows.split("|")
        assert player.notes.count("! line ") == unread
    sheet.write_bytes(b"\xff")
    assert not session.is_outdated
    assert "not a text file" in player.say("").notes
    assert not session.is_outdated
