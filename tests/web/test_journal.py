"""Journals: who wrote a row when, what a kill leaves, and journals of other times."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from puzzlehunt.web import journal
from puzzlehunt.web.board import AlreadyAppliedError, TeamBoard
from puzzlehunt.web.board_folder import Boards, remove_leftovers
from puzzlehunt.web.journal import JournalError
from team_boards import names, play, reopened, rows, submit


def journal_of(board: TeamBoard) -> Path:
    return board.path.with_name(f".{board.path.name}.journal")


def test_a_row_typed_again_is_of_the_time_when_it_was_typed_last(board: TeamBoard) -> None:
    submit(board, "AB *")
    board.close()
    journal = journal_of(board)
    journal.write_text(journal.read_text().replace('"at": "20', '"at": "10'))
    board = reopened(board)
    assert board.authors()[1].when.year < 1100
    play(board, "Cid: /drop 1; Bob: AB *")
    assert board.authors()[1].when.year > 2000


def test_a_row_that_stands_twice_has_two_writers(boards: Boards) -> None:
    text = "secret: {symbols: ABC, length: 2}\nrule: pegs\nlies: {chance: 0.2}\n"
    board = boards.upload(text)
    play(board, "Ann: AB b; Bob: AB b; Cid: CC *")
    assert names(board) == ["Ann", "Bob", "Cid"]


def test_what_comes_again_is_not_made_again(board: TeamBoard) -> None:
    submit(board, "/fact no C", once="k")
    for known in (board, reopened(board)):
        with pytest.raises(AlreadyAppliedError):
            submit(known, "/fact no C", once="k")
        assert len(known.session.history.facts) == 1
        known.close()


def test_a_long_journal_is_written_anew_and_says_the_same(
    board: TeamBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlehunt.web.journal._LONGEST", 2_000)
    play(board, "Ann: AB *; Bob: AC *")
    for number in range(30):
        submit(board, "/new", "Cid")
        submit(board, "/undo", "Cid", once=f"key {number}")
    stat = journal_of(board).stat()
    assert (stat.st_size < 3_000, stat.st_mode & 0o777) == (True, 0o600)
    again = reopened(board)
    assert (again.id, again.version, names(again)) == (board.id, 62, ["Ann", "Bob"])
    with pytest.raises(AlreadyAppliedError):
        submit(again, "/undo", once="key 29")


def test_a_journal_whose_last_line_was_cut_off_is_read(board: TeamBoard) -> None:
    submit(board, "AB *")
    with journal_of(board).open("a", encoding="utf-8") as file:
        file.write('\n{"version": 2, "by": "B')
    again = reopened(board)
    assert (again.id, again.version) == (board.id, 1)
    submit(again, "AC *", "Bob")
    assert reopened(again).version == 2


@pytest.mark.parametrize("is_served", [True, False])
def test_a_file_that_another_program_changed_is_a_new_version(
    board: TeamBoard, is_served: bool
) -> None:
    play(board, "Ann: AB *")
    board = board if is_served else reopened(board)
    board.path.write_text("game: 2x3\nturns: [AB *, CC *]\n")
    board.refresh()
    assert (names(board), board.version) == (["Ann", "the file"], 2)
    play(board, "Bob@1: BB *")
    again = reopened(board)
    assert rows(again) == ["AB *", "CC *", "BB *"]
    assert (names(again), again.version) == (["Ann", "the file", "Bob"], 3)


def test_a_file_changed_before_anybody_typed_a_line_is_a_new_version(board: TeamBoard) -> None:
    assert (names(board), board.version) == ([], 0)
    board.path.write_text("game: 2x3\nturns: [AB *]\n")
    board.refresh()
    assert (names(board), board.version) == (["the file"], 1)


def test_a_journal_without_digests_and_keys_is_read(board: TeamBoard) -> None:
    submit(board, "AB *")
    submit(board, "AC *", "Bob")
    board.close()
    lines = journal_of(board).read_text().splitlines()
    old = [json.loads(line) for line in lines]
    for entry in old:
        for key in ("before", "after", "once", "others"):
            entry.pop(key, None)
    journal_of(board).write_text("\n".join(map(json.dumps, old)))
    again = reopened(board)
    assert len(again.session.history.turns) == 2
    assert (again.id, again.version, names(again)) == (board.id, 2, ["Ann", "Bob"])
    submit(again, "CC *", "Cid")
    assert names(reopened(again)) == ["Ann", "Bob", "Cid"]


@pytest.mark.parametrize("kind", ["a folder", "no token", "not json"])
def test_a_journal_that_cannot_be_read_breaks_its_board_alone(
    boards: Boards, board: TeamBoard, kind: str
) -> None:
    other = boards.create("2x3")
    submit(board, "AB *")
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
    submit(found[0], "AB *")
    if kind != "a folder":
        assert len(journal.read_bytes()) < 20


def test_odd_lines_of_a_journal_are_passed_over(board: TeamBoard) -> None:
    submit(board, "AB *")
    board.close()
    rest = '"by": "", "at": "2026-01-01", "line": "", "rows": []}'
    odd = ["7", '"token"', "[" * 100_000, f'{{"version": 1e999, {rest}', "null",
           f'{{"version": -3, {rest}', f'{{"version": 1{"0" * 30}, {rest}']  # fmt: skip
    with journal_of(board).open("a") as file:
        file.write("\n" + "\n".join(odd))
    again = reopened(board)
    assert (again.id, names(again), again.version) == (board.id, ["Ann"], 1)


def test_the_address_of_a_board_is_the_one_that_its_journal_began_with(board: TeamBoard) -> None:
    submit(board, "AB *")
    board.close()
    with journal_of(board).open("a") as file:
        file.write('\n{"token": "another"}')
    assert reopened(board).id == board.id


def test_a_change_that_a_kill_prevented_can_be_made_after_the_next_one(board: TeamBoard) -> None:
    _ = board.session
    before = board.path.read_text()
    submit(board, "AB *", once="k")
    board.close()
    board.path.write_text(before)  # as after a kill between the journal and the file
    submit(reopened(board), "AC *", "Bob")
    again = reopened(board)
    assert (names(again), again.version) == (["Bob"], 1)
    submit(again, "AB *", once="k")
    assert names(reopened(again)) == ["Bob", "Ann"]


def test_files_left_by_a_kill_are_removed_unless_somebody_writes_them(
    boards: Boards, board: TeamBoard
) -> None:
    other = boards.create("2x3")
    other.close()
    _ = board.session
    folder = boards.folder
    left = [f".{other.path.name}.abcd12_3.tmp", f"..{other.path.name}.journal.abcd1234.tmp",
            "..password.key.abcd1234.tmp"]  # fmt: skip
    kept = [f".{board.path.name}.abcd1234.tmp", ".notes.yaml.journal", ".mine.12345678", "x.yaml"]
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


def test_only_the_newest_keys_of_changes_are_known(
    board: TeamBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_MOST_KEYS", 2)
    for number in range(3):
        submit(board, "/fact no C", once=f"key {number}")
        submit(board, "/undo")
    for number in (1, 2):
        with pytest.raises(AlreadyAppliedError):
            submit(board, "/fact no C", once=f"key {number}")
    submit(board, "/fact no C", once="key 0")
    assert len(board.session.history.facts) == 1
