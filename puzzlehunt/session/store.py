"""Stores: whatever keeps a session that others change, too, such as a server."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.session.changes import Change


@dataclass(frozen=True, slots=True)
class Stored:
    """What a store keeps of a session.

    `settings` are the keys of the game's file but for facts and turns; `writers` are the names of
    those who wrote turns, by the turn's line.
    """

    game: Game
    settings: Mapping[str, Any]
    history: History
    writers: Mapping[str, str]


class Store(Protocol):
    """Keeps a session: changes are made there first, and then read back. Raises SessionError."""

    @property
    def is_outdated(self) -> bool:
        """Whether there is a newer version than the one that was read last."""

    def read(self) -> Stored:
        """Return the newest version; its game is the same object where the game is the same."""

    def submit(self, game: Game, change: Change) -> None:
        """Make a change of the version that was read last."""

    def pending(self, game: Game, history: History) -> Turn | None:
        """Return the unread turn that `keep_pending` kept, unless a row since has its guess."""

    def keep_pending(self, game: Game, history: History, turn: Turn | None) -> None:
        """Keep the unread turn of a guess that waits for its clue, for this person alone."""

    def close(self) -> None:
        """End the connection to it."""
