"""Boards: changes of several people, version by version, without a server."""

import random
import re
import resource
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from cases import cases
from puzzlehunt.errors import GameFileError, PuzzlehuntError, SessionError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.schema import GameKeys
from puzzlehunt.session.changes import Question, RecordTurns
from puzzlehunt.web.board import BrokenBoardError, OutdatedChangeError, Submission, TeamBoard
from puzzlehunt.web.snapshot import build_upload
from puzzlehunt.web.store import Boards
from puzzlehunt.web.uploads import check_upload
from team_boards import names, play, reopened, rows, submit


def test_settings_are_a_new_version_though_a_worker_answers_the_line(boards: Boards) -> None:
    board = boards.create("cryptic")
    submit(board, "HORSE B_WR_")
    assert submit(board, "/rates 5%", "Bob").left == (Question("rates"),)
    last = board.entries[-1]
    assert (last.version, last.by) == (2, "Bob")
    assert last.change == {"kind": "set_read_rates", "rates": "5%"}
    assert "reads: 5%" in board.text
    for line in ("/suggest", "/candidates", "/certain", "/repair", "/next", "/review"):
        result = submit(board, line)
        assert result.left
        assert not result.text
    assert board.version == 2


@pytest.mark.parametrize(("script", "left", "writers"), cases("rows of several people"))
def test_rows_of_several_people_and_their_writers(
    board: TeamBoard, script: str, left: str, writers: str
) -> None:
    play(board, script)
    for known in (board, reopened(board)):
        assert ("; ".join(rows(known)), " ".join(names(known))) == (left, writers)


def test_people_have_places_by_their_arrival_whatever_becomes_of_their_rows(
    board: TeamBoard,
) -> None:
    play(board, "Cem: AB *; Ben: AC *; Ann: BC *; Cem: /drop 1")
    for known in (board, reopened(board)):
        assert [one.place for one in known.authors().values()] == [1, 2]
        assert [*map(known.people.get, ("Dan", "Ann", "Cem"))] == [None, 2, 0]


def test_of_two_equal_rows_undo_takes_back_ones_own(boards: Boards) -> None:
    board = boards.create("fibble")
    play(board, "Ann: CRANE ....Y; Bob: SLOTH ....Y; Cid: CRANE ....Y; Cid: /undo")
    assert names(board) == ["Ann", "Bob"]


def test_whoever_is_overtaken_is_told_by_whom_and_undo_says_whose_rows_are_back(
    board: TeamBoard,
) -> None:
    play(board, "Ann: AB *")
    with pytest.raises(OutdatedChangeError, match="the rows have changed; Ann wrote last"):
        submit(board, "/new", "Bob", 0)
    submit(board, "/new", "Bob")
    assert submit(board, "/undo", "Bob").text[0].endswith(" (Ann)")
    play(board, "Bob: AB b")
    with pytest.raises(
        OutdatedChangeError, match=r"nothing is undone: Bob has changed AB \* since$"
    ):
        submit(board, "/undo", "Ann")
    play(board, "Bob: AC *; Bob: /undo; Bob: /redo")
    for line, name in (("/undo", "Cid"), ("/redo", "Bob")):
        failed = submit(board, line, name).failed
        assert failed is not None
        assert failed.message == "nothing of yours is left to undo or redo"


def test_undo_is_of_ones_own_after_a_restart_and_without_names(board: TeamBoard) -> None:
    for line, visitor in (("AB *", "x"), ("/fact no C", "x"), ("AC *", "y"), ("BC *", "")):
        board.submit(Submission(line, "", visitor=visitor))
    for visitor, left in (("y", ["AB *", "BC *"]), ("x", ["AB *", "BC *"]), ("x", ["BC *"])):
        board = reopened(board)
        board.submit(Submission("/undo", "", visitor=visitor))
        assert rows(board) == left
    assert not board.session.history.facts
    # Whoever gives their name later is the same visitor.
    board.submit(Submission("/redo", "Ann", visitor="x"))
    assert rows(board) == ["AB *", "BC *"]


def test_a_clue_alone_answers_what_its_author_saw(boards: Boards, board: TeamBoard) -> None:
    assert (submit(board, "AB").pending, rows(board)) == ("AB", ["AB *"])
    submit(board, "AC *", "Bob")
    assert submit(board, "b", "Bob", seen=0).failed
    submit(board, "b", "Bob", seen=1)
    submit(board, "w")
    submit(board, "CC *")
    assert rows(board) == ["AB B", "AC W", "CC *"]
    tune = boards.create("nethack")
    assert submit(tune, "5 gears").failed
    submit(tune, "AABBCD")
    submit(tune, "5 gears")
    assert (rows(tune), tune.session.answers.is_won) == (["AABBC 5G0T"], True)


def test_a_guess_that_waits_in_a_file_waits_on_the_board(boards: Boards, tmp_path: Path) -> None:
    path = tmp_path / "mine.yml"
    path.write_text(text := "game: 2x3\nturns: [AB]\n")
    board = boards.open(str(path))
    assert (rows(board), submit(board, "/help").pending) == (["AB *"], "AB")
    submit(board, "AC B", "Bob")
    submit(board, "AB W", "Bob")
    assert board.text == "game: 2x3\nturns:\n- AB W\n- AC B\n"
    assert path.read_text() == text
    assert boards.open(str(path)) is board
    path.write_text("game: 2x3\n")
    assert (boards.open(str(path)).name, board.name) == ("mine-2", "mine")
    # An empty one is not the built-in game of its name.
    (path := tmp_path / "cryptic.yaml").write_text("")
    with pytest.raises(BrokenBoardError, match=r"cryptic\.yaml:1: the file is empty"):
        boards.open(str(path))


@pytest.mark.parametrize(("line", "problem"), cases("lines that a board does not take"))
def test_lines_that_a_board_does_not_take(board: TeamBoard, line: str, problem: str) -> None:
    failed = submit(board, line).failed
    assert failed is not None
    assert problem in failed.message
    assert board.version == 0


def test_a_line_that_fails_changes_nothing(board: TeamBoard) -> None:
    for line in ("AZ b", "AB b\nAZ b"):
        result = submit(board, line)
        assert (bool(result.failed), board.version) == (True, 0)


def test_a_text_that_cannot_be_read_breaks_its_own_board_alone(
    boards: Boards, board: TeamBoard
) -> None:
    with boards.writing() as db:
        db.execute("UPDATE boards SET text = 'turns: ['")
    with pytest.raises(BrokenBoardError, match=r"2x3\.yaml") as caught:
        submit(reopened(board), "AC *")
    assert str(boards.folder) not in str(caught.value)
    submit(boards.create("2x3"), "AB *")


def test_what_cannot_be_written_is_taken_back(board: TeamBoard) -> None:
    submit(board, "AB *")
    former = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, former[1]))
    try:
        with pytest.raises(BrokenBoardError, match="not written, so nothing has changed"):
            submit(board, "AC *", once="k")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, former)
    for known in (board, reopened(board)):
        assert (rows(known), known.version) == (["AB *"], 1)


def test_an_address_cannot_be_guessed(boards: Boards, board: TeamBoard) -> None:
    assert boards.find(board.id) == (board, True)
    assert len(board.token) == 22
    for wrong in ("", "2x3", "2x3-", f"2x3-{'a' * 22}", f"../{board.id}", board.id[:-1], "-" * 23):
        assert boards.find(wrong) is None
    assert boards.create("2x3").token != board.token


def test_there_is_room_for_so_many_boards_and_no_more(boards: Boards) -> None:
    made = [boards.create("2x3").name for _ in range(5)]
    assert made == ["2x3", "2x3-2", "2x3-3", "2x3-4", "2x3-5"]
    with pytest.raises(SessionError, match="5 boards already"):
        boards.create("2x3")
    with pytest.raises(SessionError):
        boards.create("", file="game: 2x3")


def test_an_uploaded_session_is_a_board(boards: Boards) -> None:
    board = boards.create("", "Our hunt!", file="# ours\ngame: 2x3\nturns: [AB b]\n")
    assert (board.name, rows(board)) == ("our-hunt", ["AB B"])
    submit(board, "AC w")
    assert board.text == "# ours\ngame: 2x3\nturns:\n- AB b\n- AC W\n"


@pytest.mark.parametrize(
    "text", [*(text for (text,) in cases("game files of others")), "x" * 100_001]
)
def test_game_files_of_others_name_nothing_but_what_is_built_in(
    boards: Boards, text: str, tmp_path: Path
) -> None:
    (tmp_path / "other.yaml").write_text("game: 2x3", encoding="utf-8")
    with pytest.raises(PuzzlehuntError) as caught:
        boards.create("", file=text.replace("; ", "\n"))
    assert str(tmp_path) not in str(caught.value)
    assert not boards.names()


def test_the_game_of_a_board_has_the_words_of_its_files(boards: Boards, tmp_path: Path) -> None:
    (tmp_path / "used.txt").write_text("ACE # today\n", encoding="utf-8")
    (tmp_path / "list.txt").write_text("ACE\nBED 2.5\nCAB\nLATER\n", encoding="utf-8")
    (tmp_path / "own.yaml").write_text("secret: {words: list.txt, without: used.txt, length: 3}\n")
    board = boards.open(str(tmp_path / "own.yaml"))
    assert board.game.secrets.size == 2
    assert gamefile.load(board.game_text()).secrets == board.game.secrets


def test_the_check_of_an_upload_names_key_and_mend() -> None:
    with pytest.raises(GameFileError, match=r"2: secret.words: only a list that comes with"):
        check_upload("rule: pegs\nsecret: {words: /etc/passwd}")
    with pytest.raises(GameFileError, match=r"1: secret.without: only a list that comes with"):
        check_upload("secret: {words: common, length: 5, without: /etc/passwd}")
    with pytest.raises(GameFileError, match=r"2: play.solver: only z3 or cvc5"):
        check_upload("game: 2x3\nplay: {solver: 'touch /tmp/x'}")
    for text in ("game: cryptic\nturns: [HORSE B]", "game: 2x3\nplay: {solver: cvc5}"):
        assert check_upload(text).value["game"] in ("cryptic", "2x3")


def _keys(kind: type, *path: str) -> Iterator[tuple[str, ...]]:
    for key in fields(kind):
        yield (*path, key.name)
        inner = next((one for one in get_args(key.type) if is_dataclass(one)), key.type)
        if is_dataclass(inner) and isinstance(inner, type):
            yield from _keys(inner, *path, key.name)


@pytest.mark.parametrize("value", [["x"], {"a": "b"}, [["x"]], [{"a": ["b"]}], 7, [], {}, ""])
def test_a_wrong_type_of_any_key_is_an_error_with_its_line(value: object, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    for path in _keys(GameKeys):
        document: dict[str, Any] = {"secret": {"symbols": "ABC", "length": 2}}
        section = document
        for key in path[:-1]:
            section = section.setdefault(key, {})
        section[path[-1]] = value
        text = yaml.safe_dump(document)
        file.write_text(text)
        for read in (partial(build_upload, text), partial(gamefile.load, file)):
            try:
                read()
            except PuzzlehuntError as error:
                assert re.search(r":\d+: ", str(error)), text  # noqa: PT017


def test_too_many_rows_are_refused_at_once(
    boards: Boards, board: TeamBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("board", "store"):
        monkeypatch.setattr(f"puzzlehunt.web.{module}.MOST_ROWS", 2)
    turns = tuple(map(board.game.turn, ["AA *", "AB *", "AC *"]))
    with pytest.raises(SessionError, match="at most 2 rows"):
        board.submit(Submission(RecordTurns(turns), "Ann"))
    assert board.version == 0
    board.submit(Submission(RecordTurns(turns[:2]), "Ann"))
    assert rows(boards.create("", file=board.text)) == rows(board) == ["AA *", "AB *"]
    with pytest.raises(SessionError, match="board-2: a board has at most 2 rows"):
        boards.create("", file=board.text.replace("AB *", "AB *\n- AC *"))


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 8))]
)
def test_people_who_type_at_once_lose_nothing_and_hit_what_they_saw(
    boards: Boards, seed: int
) -> None:
    rng = random.Random(seed)
    board = boards.create("3x4")
    codes = ["".join(rng.choice("ABCD") for _ in range(3)) for _ in range(40)]
    seen = dict.fromkeys(("Ann", "Bob", "Cid"), 0)
    shown: dict[int, list[str]] = {0: []}
    for _ in range(60):
        name = rng.choice(list(seen))
        if rng.random() < 0.4:
            seen[name] = board.version
        before, known = rows(board), shown[seen[name]]
        number = rng.randint(1, max(1, len(known)))
        line = rng.choice(
            [f"{rng.choice(codes)} *", f"{rng.choice(codes)} b_.", f"/drop {number}",
             f"/edit {number} w__", f"/doubt {number}", "/undo", "/redo"]
        )  # fmt: skip
        version = board.version
        wrote = {row: board.authors()[n] for n, row in enumerate(before, start=1)}
        try:
            said = submit(board, line, name, seen[name])
        except OutdatedChangeError:
            assert seen[name] < version or line in ("/undo", "/redo")
            assert (rows(board), board.version) == (before, version)
            continue
        now = rows(board)
        assert board.version == version + (now != before)
        shown[board.version] = now
        assert rows(reopened(board)) == now
        if said.failed:
            assert now == before
        elif line in ("/undo", "/redo"):
            # A row that is dropped again may be anybody's.
            gone = [wrote[row] for row in before if row not in now]
            assert line == "/redo" or all(name in (one.name, one.last) for one in gone)
        elif line.startswith("/drop"):
            assert sorted([*now, known[number - 1]]) == sorted(before)
        elif line.startswith(("/edit", "/doubt")):
            assert {row.split()[0] for row in now} == {row.split()[0] for row in before}
            others = [row for row in before if row.split()[0] != known[number - 1].split()[0]]
            assert set(others) <= set(now)
        elif not line.startswith("/"):
            assert {row.split()[0] for row in before} <= {row.split()[0] for row in now}
            assert line.split()[0] in {row.split()[0] for row in now}
        seen[name] = board.version
    again = reopened(board)
    assert (again.id, again.version) == (board.id, board.version)
    assert again.authors() == board.authors()
