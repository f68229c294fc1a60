"""The guess that waits for its clue, as a session's file keeps it: in a comment of its own.

It is no turn yet and rules nothing out, so that whoever reads the rows of the file passes it over.
"""

import re
from dataclasses import dataclass

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import format_guess, read_line, unread_turn

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


def pending_line(game: Game, pending: PendingGuess) -> str:
    """Return the comment that keeps a pending guess; `read_pending` reads it back."""
    turn = pending.turn
    note = f" # {turn.note}" if turn.note else ""
    return f"# Row {pending.number} waits for its clue: {format_guess(game, turn)}{note}"


def read_pending(game: Game, history: History, line: str) -> PendingGuess | None:
    """Return the pending guess that a comment keeps.

    None for an empty line, for what is no guess of the game, and where a later row has the guess.
    """
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


# In the text of a file.


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
