"""A folder of boards, and a board of two pegs and three symbols."""

from pathlib import Path

import pytest

from puzzlehunt.web.board import TeamBoard
from puzzlehunt.web.store import Boards


@pytest.fixture
def boards(tmp_path: Path) -> Boards:
    return Boards(tmp_path, 5)


@pytest.fixture
def board(boards: Boards) -> TeamBoard:
    return boards.create("2x3")
