"""A board whose server is killed at any line while a change is made, and the change sent again."""

from pathlib import Path

import pytest

from interrupts import killed_everywhere
from puzzlehunt.web.boards import Board, Change, MadeError
from puzzlehunt.web.folder import Boards, remove_leftovers

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

    Checks that the change is made as a whole or not at all, that its rows keep their author, that
    nothing is left behind, and that the change happens once where it is sent again.
    """
    board = Boards(folder, 5).create("2x3")
    for row in ("AB *", "AC *"):
        board.say(Change(row, "Ann"))
    board.close()
    (journal,) = folder.glob("*.journal")
    texts = {path: path.read_bytes() for path in (board.path, journal)}
    change = Change(line, "Bob", once="key")
    board.say(change)
    after, names = board.session.history, _names(board)
    board.close()

    def killed() -> None:
        Board(board.name, board.path).say(change)

    _restore(texts)
    times = 0
    for _ in killed_everywhere(killed, room, step):
        times += 1
        remove_leftovers(folder)
        assert {path.name for path in folder.iterdir()} == {
            "2x3.yaml", ".2x3.yaml.lock", ".2x3.yaml.journal"
        }  # fmt: skip
        again = Board(board.name, board.path)
        if again.session.history == after:
            assert again.version == 3
        else:
            assert again.path.read_bytes() == texts[board.path]
            assert again.version == 2
            again.say(change)
        assert (again.session.history, _names(again), again.version) == (after, names, 3)
        with pytest.raises(MadeError) as made:
            again.say(change)
        assert made.value.version == 3
        again.close()
        _restore(texts)
    return times


def _names(board: Board) -> list[str]:
    return [writer.name for writer in board.writers().values()]


def _restore(texts: dict[Path, bytes]) -> None:
    for path, text in texts.items():
        path.write_bytes(text)
