"""A line such as `HORSE B_WR_ ?`, split into guess, clue and doubt, and the turn that it writes.

All lines are read here, whether typed, pasted, given as an option or read from a file.
`parse_turn` reads what `format_turn` wrote, `parse_doubt` the number of `format_doubt`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.errors import (
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
)
from puzzlehunt.game.history import DEFAULT_DOUBT, Turn
from puzzlehunt.game.surroundings import bare_texts, split_at_signs, without_first_sign

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

_TURN_NUMBER = re.compile(r"^\s*(?:#\s?\d+[.):]?|\d+[.)])\s+")
"""`3.`, `3)` or `#3` at the beginning of a line."""
_NOTE = re.compile(r"(?:^|\s+)#(.*)$")
"""`#` and all that follows it, where no turn number begins with it."""
_BETWEEN = re.compile(r"[\s,;|]+")
"""What stands between a guess and its clue."""
_AFTER_GUESS = " \t,;|:.>=-\u2013\u2014"
"""What may follow a guess, beside blanks."""
_SYMBOL = re.compile(r"[^\s,;|:]+")
"""A symbol of a guess whose symbols stand one by one."""
_PERCENT = r"(\d{1,3}(?:\.\d{1,4})?)\s*%"
_DOUBT_MARK = re.compile(rf"(?<=\S)\s+(?:\?\s*(?:{_PERCENT})?|\(doubted(?:,\s*{_PERCENT})?\))\s*$")
"""` ?` or ` ?20%` at the end of a clue, or as `describe_doubt` says it: the turn is doubted."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line split into its parts, each of which may be empty.

    - `text`: the line without note, turn number and surrounding blanks.
    - `guess`, `clue`: the texts of the guess and of the clue, not read yet.
    - `doubt`: the probability that the turn is wrong, 0 where the line does not doubt it.
    - `note`: what stands after `#`.
    - `written`: the whole line, for error messages.
    """

    text: str
    guess: str = ""
    clue: str = ""
    doubt: float = 0.0
    note: str = ""
    written: str = field(default="", compare=False, repr=False)


def strip_line(line: str, alphabet: Alphabet) -> tuple[str, str]:
    """Return a line without note, turn number (`3.`, `#3`) and surrounding blanks, and its note.

    Where `#` is a symbol of the game there are no notes.
    """
    text, note = _TURN_NUMBER.sub("", line), ""
    if alphabet.number("#") is None and (match := _NOTE.search(text)):
        text, note = text[: match.start()], match[1]
    printed = "".join(character for character in note if character.isprintable())
    return text.strip("| \t\r\n"), printed.strip()


def read_line(game: "Game", line: str) -> Line:
    """Return a line split into the texts of guess and clue, a doubt and a note.

    Blanks, tabs, `,`, `;`, `|` or a colon end the guess. A sentence of the game (NetHack's `You
    hear ...`) is the clue, wherever in the line it stands. ` ?` or ` ?20%` at the end of the line
    doubts the turn; the note stands after `#`. Raises InvalidTurnError for a doubt of 0 % or 100 %.
    """
    text, note = strip_line(line, game.alphabet)
    return replace(_split(game, text), note=note, written=line)


def _split(game: "Game", text: str) -> Line:
    """Return the parts of a line that has neither turn number nor note."""
    sentence_start = game.rule.sentence_at(text)
    if sentence_start == 0:
        return Line(text, clue=text)
    guess, *rest = _BETWEEN.split(text, maxsplit=1)
    clue = "".join(rest).strip()
    if sentence_start is not None:
        guess, clue = _guess_before(game, text[:sentence_start]), text[sentence_start:]
    elif guess.count(":") == 1 and game.alphabet.number(":") is None:
        guess, clue_start = guess.split(":")
        clue = f"{clue_start} {clue}".strip()
    marks = len(game.alphabet.tokens(guess)) if game.boards == 1 else 0
    clue, doubt = _split_doubt(clue, marks)
    return Line(text, guess, clue, doubt)


def _guess_before(game: "Game", text: str) -> str:
    """Return the guess in what stands before a sentence of the game: its first word.

    If words follow that consist of symbols alone, the guess is the only such word; if there are
    several, the whole text is returned, which is no guess.
    """
    words = [word.rstrip(_AFTER_GUESS) for word in _BETWEEN.split(text)]
    codes = [word for word in words if word and not game.alphabet.foreign_names(word)]
    if len(codes) > 1:
        return text.rstrip(_AFTER_GUESS)
    return codes[0] if codes else words[0]


# Turns.


def parse_turn(game: "Game", line: Line) -> Turn:
    """Return the turn that a line writes; without a clue the turn is unread.

    A line may have more around its guess and clue, as `other_reading` says. Raises
    InvalidCodeError, InvalidClueError, or InvalidTurnError for a line without a guess, or one that
    can be read in two ways.
    """
    return read_turn(game, line)[0]


def read_turn(game: "Game", line: Line) -> tuple[Turn, Line]:
    """Return the turn of `parse_turn`, and the line in the reading in which it writes the turn."""
    try:
        return parse_plain_turn(game, line), line
    except (InvalidCodeError, InvalidClueError) as error:
        line = other_reading(game, line, error)
        return parse_plain_turn(game, line), line


def parse_plain_turn(game: "Game", line: Line) -> Turn:
    """Return the turn of a line with nothing around its guess and clue, as `parse_turn` does."""
    if not line.guess:
        written = line.written.strip()
        raise InvalidTurnError(f"{written!r} has no guess; a turn is written GUESS CLUE")
    if len(line.guess.split()) > 1:
        raise InvalidCodeError(f"{line.guess!r} is no guess: blanks stand in it")
    if line.clue and not game.begins_with_count(line.guess):
        guess = game.parse_guess(line.guess)
        clue = game.parse_clue(line.clue, guess)
    else:
        guess = game.parse_lone_guess(line.guess)
        clue = game.unread_clue(guess)
    return with_text(game, Turn(guess, clue, line.doubt, note=line.note))


def other_reading(game: "Game", line: Line, error: PuzzlehuntError) -> Line:
    """Return the one reading of a line in which it is a turn, though as it stands it is none.

    Numbers, times and names may stand before the guess, signs such as `->` between guess and clue,
    and blanks or commas between the symbols of the guess, which may have names. Raises `error`, or
    one that tells more, if there is no such reading, and InvalidTurnError if there are two.
    """
    readings: dict[Turn, Line] = {}
    for other in _readings(game, line.text):
        try:
            turn = parse_plain_turn(game, other)
        except InvalidClueError as clue_error:
            if isinstance(error, InvalidCodeError):
                error = clue_error
        except (InvalidCodeError, InvalidTurnError):
            continue
        else:
            if other.clue or not game.has_guess_list or game.is_listed(turn.guess):
                readings.setdefault(turn, replace(other, note=line.note, written=line.written))
    if not readings:
        raise error
    best = {turn: other for turn, other in readings.items() if other.clue} or readings
    if len(best) > 1:
        ways = " or ".join(turn.text for turn in list(best)[:2])
        raise InvalidTurnError(f"{line.text!r} can be read in two ways: {ways}")
    return next(iter(best.values()))


def _readings(game: "Game", text: str) -> Iterator[Line]:
    """Yield ways to split a line into guess and clue, with what may stand around them left out."""
    for bare in bare_texts(text):
        if bare != text:
            yield _split(game, bare)
        for guess, clue in [*split_at_signs(bare), *_spelt(game, bare)]:
            if len(guess.split()) == 1:
                yield _split(game, f"{guess} {clue}".rstrip())


def _spelt(game: "Game", text: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of guess and clue where the symbols of the guess stand one by one."""
    length = game.length // game.secrets_at_once
    names = list(_SYMBOL.finditer(text))[:length]
    symbols = [game.alphabet.number(name[0]) for name in names]
    code = tuple(symbol for symbol in symbols if symbol is not None)
    if len(code) == length > 1:
        guess, clue = game.alphabet.format(code), text[names[-1].end() :].lstrip(" \t,;|:")
        yield guess, clue
        yield guess, without_first_sign(clue)


def parse_answer(game: "Game", text: str, guess: Code, note: str = "") -> Turn:
    """Return the turn of a guess, given the whole text of its clue, with or without a doubt.

    Raises InvalidClueError, or InvalidTurnError for a doubt of 0 % or 100 %.
    """
    clue, doubt = _split_doubt(text, len(guess) if game.boards == 1 else 0)
    return with_text(game, Turn(guess, game.parse_clue(clue, guess), doubt, note=note))


def try_answer(game: "Game", text: str, guess: Code, note: str = "") -> Turn | None:
    """Return the turn that `parse_answer` returns, None where it raises InvalidClueError."""
    try:
        return parse_answer(game, text, guess, note)
    except InvalidClueError:
        return None


def format_turn(game: "Game", turn: Turn) -> str:
    """Return the line that writes a turn; `parse_turn` reads it back."""
    return f"{game.format_code(turn.guess)} {format_answer(game, turn)}"


def format_row(game: "Game", turn: Turn) -> str:
    """Return the line that writes a turn with its note; `parse_turn` reads it back."""
    return f"{format_turn(game, turn)} # {turn.note}" if turn.note else format_turn(game, turn)


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
    percent = match[1] or match[2]
    words = clue.split()
    if percent is None and len(words) == marks > 2 and all(len(word) == 1 for word in words):
        return clue, 0.0
    chance = DEFAULT_DOUBT if percent is None else parse_doubt(percent)
    return clue[: match.start()].rstrip(), chance


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
