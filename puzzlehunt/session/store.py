"""Stores, which keep a session, and with it the pending guess, which waits for its clue.

The pending guess is no turn yet and rules nothing out. In a session's file it is a comment, which
readers of the rows skip.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.turn_notation import format_guess, read_line, unread_turn
from puzzlehunt.session.changes import Change

_LINE = r"# Row (\d{1,6}) waits for its clue: (\S[^\r\n]*)"
_COMMENT = re.compile(rf"(?:^{_LINE}\r?\n|\r?\n{_LINE}\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PendingGuess:
    """An unread turn that waits for its clue, and the number (from 1) that it was to have."""

    turn: Turn
    number: int

    def is_answered_in(self, history: History) -> bool:
        """Return whether a row that came later has the guess."""
        later = history.turns[self.number - 1 :]
        return any(turn.guess == self.turn.guess for turn in later)


@dataclass(frozen=True, slots=True)
class Stored:
    """What a store keeps of a session.

    `reference` is the game that a file's `game:` names, as `absolute_reference` returns it, and
    `settings` are the file's other keys but for facts and turns. `writers` are the names of those
    who wrote turns, by the turn's line.
    """

    game: Game
    reference: str
    settings: Mapping[str, Any]
    history: History
    writers: Mapping[str, str] = field(default_factory=dict)
    pending: PendingGuess | None = None

    @property
    def pending_line(self) -> str:
        """The comment that keeps the pending guess; "" if none waits any more."""
        if self.pending is None or self.pending.is_answered_in(self.history):
            return ""
        turn, number = self.pending.turn, self.pending.number
        note = f" # {turn.note}" if turn.note else ""
        return f"# Row {number} waits for its clue: {format_guess(self.game, turn)}{note}"


class Store(Protocol):
    """Keeps a session that others may change, too. Its methods raise SessionError."""

    @property
    def path(self) -> Path | None:
        """The path of the file; None for other stores."""

    @property
    def is_followed(self) -> bool:
        """Whether others change the session; a file that they write is only read here."""

    @property
    def is_outdated(self) -> bool:
        """Whether there is a newer version than the one that was read last."""

    def become_writer(self) -> None:
        """Become the one writer of the session. Raises SessionInUseError if another is."""

    def read(self) -> Stored:
        """Return the newest version."""

    def submit(self, game: Game, change: Change) -> bool:
        """Send a change of the version read last; False if the caller has to `save` instead."""

    def save(self, state: Stored) -> None:
        """Keep a session as it is now; if changes are submitted, only its pending guess."""

    def close(self) -> None:
        """Release the session, or end the connection to it."""


def read_pending(game: Game, history: History, line: str) -> PendingGuess | None:
    """Return the guess that a comment keeps; None for another line, or an answered guess."""
    found = re.fullmatch(_LINE, line)
    if found is None:
        return None
    try:
        row = read_line(game, found[2])
        turn = unread_turn(game, row)
    except PuzzlehuntError:
        return None
    pending = PendingGuess(turn, int(found[1]))
    return None if row.clue or pending.is_answered_in(history) else pending


def with_pending(text: str, line: str) -> str:
    """Return the text of a file with the comment of a pending guess below it."""
    line_break = "\r\n" if "\r\n" in text else "\n"
    return f"{text}{line}{line_break}" if text.endswith("\n") else f"{text}{line_break}{line}"


def split_pending(text: str) -> tuple[str, str]:
    """Return the text of a file as it was before `with_pending`, and the comment's line, or ""."""
    found = _COMMENT.search(text)
    if found is None:
        return text, ""
    return text[: found.start()] + text[found.end() :], found[0].strip()
