"""A line of text about a game: `HORSE B_WR_ ?` taken apart once, and the turn that it writes.

Whatever reads lines reads them here: a person's typing, a pasted log, an option, a file. The pairs
`parse_turn` and `format_turn`, `parse_doubt` and `format_doubt` read back what they write.
"""

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.errors import InvalidClueError, InvalidTurnError
from puzzlehunt.game.history import DOUBT, History, Turn

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

_ROW_NUMBER = re.compile(r"^\s*(?:#\s?\d+[.):]?|\d+[.)])\s+")
_COMMENT = re.compile(r"(?:^|\s)#(?!\s?\d+[.):\s]).*$")
_SEPARATOR = re.compile(r"[\s,;|]+")
_DOUBT = re.compile(r"(?<=\S)\s+\?\s*(?:(\d{1,3}(?:\.\d{1,4})?)\s*%)?\s*$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line taken apart; every part may be empty.

    `text` is the line without comment, row number and surrounding blanks; `guess` and `clue` are
    the texts of these, and `doubt` is the chance that the turn is wrong, 0 where none is written.
    `written` is the whole line, for error messages.
    """

    text: str
    guess: str = ""
    clue: str = ""
    doubt: float = 0.0
    written: str = field(default="", compare=False, repr=False)


def clean(line: str, alphabet: Alphabet) -> str:
    """Return a line without comment, row number and surrounding blanks.

    Where `#` is a symbol of the game there are no comments.
    """
    if alphabet.number("#") is None:
        line = _COMMENT.sub("", line)
    return _ROW_NUMBER.sub("", line).strip("| \t\r\n")


def read_line(game: "Game", line: str) -> Line:
    """Return a line taken apart into the text of a guess, of a clue, and a doubt.

    Blanks, tabs and commas separate; one of the game's own sentences is a clue wherever it
    stands; a last ` ?`, or ` ?20%`, doubts the turn. Raises InvalidTurnError for a doubt of 0 % or
    100 %.
    """
    text = clean(line, game.alphabet)
    sentence = game.rule.sentence_at(text)
    if sentence == 0:
        return Line(text, clue=text, written=line)
    guess, *more = _SEPARATOR.split(text, maxsplit=1)
    clue = "".join(more).strip()
    if guess.count(":") == 1 and game.alphabet.number(":") is None:
        guess, first = guess.split(":")
        clue = f"{first} {clue}".strip()
    if sentence is not None and sentence >= len(guess):
        clue = text[sentence:]
    pegs = len(game.alphabet.tokens(guess)) if game.boards == 1 else 0
    clue, doubt = _without_doubt(clue, pegs)
    return Line(text, guess, clue, doubt, line)


# Turns.


def parse_turn(game: "Game", line: Line) -> Turn:
    """Return the turn of a line with a guess; without a clue, nothing was read.

    Raises InvalidCodeError, InvalidClueError, or InvalidTurnError for a line without a guess.
    """
    if not line.guess:
        written = line.written.strip()
        raise InvalidTurnError(f"{written!r} has no guess; a turn is written GUESS CLUE")
    guess = game.parse_guess(line.guess)
    clue = game.parse_clue(line.clue, guess) if line.clue else game.unread_clue(guess)
    return with_text(game, Turn(guess, clue, line.doubt))


def parse_next_turn(game: "Game", line: Line, history: History) -> Turn:
    """Return the turn of a line that comes after a history.

    Raises as `parse_turn`, and IllegalGuessError where hard mode forbids the guess.
    """
    turn = parse_turn(game, line)
    game.check_guess(turn.guess, history)
    return turn


def parse_answer(game: "Game", text: str, guess: Code) -> Turn:
    """Return the turn of a guess whose clue, with its doubt, is all of a text.

    Raises InvalidClueError, or InvalidTurnError for a doubt of 0 % or 100 %.
    """
    clue, doubt = _without_doubt(text, len(guess) if game.boards == 1 else 0)
    return with_text(game, Turn(guess, game.parse_clue(clue, guess), doubt))


def try_answer(game: "Game", text: str, guess: Code) -> Turn | None:
    """Return what `parse_answer` does, None where the text is no clue about the guess."""
    try:
        return parse_answer(game, text, guess)
    except InvalidClueError:
        return None


def format_turn(game: "Game", turn: Turn) -> str:
    """Return the line of a turn; `parse_turn` reads it back."""
    doubt = f" {format_doubt(turn.doubt)}" if turn.doubted else ""
    return f"{game.format_code(turn.guess)} {game.rule.format(turn.clue)}{doubt}"


def with_text(game: "Game", turn: Turn) -> Turn:
    """Return a turn with its text, by which a history shows itself."""
    return replace(turn, text=format_turn(game, turn.undoubted))


def describe_answer(game: "Game", turn: Turn) -> str:
    """Return a turn's clue as it was understood: `1 black, 1 white, 1 red, 2 unread`."""
    won = "found" if game.secrets_at_once > 1 else "solved"
    clue = won if game.rule.wins(turn.clue) else game.rule.describe(turn.clue)
    return f"{clue} ({describe_doubt(turn.doubt)})" if turn.doubted else clue


# Doubts.


def _without_doubt(clue: str, pegs: int) -> tuple[str, float]:
    """Return the text of a clue about so many pegs without a last ` ?`, and how doubtful it is.

    Where each cell holds one mark, and there are as many as pegs, the last is a mark like others.
    Raises InvalidTurnError for a doubt of 0 % or 100 %.
    """
    written = _DOUBT.search(clue)
    if written is None:
        return clue, 0.0
    percent = written[1]
    marks = clue.split()
    if percent is None and len(marks) == pegs > 2 and all(len(mark) == 1 for mark in marks):
        return clue, 0.0
    chance = DOUBT if percent is None else parse_doubt(percent)
    return clue[: written.start()].rstrip("? \t"), chance


def parse_doubt(text: str) -> float:
    """Return the chance that `20%`, `20` or `0.2` writes. Raises InvalidTurnError."""
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
    """Return how a doubt is written behind a turn: `?`, or `?20%`."""
    return "?" if chance == DOUBT else f"?{_percent(chance)}%"


def describe_doubt(chance: float) -> str:
    """Return a doubt in words."""
    return "doubted" if chance == DOUBT else f"doubted, {_percent(chance)} %"


def _percent(chance: float) -> str:
    return f"{chance * 100:.10g}"
