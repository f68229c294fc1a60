"""What tests of session files share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from player import Opened, Player
from puzzlehunt.session.session import Session


@pytest.fixture
def opened() -> Iterator[Opened]:
    """A function that opens a session's file and lets somebody type; it closes the one before."""
    players: list[Player] = []

    def opened(path: Path) -> Player:
        if players:
            players[-1].session.close()
        players.append(Player(Session.resume(path)))
        return players[-1]

    yield opened
    for player in players:
        player.session.close()
