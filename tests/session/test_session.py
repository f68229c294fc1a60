"""A session: every change can be taken back, and nothing acknowledged is lost."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from program import Program
from puzzlehunt.errors import GameFileError, PuzzlehuntError, SessionError, SessionInUseError
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import write_atomically
from puzzlehunt.game.history import Turn, number_of
from puzzlehunt.game.turn_notation import with_text
from puzzlehunt.session import changes
from puzzlehunt.session.session import Session
from random_games import random_turn

POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions, links and limits of POSIX")


@pytest.fixture
def cryptic() -> Session:
    return Session(gamefile.load("cryptic"), "cryptic")


@pytest.fixture
def in_file(home: Path) -> Iterator[Session]:
    session = Session(gamefile.load("cryptic"), "cryptic")
    session.keep_in(home / "s.yaml")
    yield session
    session.close()


# Files.


@given(st.randoms(use_true_random=False))
@settings(max_examples=5)
def test_file_engine_and_advice_follow_every_change(
    tmp_path_factory: pytest.TempPathFactory, rng: random.Random
) -> None:
    path = tmp_path_factory.mktemp("sessions") / "s.yaml"
    session = Session(gamefile.load("3x4"), "3x4")
    session.keep_in(path)
    for _ in range(12):
        turn = random_turn(session.game, rng)
        number = rng.randint(1, max(1, len(session.history.turns)))
        played, edited = changes.RecordTurns((turn,)), changes.EditRows(((number, turn),))
        others = changes.Undo(), changes.Redo(), changes.Clear(), edited
        more = changes.DropRow(number), changes.SetDoubt(number, 0.5)
        try:
            session.apply(rng.choice([played, played, *others, *more]))
        except SessionError:
            continue
        assert gamefile.load(path).history == session.history
        left = [s for s in session.game.secrets if meaning.fits(session.game, session.history, s)]
        assert list(session.engine.candidates().codes) == left
        if left:
            assert session.suggest().count == len(left)
    session.close()


def test_a_session_is_a_game_file_for_every_command(run: Program, home: Path) -> None:
    lines = "/fact no C\nAAB B\nABA *\n"
    assert run("play", "3x3", "--session", "s.yaml", stdin=lines).status == 0
    text = (home / "s.yaml").read_text()
    rows = ["-t", "AAB B", "-t", "ABA *", "--set", "facts=[no C]"]
    json_of = ("candidates", "--json"), ("suggest", "--json"), ("explain", "--json", "--why", "BBA")
    for command, *arguments in (*json_of, ("export",)):
        by_file = run(command, "s.yaml", *arguments)
        assert by_file == run(command, "3x3", *arguments, *rows)
        assert by_file.status == 0
    assert run("score", "s.yaml", "BBA", "AAB").out == "WW\n"
    secret = run("candidates", "s.yaml", "--limit", "1").out.strip()
    solved = json.loads(run("solve", "s.yaml", "--secret", secret, "--json").out)
    assert [turn["guess"] for turn in solved["turns"][:2]] == ["AAB", "ABA"]
    assert run("play", "s.yaml", stdin="/history\n").status == 0
    assert (home / "s.yaml").read_text() == text
    assert run("lab", "run", "s.yaml", "--secrets", "1", "--json").status == 0


def test_options_are_kept_in_the_session(run: Program, home: Path) -> None:
    options = ["--strategy", "first", "--set", "play.pool=candidates", "--words", "common"]
    run("play", "cryptic", "--session", "s.yaml", *options, stdin="HORSE B_WR_\n")
    game = gamefile.load("s.yaml")
    assert (game.play.strategy, game.play.pool) == ("first", "candidates")
    assert game.secrets.size < gamefile.load("cryptic").secrets.size
    more = ["--set", "play.seed=7", "--set", "title=Mine"]
    run("play", "--session", "s.yaml", *more, stdin="/strategy minimax\n")
    game = gamefile.load("s.yaml")
    assert (game.play.strategy, game.play.seed, game.title) == ("minimax", 7, "Mine")
    assert len(game.history) == 1


def test_a_session_of_another_game_is_refused_and_left_alone(run: Program, home: Path) -> None:
    run("play", "nethack", "--strategy", "first", "--session", "s.yaml", stdin="AABCD 1 1\n")
    before = (home / "s.yaml").read_bytes()
    done = run("play", "cryptic", "--session", "s.yaml", stdin="HORSE B_WR_\n")
    assert (done.status, done.out) == (2, "")
    assert (home / "s.yaml").read_bytes() == before
    assert run("play", "nethack", "--session", "s.yaml", stdin="").status == 0
    assert run("play", "s.yaml", "--session", "s.yaml", stdin="").status == 0
    own = "# mine\ntitle: Lock\nsecret: {symbols: ABC, length: 2}  # 9\nturns:\n- AB B\n"
    for name in ("s.yaml", "copy.yaml"):
        (home / name).write_text(own)
    for name in ("3x3", "copy.yaml"):
        done = run("play", name, "--session", "s.yaml", stdin="CC none\n")
        assert (done.status, done.out) == (2, "")
        assert (home / "s.yaml").read_text() == own
    assert run("play", "--session", "s.yaml", stdin="CC none\n").status == 0
    assert (home / "s.yaml").read_text().removesuffix("- CC none\n") == own


def test_a_file_that_is_no_session_is_refused_and_left_alone(run: Program, home: Path) -> None:
    for content in (b"", b"precious notes\n", b"\x00\xff", b"game: nothing\n"):
        (home / "s.yaml").write_bytes(content)
        done = run("play", "cryptic", "--session", "s.yaml", stdin="HORSE B_WR_\n")
        assert (done.status, done.out) == (2, "")
        assert (home / "s.yaml").read_bytes() == content
        with pytest.raises(GameFileError):
            Session.resume(home / "s.yaml")


def test_sessions_name_games_and_lists_from_where_they_lie(run: Program, home: Path) -> None:
    (home / "games").mkdir()
    (home / "games" / "mine.yaml").write_text("title: Mine\nsecret: {words: list.txt, length: 3}\n")
    (home / "games" / "list.txt").write_text("ACE\nBED\nCAB\n")
    (home / "wider.txt").write_text("ACE\nBED\nCAB\nDAB\n")
    game = str(Path("games") / "mine.yaml")
    kept = str(Path("kept") / "deep" / "s.yaml")
    (home / kept).parent.mkdir(parents=True)
    (home / "used.txt").write_text("BED\n")
    wider = ["--set", "guess.words=wider.txt", "--set", "secret.without=used.txt"]
    assert run("play", game, "--session", kept, *wider, stdin="ACE WW\n").status == 0
    assert "without: ../../used.txt\n" in (home / kept).read_text()
    assert "game: ../../games/mine.yaml\n" in (home / kept).read_text()
    assert "words: ../../wider.txt\n" in (home / kept).read_text()
    typed = "BED W\n/save copy.yaml\n"
    assert run("play", game, "--session", kept, *wider, stdin=typed).status == 0
    assert run("candidates", "copy.yaml").out == "CAB\n"
    (home / "elsewhere").mkdir()
    for name in ("games", "kept", "wider.txt"):
        shutil.move(home / name, home / "elsewhere" / name)
    refused = run("candidates", f"elsewhere/{kept}")
    assert refused.status == 2
    again = [f"elsewhere/{game}", "--session", f"elsewhere/{kept}"]
    lists = ["--set", "guess.words=elsewhere/wider.txt", "--set", "secret.without=[BED]"]
    assert run("play", *again, *lists, stdin="/fact contains C\n").status == 0


@POSIX
def test_a_session_behind_a_link_stays_behind_it(run: Program, home: Path) -> None:
    (home / "real" / "deep").mkdir(parents=True)
    (home / "link").symlink_to(home / "real" / "deep", target_is_directory=True)
    (home / "s.yaml").symlink_to("link/target.yaml")
    assert run("play", "2x3", "--session", "s.yaml", stdin="AB 1 0\n").status == 0
    assert (home / "s.yaml").is_symlink()
    first = Session.resume(home / "s.yaml")
    with pytest.raises(SessionInUseError):
        Session.resume(home / "real" / "deep" / "target.yaml")
    first.close()


def test_saving_elsewhere_overwrites_nothing(in_file: Session, home: Path) -> None:
    (home / "notes.txt").write_text("precious\n")
    with pytest.raises(SessionError, match=r"notes\.txt exists already"):
        in_file.keep_in(home / "notes.txt")
    assert (home / "notes.txt").read_text() == "precious\n"
    in_file.play("HORSE B_WR_")
    assert len(gamefile.load(str(home / "s.yaml")).history) == 1
    in_file.keep_in(home / "other.yaml")
    in_file.play("WORSE RR")
    assert len(gamefile.load(str(home / "s.yaml")).history) == 1
    assert len(gamefile.load(str(home / "other.yaml")).history) == 2
    in_file.keep_in(home / "other.yaml")
    Session.resume(home / "s.yaml").close()


# Word lists.


def test_a_folder_that_is_missing_is_not_made(home: Path) -> None:
    with pytest.raises(SessionError, match="there is no folder"):
        Session("wordle").keep_in(home / "mistyped" / "s.yaml")
    assert not (home / "mistyped").exists()


@pytest.mark.parametrize(("typed", "says"), cases("no rows"))
def test_what_is_no_row_is_called_what_it_is(typed: str, says: str) -> None:
    with pytest.raises(PuzzlehuntError, match=says):
        Session("wordle").play(typed)


def test_a_widened_session_comes_back_widened(in_file: Session, home: Path) -> None:
    in_file.play("HORSE B_WR_")
    in_file.apply(changes.SetStrategy("parts"))
    in_file.apply(changes.SetWordList("large"))
    in_file.close()
    again = Session.resume(home / "s.yaml")
    assert (again.settings["secret"]["words"], again.game.secrets.size) == ("large", 7_128)
    assert again.game.play.strategy == "parts"
    assert len(again.history) == 1
    again.apply(changes.SetWordList("standard"))
    assert again.game.secrets.size == 3_386
    again.close()


def test_words_without_a_length_are_widened_to_those_of_their_length(home: Path) -> None:
    (home / "mine.txt").write_text("heart\nhorse\nfour\nworse\n")
    (home / "game.yaml").write_text("secret: {words: [heart, horse]}\nrule: marks\n")
    session = Session(gamefile.load("game.yaml"), str(home / "game.yaml"))
    session.keep_in(home / "s.yaml")
    name, wider = next(iter(gamefile.wider_games(session.game)))
    assert (name, wider.length) == ("common", 5)
    session.apply(changes.SetWordList("mine.txt"))
    session.close()
    assert session.game.secrets.size == gamefile.load("s.yaml").secrets.size == 3


def test_a_list_that_a_session_holds_itself_is_not_written_over(home: Path) -> None:
    (home / "s.yaml").write_text("secret: {words: [heart, horse], length: 5}\nrule: marks\n")
    session = Session.resume(home / "s.yaml")
    with pytest.raises(SessionError, match="the words are written in this session's file itself"):
        session.apply(changes.SetWordList("large"))
    session.apply(changes.SetStrategy("first"))
    session.close()
    assert gamefile.load("s.yaml").secrets.size == 2


# Writing.


@POSIX
def test_permissions_are_kept(in_file: Session, home: Path) -> None:
    new, mask = home / "new.yaml", os.umask(0o027)
    try:
        in_file.keep_in(new)
        assert new.stat().st_mode & 0o777 == 0o640
        new.chmod(0o604)
        in_file.play("HORSE B_WR_")
        assert new.stat().st_mode & 0o777 == 0o604
    finally:
        os.umask(mask)


@POSIX
@pytest.mark.slow
def test_a_write_that_fails_halfway_leaves_the_old_file_whole(home: Path) -> None:
    program = """
import resource, sys
from puzzlehunt.cli.main import main
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (120, 120))
main()
"""
    words = b"ZONES EBONY HIDER HIKES LURED FLESH HUGER HEFTS SOLID".split()
    rows = [word + b" RR___\n" for word in words]
    lines = b"HORSE B_WR_\nWORSE __RW_\n" + b"".join(rows) + b"/drop 11\n"
    done = subprocess.run(
        [sys.executable, "-c", program, "play", "cryptic", "--session", "s.yaml",
         "--set", "play.strategy=first"],
        input=lines, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert b"11. SOLID: 2 red, 3 unread" in done.stdout
    assert b"! in memory only: s.yaml: cannot be written (File too" in done.stderr
    rows = len(gamefile.load("s.yaml").history)
    assert 2 < rows < 10
    assert done.stderr.count(b"in memory only") == 11 - rows + 1
    assert b"the rows of this game are not in the file" in done.stderr
    assert {path.name for path in home.iterdir()} == {"s.yaml", ".s.yaml.lock"}


@POSIX
def test_a_file_and_the_name_of_it_are_on_the_disk_when_it_is_written(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    sync = os.fsync

    def noting(handle: int) -> None:
        synced.append(os.fstat(handle).st_ino)
        sync(handle)

    monkeypatch.setattr(os, "fsync", noting)
    write_atomically(home / "file", "text")
    assert synced == [(home / "file").stat().st_ino, home.stat().st_ino]


def test_a_session_that_moves_to_another_file_lets_go_of_the_one_it_had(
    in_file: Session, home: Path
) -> None:
    in_file.keep_in(home / "t.yaml")
    second = Session(gamefile.load("cryptic"), "cryptic")
    (home / "s.yaml").unlink()
    second.keep_in(home / "s.yaml")
    with pytest.raises(SessionInUseError):
        second.keep_in(home / "t.yaml")
    second.close()


@POSIX
def test_who_reads_a_file_while_it_is_written_reads_what_it_was(home: Path) -> None:
    file = home / "file"
    write_atomically(file, "old")
    with file.open() as reader:
        write_atomically(file, "new")
        assert (reader.read(), file.read_text()) == ("old", "new")


@POSIX
def test_writing_to_a_device_does_not_replace_it(home: Path) -> None:
    os.mkfifo(home / "pipe")
    code = "print(open('pipe').read())"
    reader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    write_atomically(Path("pipe"), "all of it")
    assert reader.communicate(timeout=60)[0] == "all of it\n"
    assert (home / "pipe").is_fifo()


# Sessions of every built-in game.

GAMES = sorted(gamefile.built_in_games())


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_guess_that_waits_for_its_clue_waits_again(name: str, tmp_path: Path) -> None:
    session, rng = Session(gamefile.load(name), name), random.Random(3)
    session.keep_in(tmp_path / "s.yaml")
    for _ in range(5):
        guess = session.game.guesses.random(rng)
        if number_of(session.history, guess) is not None:
            continue
        turn = with_text(session.game, Turn(guess, session.game.rule.notation.unread_clue(guess)))
        session.awaited = guess
        session.play(turn)
        session.close()
        session = Session.resume(tmp_path / "s.yaml")
        assert session.pending is not None
        assert session.pending.code == session.history.turns[-1].code == guess
    session.close()
