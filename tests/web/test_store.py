"""The file of boards: who wrote a row when, changes that come again, boards of other times."""

import json
import shutil
from pathlib import Path

import pytest

from puzzlehunt.errors import SessionError
from puzzlehunt.web.board import BrokenBoardError, TeamBoard
from puzzlehunt.web.store import Boards
from team_boards import names, play, reopened, rows, submit


def test_a_row_typed_again_is_of_the_time_when_it_was_typed_last(board: TeamBoard) -> None:
    submit(board, "AB *")
    with board.boards.writing() as db:
        db.execute(
            "UPDATE boards SET status = json_set(status, '$.authors[0].when', '1000-01-01T00:00Z')"
        )
    board = reopened(board)
    assert board.authors()[1].when.year == 1000
    play(board, "Cid: /drop 1; Bob: AB *")
    assert board.authors()[1].when.year > 2000


def test_a_row_that_stands_twice_has_two_writers(boards: Boards) -> None:
    text = "secret: {symbols: ABC, length: 2}\nrule: pegs\nlies: {chance: 0.2}\n"
    board = boards.create("", file=text)
    play(board, "Ann: AB b; Bob: AB b; Cid: CC *")
    assert names(board) == ["Ann", "Bob", "Cid"]


def test_what_comes_again_is_not_made_again(boards: Boards, board: TeamBoard) -> None:
    submit(board, "/fact no C", once="k")
    for known in (board, reopened(board)):
        assert "already been made" in submit(known, "/fact no C", once="k").text[0]
        assert len(known.session.history.facts) == 1
    submit(boards.create("2x3"), "/fact no C", once="k")


def test_a_board_of_a_file_and_a_journal_is_read_once(tmp_path: Path) -> None:
    at = "2026-11-01T12:00:00+00:00"
    bob = {"row": "CC *", "by": "Bob", "at": at}
    entries = [
        {"token": "a" * 22},
        {"version": 1, "by": "Ann", "at": at, "line": "AB *", "rows": ["AB *"]},
        {"version": 2, "by": "Cid", "at": at, "rows": [], "others": [bob]},
        {"version": 3, "by": "Cid", "at": at, "line": "archived", "rows": []},
        {"token": "a" * 22, "name": "Ours", "status": "archived", "by": "Cid", "at": at},
    ]
    lines = [*map(json.dumps, entries), "[1]", '{"version": "x"}', '{"version": 3, "by": "B']
    text = "game: 2x3\nturns:\n- 'AB * ?20% # mine'\n- CC *\n"
    (tmp_path / "hunt.yaml").write_text(text)
    (tmp_path / ".hunt.yaml.journal").write_text("\n".join(lines))
    for _ in range(2):
        for file in (tmp_path / "read").glob("*"):  # as after a kill before they were moved
            shutil.copy(file, tmp_path)
        found = Boards(tmp_path, 5).find(f"hunt-{'a' * 22}")
        assert found is not None
        board, may_write = found
        assert (may_write, board.title, board.version) == (True, "Ours", 3)
        assert (len(rows(board)), names(board)) == (2, ["Ann", "Bob"])
    board.set_status(None, "open", "Ann")
    play(board, "Ann: BB *; Ann: /undo")
    assert (len(rows(board)), names(reopened(board))) == (2, ["Ann", "Bob"])
    assert submit(board, "/undo").failed
    assert (tmp_path / "read" / ".hunt.yaml.journal").is_file()
    assert not [*tmp_path.glob("*.yaml")]


def test_what_is_no_file_of_boards_is_said_and_left(tmp_path: Path) -> None:
    file = tmp_path / "boards.sqlite"
    file.write_text("something else" * 100)
    with pytest.raises(SessionError, match=r"boards.sqlite: cannot be used \(file is not a data"):
        Boards(tmp_path, 5)
    assert file.read_text() == "something else" * 100


def test_a_change_and_its_text_are_written_in_one_transaction(board: TeamBoard) -> None:
    submit(board, "AB *")
    with board.boards.writing() as db:
        db.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON boards BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    with pytest.raises(BrokenBoardError, match=r"not written, so nothing has changed: .*full"):
        submit(board, "AC *", "Bob", once="k")
    for known in (board, reopened(board)):
        assert (rows(known), known.version) == (["AB *"], 1)
    with board.boards.writing() as db:
        db.execute("DROP TRIGGER full")
    submit(board, "AC *", "Bob", once="k")
    assert (rows(board), names(reopened(board))) == (["AB *", "AC *"], ["Ann", "Bob"])
