"""A line such as `HORSE B_WR_ ?`, split into guess, clue and doubt, and the turn that it writes.

All lines are read here, whether typed, pasted, given as an option or read from a file.
`parse_turn` reads what `format_turn` wrote, `parse_doubt` the number of `format_doubt`.
"""

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.errors import InvalidClueError, InvalidTurnError
from puzzlehunt.game.history import DEFAULT_DOUBT, Turn

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

_TURN_NUMBER = re.compile(r"^\s*(?:#\s?\d+[.):]?|\d+[.)])\s+")
"""`3.`, `3)` or `#3` at the beginning of a line."""
_COMMENT = re.compile(r"(?:^|\s)#(?!\s?\d+[.):\s]).*$")
"""`#` and all that follows it, unless it begins a turn number."""
_SEPARATOR = re.compile(r"[\s,;|]+")
"""What stands between a guess and its clue."""
_DOUBT_MARK = re.compile(r"(?<=\S)\s+\?\s*(?:(\d{1,3}(?:\.\d{1,4})?)\s*%)?\s*$")
"""` ?` or ` ?20%` at the end of a clue: the turn is doubted."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line split into its parts, each of which may be empty.

    - `text`: the line without comment, turn number and surrounding blanks.
    - `guess`, `clue`: the texts of the guess and of the clue, not read yet.
    - `doubt`: the probability that the turn is wrong, 0 where the line does not doubt it.
    - `written`: the whole line, for error messages.
    """

    text: str
    guess: str = ""
    clue: str = ""
    doubt: float = 0.0
    written: str = field(default="", compare=False, repr=False)


def strip_line(line: str, alphabet: Alphabet) -> str:
    """Return a line without comment, turn number (`3.`, `#3`) and surrounding blanks.

    Where `#` is a symbol of the game there are no comments.
    """
    if alphabet.number("#") is None:
        line = _COMMENT.sub("", line)
    return _TURN_NUMBER.sub("", line).strip("| \t\r\n")


def read_line(game: "Game", line: str) -> Line:
    """Return a line split into the texts of guess and clue, and a doubt.

    Blanks, tabs, `,`, `;`, `|` or a colon end the guess. A sentence of the game (NetHack's `You
    hear ...`) is the clue, wherever in the line it stands. ` ?` or ` ?20%` at the end of the line
    doubts the turn. Raises InvalidTurnError for a doubt of 0 % or 100 %.
    """
    text = strip_line(line, game.alphabet)
    sentence_start = game.rule.sentence_at(text)
    if sentence_start == 0:
        return Line(text, clue=text, written=line)
    guess, *rest = _SEPARATOR.split(text, maxsplit=1)
    clue = "".join(rest).strip()
    if guess.count(":") == 1 and game.alphabet.number(":") is None:
        guess, clue_start = guess.split(":")
        clue = f"{clue_start} {clue}".strip()
    if sentence_start is not None and sentence_start >= len(guess):
        clue = text[sentence_start:]
    marks = len(game.alphabet.tokens(guess)) if game.boards == 1 else 0
    clue, doubt = _split_doubt(clue, marks)
    return Line(text, guess, clue, doubt, line)


# Turns.


def parse_turn(game: "Game", line: Line) -> Turn:
    """Return the turn that a line writes; without a clue the turn is unread.

    Raises InvalidCodeError, InvalidClueError, or InvalidTurnError for a line without a guess.
    """
    if not line.guess:
        written = line.written.strip()
        raise InvalidTurnError(f"{written!r} has no guess; a turn is written GUESS CLUE")
    if line.clue:
        guess = game.parse_guess(line.guess)
        clue = game.parse_clue(line.clue, guess)
    else:
        guess = game.parse_lone_guess(line.guess)
        clue = game.unread_clue(guess)
    return with_text(game, Turn(guess, clue, line.doubt))


def parse_answer(game: "Game", text: str, guess: Code) -> Turn:
    """Return the turn of a guess, given the whole text of its clue, with or without a doubt.

    Raises InvalidClueError, or InvalidTurnError for a doubt of 0 % or 100 %.
    """
    clue, doubt = _split_doubt(text, len(guess) if game.boards == 1 else 0)
    return with_text(game, Turn(guess, game.parse_clue(clue, guess), doubt))


def try_answer(game: "Game", text: str, guess: Code) -> Turn | None:
    """Return the turn that `parse_answer` returns, None where it raises InvalidClueError."""
    try:
        return parse_answer(game, text, guess)
    except InvalidClueError:
        return None


def format_turn(game: "Game", turn: Turn) -> str:
    """Return the line that writes a turn; `parse_turn` reads it back."""
    return f"{game.format_code(turn.guess)} {format_answer(game, turn)}"


def format_answer(game: "Game", turn: Turn) -> str:
    """Return a turn's clue and doubt as the game writes them; `parse_answer` reads them back."""
    doubt = f" {format_doubt(turn.doubt)}" if turn.doubted else ""
    return game.rule.format(turn.clue) + doubt


def with_text(game: "Game", turn: Turn) -> Turn:
    """Return a turn with its `text`, which views show without asking the game."""
    return replace(turn, text=format_turn(game, turn.undoubted))


def describe_answer(game: "Game", turn: Turn) -> str:
    """Return a turn's clue and doubt in words: `1 black, 1 white, 1 red, 2 unread (doubted)`."""
    won_text = "found" if game.secrets_at_once > 1 else "solved"
    clue = won_text if game.rule.wins(turn.clue) else game.rule.describe(turn.clue)
    return f"{clue} ({describe_doubt(turn.doubt)})" if turn.doubted else clue


# Doubts.


def _split_doubt(clue: str, marks: int) -> tuple[str, float]:
    """Return the text of a clue without the ` ?` or ` ?20%` at its end, and the doubt.

    `marks` is how many marks the full feedback has, 0 where it has those of several boards. Where
    the clue writes all of them, as single characters with blanks between, a `?` at its end is an
    unread mark and no doubt: `B W R _ ?`. Raises InvalidTurnError for a doubt of 0 % or 100 %.
    """
    match = _DOUBT_MARK.search(clue)
    if match is None:
        return clue, 0.0
    percent = match[1]
    words = clue.split()
    if percent is None and len(words) == marks > 2 and all(len(word) == 1 for word in words):
        return clue, 0.0
    chance = DEFAULT_DOUBT if percent is None else parse_doubt(percent)
    return clue[: match.start()].rstrip("? \t"), chance


def parse_doubt(text: str) -> float:
    """Return the probability (0 to 1) that `20%`, `20` or `0.2` writes. Raises InvalidTurnError."""
    try:
        chance = float(text.strip().removesuffix("%"))
        if text.strip().endswith("%") or chance >= 1:
            chance /= 100
    except ValueError:
        chance = -1.0
    if not 0 < chance < 1:
        raise InvalidTurnError(
            f"{text.strip().removesuffix('%')}%: a doubt is above 0 % and below 100 %, as in ?20%"
        )
    return chance


def format_doubt(chance: float) -> str:
    """Return a doubt as it is written after a turn: `?`, or `?20%`."""
    return "?" if chance == DEFAULT_DOUBT else f"?{_percent(chance)}%"


def describe_doubt(chance: float) -> str:
    """Return a doubt in words: `doubted`, or `doubted, 20 %`."""
    return "doubted" if chance == DEFAULT_DOUBT else f"doubted, {_percent(chance)} %"


def _percent(chance: float) -> str:
    return f"{chance * 100:.10g}"
