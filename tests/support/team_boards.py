"""Boards without a server, and what people type on them one after the other."""

import re

import pytest

from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.web.board import OutdatedChangeError, Submission, TeamBoard
from puzzlehunt.web.snapshot import LineResult

_SAID = re.compile(r"(\w+)(?:@(\d+))?(!?): (.*)")


def submit(
    board: TeamBoard, line: str, by: str = "Ann", seen: int | None = None, once: str = "",
) -> LineResult:  # fmt: skip
    """Type a line on a board."""
    return board.submit(Submission(line, by, seen, once))


def play(board: TeamBoard, script: str) -> None:
    """Type the lines of a script: `Ann: AB b; Bob@1: /undo` has seen version 1, `Bob@1!:` in vain.

    What is in vain is overtaken by somebody else's change, and changes nothing.
    """
    for name, seen, fails, line in (_SAID.fullmatch(one).groups() for one in script.split("; ")):  # type: ignore[union-attr]
        before = rows(board), board.version
        version = int(seen) if seen else None
        if fails:
            with pytest.raises(OutdatedChangeError):
                submit(board, line, name, version)
            assert (rows(board), board.version) == before, line
        else:
            assert not submit(board, line, name, version).failed, line


def rows(board: TeamBoard) -> list[str]:
    """Return the rows of a board as its text has them."""
    return [format_turn(board.game, turn) for turn in board.session.history.turns]


def names(board: TeamBoard) -> list[str]:
    """Return who wrote the rows whose authors are known: `Ann`, `Ann+Bob` if Bob read its marks."""
    return [f"{one.name}+{one.marks}".rstrip("+") for one in board.authors().values()]


def reopened(board: TeamBoard) -> TeamBoard:
    """Return a board as the next server has it."""
    return TeamBoard(board.boards, board.name)
