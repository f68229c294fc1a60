"""Stores, which keep a session and its pending guess.

The pending guess waits for its clue. It is no turn yet and rules nothing out. In a session's file
it is a comment, which readers of the rows ignore.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.turn_notation import format_guess, parse_plain_turn, read_line
from puzzlehunt.session.changes import Change

_LINE = r"# Row (\d{1,6}) waits for its clue: (\S[^\r\n]*)"
_COMMENT = re.compile(rf"(?:^{_LINE}\r?\n|\r?\n{_LINE}\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PendingGuess:
    """A turn with nothing read, which waits for its clue; its `number` will be this (from 1)."""

    turn: Turn
    number: int

    def is_answered_in(self, history: History) -> bool:
        """Return whether the history has a turn with this guess, at this number or later."""
        later = history.turns[self.number - 1 :]
        return any(turn.guess == self.turn.guess for turn in later)


@dataclass(frozen=True, slots=True)
class Stored:
    """The content of a session, as a store keeps it.

    `reference` is the value of a file's key `game`, in the form that `absolute_reference` returns.
    `settings` are the file's other keys except facts and turns. `writers` has the author of each
    turn, by the turn's line.
    """

    game: Game
    reference: str
    settings: Mapping[str, Any]
    history: History
    writers: Mapping[str, str] = field(default_factory=dict)
    pending: PendingGuess | None = None

    @property
    def pending_line(self) -> str:
        """The comment that keeps the pending guess; "" if no guess waits for its clue."""
        if self.pending is None or self.pending.is_answered_in(self.history):
            return ""
        turn, number = self.pending.turn, self.pending.number
        note = f" # {turn.note}" if turn.note else ""
        return f"# Row {number} waits for its clue: {format_guess(self.game, turn)}{note}"


class Store(Protocol):
    """Keeps a session, which others may change as well. Its methods raise SessionError."""

    @property
    def path(self) -> Path | None:
        """The path of the session's file; None if the store is not a file."""

    @property
    def is_outdated(self) -> bool:
        """Whether there is a newer version of the session than the one read last."""

    def read(self) -> Stored:
        """Return the newest version of the session."""

    def submit(self, game: Game, change: Change) -> bool:
        """Send a change of the version read last; return False if the caller has to `save`."""

    def save(self, state: Stored) -> None:
        """Store a session; if changes are submitted instead, store only its pending guess."""

    def close(self) -> None:
        """Release the session's file, or end the connection to its server."""


def read_pending(game: Game, history: History, line: str) -> PendingGuess | None:
    """Return the pending guess in a comment; None if the comment has none, or it is answered."""
    found = re.fullmatch(_LINE, line)
    if found is None:
        return None
    try:
        row = read_line(game, found[2])
        turn = parse_plain_turn(game, row)
    except PuzzlehuntError:
        return None
    pending = PendingGuess(turn, int(found[1]))
    return None if row.clue or pending.is_answered_in(history) else pending


def with_pending(text: str, line: str) -> str:
    """Return the text of a file with the comment of a pending guess added at its end."""
    line_break = "\r\n" if "\r\n" in text else "\n"
    return f"{text}{line}{line_break}" if text.endswith("\n") else f"{text}{line_break}{line}"


def split_pending(text: str) -> tuple[str, str]:
    """Return a file's text without the comment of a pending guess, and that comment or ""."""
    found = _COMMENT.search(text)
    if found is None:
        return text, ""
    return text[: found.start()] + text[found.end() :], found[0].strip()
