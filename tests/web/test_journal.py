"""Journals: who wrote a row when, what a kill leaves, and journals of other times."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from puzzlehunt.web import journal
from puzzlehunt.web.board import MadeError, Submission, TeamBoard
from puzzlehunt.web.board_folder import Boards, remove_leftovers
from puzzlehunt.web.journal import JournalError
from puzzlehunt.web.snapshot import TypedLine


@pytest.fixture
def boards(tmp_path: Path) -> Boards:
    return Boards(tmp_path, 5)


@pytest.fixture
def board(boards: Boards) -> TeamBoard:
    return boards.create("2x3")


def run_line(board: TeamBoard, line: str, by: str = "Ann", once: str = "") -> None:
    board.submit(Submission(TypedLine(line), by, once=once))


def names(board: TeamBoard) -> list[str]:
    return [author.name for author in board.authors().values()]


def journal_of(board: TeamBoard) -> Path:
    return board.path.with_name(f".{board.path.name}.journal")


def reopened(board: TeamBoard) -> TeamBoard:
    board.close()
    return TeamBoard(board.name, board.path)


@pytest.mark.parametrize("away", ["/undo", "/drop 1", "/new", "/edit 1 AB w"])
def test_a_row_typed_again_is_of_the_one_who_typed_it_last(board: TeamBoard, away: str) -> None:
    run_line(board, "AB *")
    board.close()
    journal = journal_of(board)
    journal.write_text(journal.read_text().replace("20", "10", 1).replace('"at": "20', '"at": "10'))
    board = TeamBoard(board.name, board.path)
    assert board.authors()[1].when.year < 1100
    run_line(board, away, "Cid")
    run_line(board, "/edit 1 AB *" if "edit" in away else "AB *", "Bob")
    for known in (board, reopened(board)):
        assert names(known) == ["Bob"]
        assert known.authors()[1].when.year > 2000
        known.close()


def test_undo_brings_a_row_back_as_it_was_in_that_version(board: TeamBoard) -> None:
    run_line(board, "AB *")
    run_line(board, "/drop 1", "Cid")
    run_line(board, "AB *", "Bob")
    run_line(board, "/undo", "Cid")
    run_line(board, "/undo", "Cid")
    for known in (board, reopened(board)):
        assert names(known) == ["Ann"]
        known.close()


def test_whoever_doubts_a_row_has_not_written_it(board: TeamBoard) -> None:
    run_line(board, "AB b")
    run_line(board, "/doubt 1", "Bob")
    for known in (board, reopened(board)):
        assert names(known) == ["Ann"]
        known.close()


def test_a_row_that_stands_twice_has_two_writers(boards: Boards) -> None:
    text = "secret: {symbols: ABC, length: 2}\nrule: pegs\nlies: {chance: 0.2}\n"
    board = boards.upload(text)
    run_line(board, "AB b")
    run_line(board, "AB b", "Bob")
    assert names(board) == ["Ann", "Bob"]
    run_line(board, "CC *", "Cid")
    assert names(board) == ["Ann", "Bob", "Cid"]


def test_a_file_changed_before_anybody_said_a_line_is_a_new_version(board: TeamBoard) -> None:
    assert (names(board), board.version) == ([], 0)
    board.path.write_text("game: 2x3\nturns: [AB *]\n")
    board.refresh()
    assert (names(board), board.version) == (["the file"], 1)


def test_what_comes_again_is_not_made_again(board: TeamBoard) -> None:
    run_line(board, "/fact no C", once="k")
    for known in (board, reopened(board)):
        with pytest.raises(MadeError, match="taken before"):
            run_line(known, "/fact no C", once="k")
        assert len(known.session.history.facts) == 1
        known.close()


def test_keys_of_changes_outlast_a_journal_that_is_written_anew(
    board: TeamBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlehunt.web.journal._LONGEST", 2_000)
    for number in range(30):
        run_line(board, "AB *" if number % 2 == 0 else "/drop 1", once=f"key {number}")
    again = reopened(board)
    assert journal_of(board).stat().st_size < 3_000
    assert again.version == 30
    with pytest.raises(MadeError):
        run_line(again, "/drop 1", once="key 29")


def test_a_file_changed_while_no_server_ran_is_a_new_version(board: TeamBoard) -> None:
    run_line(board, "AB *")
    board.close()
    board.path.write_text("game: 2x3\nturns: [AB *, CC *]\n")
    again = TeamBoard(board.name, board.path)
    assert len(again.session.history.turns) == 2
    assert (names(again), again.version) == (["Ann", "the file"], 2)
    assert (names(reopened(again)), again.version) == (["Ann", "the file"], 2)


def test_a_journal_without_digests_and_keys_is_read(board: TeamBoard) -> None:
    run_line(board, "AB *")
    run_line(board, "AC *", "Bob")
    board.close()
    lines = journal_of(board).read_text().splitlines()
    old = [json.loads(line) for line in lines]
    for entry in old:
        for key in ("before", "after", "once", "others"):
            entry.pop(key, None)
    journal_of(board).write_text("\n".join(map(json.dumps, old)))
    again = TeamBoard(board.name, board.path)
    assert len(again.session.history.turns) == 2
    assert (again.id, again.version, names(again)) == (board.id, 2, ["Ann", "Bob"])
    run_line(again, "CC *", "Cid")
    assert names(reopened(again)) == ["Ann", "Bob", "Cid"]


@pytest.mark.parametrize("kind", ["a folder", "no token", "not json"])
def test_a_journal_that_cannot_be_read_breaks_its_board_alone(
    boards: Boards, board: TeamBoard, kind: str
) -> None:
    other = boards.create("2x3")
    run_line(board, "AB *")
    for one in (board, other):
        one.close()
    journal = journal_of(board)
    if kind == "a folder":
        journal.unlink()
        journal.mkdir()
    else:
        journal.write_bytes(b"\xff\x00\n[1]" if kind == "not json" else b'{"version": 1}')
    again = Boards(boards.folder, 5)
    with pytest.raises(JournalError, match="journal cannot be read") as caught:
        again.find(board.id)
    assert str(boards.folder) not in str(caught.value)
    found = again.find(other.id)
    assert found is not None
    run_line(found, "AB *")
    if kind != "a folder":
        assert len(journal.read_bytes()) < 20


def test_odd_lines_of_a_journal_are_passed_over(board: TeamBoard) -> None:
    run_line(board, "AB *")
    board.close()
    rest = '"by": "", "at": "2026-01-01", "line": "", "rows": []}'
    odd = ["7", '"token"', "[" * 100_000, f'{{"version": 1e999, {rest}', "null",
           f'{{"version": -3, {rest}', f'{{"version": 1{"0" * 30}, {rest}']  # fmt: skip
    with journal_of(board).open("a") as file:
        file.write("\n" + "\n".join(odd))
    again = TeamBoard(board.name, board.path)
    assert (again.id, names(again), again.version) == (board.id, ["Ann"], 1)


def test_the_address_of_a_board_is_the_one_that_its_journal_began_with(board: TeamBoard) -> None:
    run_line(board, "AB *")
    board.close()
    with journal_of(board).open("a") as file:
        file.write('\n{"token": "another"}')
    assert TeamBoard(board.name, board.path).id == board.id


def test_a_change_that_a_kill_prevented_can_be_made_after_the_next_one(board: TeamBoard) -> None:
    _ = board.session
    before = board.path.read_text()
    run_line(board, "AB *", once="k")
    board.close()
    board.path.write_text(before)  # as after a kill between the journal and the file
    run_line(TeamBoard(board.name, board.path), "AC *", "Bob")
    again = reopened(board)
    assert (names(again), again.version) == (["Bob"], 1)
    run_line(again, "AB *", once="k")
    assert names(reopened(again)) == ["Bob", "Ann"]


def test_files_left_by_a_kill_are_removed_unless_somebody_writes_them(
    boards: Boards, board: TeamBoard
) -> None:
    other = boards.create("2x3")
    other.close()
    _ = board.session
    folder = boards.folder
    left = [f".{other.path.name}.abcd12_3", f"..{other.path.name}.journal.abcd1234",
            "..password.key.abcd1234"]  # fmt: skip
    kept = [f".{board.path.name}.abcd1234", ".notes.yaml.journal", ".mine.12345678", "x.yaml"]
    for name in (*left, *kept):
        (folder / name).write_text("")
    remove_leftovers(folder)
    there = {path.name for path in folder.iterdir()}
    assert there.isdisjoint(left)
    assert there.issuperset(kept)


@pytest.mark.parametrize("longest", [10, 700, 1_000_000])
def test_a_journal_written_anew_still_ends_with_its_newest_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, longest: int
) -> None:
    monkeypatch.setattr(journal, "_LONGEST", longest)
    path, when = tmp_path / "board.yaml", datetime(2020, 1, 1, tzinfo=UTC)
    kept = journal.Journal(path)
    for version, line in enumerate(["AB *", "BC *", "/drop 1", "CA B", "/undo"], start=1):
        by, at = ("Ann", "Bob")[version % 2], when + timedelta(minutes=version)
        rows = () if line.startswith("/") else (line,)
        entry = journal.Entry(version, by, at, line, rows)
        kept.write(entry)
        kept.take(entry)
        again = journal.Journal(path)
        assert again.last == kept.last == entry
        assert (again.version, again.token) == (version, kept.token)
        assert again.authors == kept.authors
    assert set(again.authors) == {"AB *", "BC *", "CA B"}
