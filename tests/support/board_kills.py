"""A board whose server is killed at any line while a change is made, and the change sent again."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from interrupts import killed_everywhere, states_of_files
from puzzlehunt.web.board import AlreadyAppliedError, Submission, TeamBoard
from puzzlehunt.web.board_folder import Boards, remove_leftovers
from puzzlehunt.web.snapshot import TypedLine
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

    After each kill `LineResult.check` holds.
    """
    said = LineResult(line, folder)
    times = 0
    for _ in killed_everywhere(said.say, room, step):
        times += 1
        said.check()
    return times


def check_left(line: str, folder: Path) -> int:
    """Check all that kills can leave while a line is said on a board; return how much that is.

    A kill leaves the files as they are then. So they are looked at before each line of the whole
    package, and `LineResult.check` holds for each state in which they ever are.
    """
    said = LineResult(line, folder)
    states = states_of_files(said.say, folder)
    for texts in states:
        for path in folder.iterdir():
            path.unlink()
        said.restore(texts)
        said.check()
    return len(states)


class LineResult:
    """A board of two rows in a folder, and a line that is said on it again and again."""

    def __init__(self, line: str, folder: Path) -> None:
        board = Boards(folder, 5).create("2x3")
        for row in ("AB *", "AC *"):
            submit(board, row)
        board.close()
        (journal,) = folder.glob("*.journal")
        self._name, self._path, self._folder = board.name, board.path, folder
        self._texts = {path: path.read_bytes() for path in (board.path, journal)}
        by = "Ann" if line.startswith("/undo") else "Bob"
        self._change = Submission(TypedLine(line), by, once="key")
        board.submit(self._change)
        self._after = board.session.history, names(board), 3
        board.close()
        self.restore(self._texts)

    def say(self) -> None:
        """Say the line; the board is not closed."""
        TeamBoard(self._name, self._path).submit(self._change)

    def check(self) -> None:
        """Check what is left of a change that was interrupted; bring the board back.

        It is made as a whole or not at all, rows keep their author, nothing is left behind, and it
        happens once where it is sent again.
        """
        remove_leftovers(self._folder)
        assert {path.name for path in self._folder.iterdir()} == {
            "2x3.yaml", ".2x3.yaml.lock", ".2x3.yaml.journal"
        }  # fmt: skip
        again = TeamBoard(self._name, self._path)
        if again.session.history == self._after[0]:
            assert again.version == 3
        else:
            assert again.path.read_bytes() == self._texts[self._path]
            assert again.version == 2
            again.submit(self._change)
        assert (again.session.history, names(again), again.version) == self._after
        with pytest.raises(AlreadyAppliedError) as made:
            again.submit(self._change)
        assert made.value.version == 3
        again.close()
        self.restore(self._texts)

    def restore(self, texts: Mapping[Path, bytes]) -> None:
        """Write files anew."""
        for path, text in texts.items():
            path.write_bytes(text)
