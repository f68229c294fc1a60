"""A board whose server is killed at any line while a change is made, and the change sent again."""

import shutil
from pathlib import Path

from interrupts import killed_everywhere
from puzzlehunt.web.board import Submission, TeamBoard
from puzzlehunt.web.store import Boards
from team_boards import names, submit

CHANGES = {
    "a row": "CC *",
    "a fact": "/fact no C",
    "an edit": "/edit 1 B_",
    "a drop": "/drop 1",
    "undo": "/undo",
    "two steps": "/undo 2",
}


def check_killed(line: str, folder: Path, step: int, room: str = "web") -> int:
    """Kill a process at each line of a room while it says a line on a board; return how often.

    After each kill the change is made as a whole or not at all, rows keep their author, and it
    happens once where it is sent again.
    """
    kept, now, times = folder / "kept", folder / "now", 0
    kept.mkdir()
    boards = Boards(kept, 5)
    board = boards.create("2x3")
    for row in ("AB *", "AC *"):
        submit(board, row)
    identity = board.id
    boards.close()
    by = "Ann" if line.startswith("/undo") else "Bob"
    change = Submission(line, by, once="key")

    def opened() -> TeamBoard:
        found = Boards(now, 5).find(identity)
        assert found is not None
        return found[0]

    def anew() -> None:
        shutil.rmtree(now, ignore_errors=True)
        shutil.copytree(kept, now)

    anew()
    board = opened()
    before = board.session.history
    board.submit(change)
    after, authors = board.session.history, names(board)
    anew()
    for _ in killed_everywhere(lambda: opened().submit(change), room, step):
        times += 1
        again = opened()
        if again.session.history != after:
            assert (again.session.history, again.version) == (before, 2)
            again.submit(change)
        assert (again.session.history, names(again), again.version) == (after, authors, 3)
        assert "already been made" in again.submit(change).text[0]
        assert again.version == 3
        anew()
    return times
