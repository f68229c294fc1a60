"""Parsing and formatting of a line such as `HORSE B_WR_ ?`: guess, clue, doubt and note.

All lines are parsed here, whether typed, pasted, given as an option or read from a file.
`read_turn` reads what `format_turn` wrote, `parse_doubt` the number of `format_doubt`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import chain, takewhile

from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, Code
from puzzlehunt.errors import (
    AmbiguousClueError,
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
)
from puzzlehunt.game.history import DEFAULT_DOUBT, Turn
from puzzlehunt.game.pasted import (
    bare_texts,
    split_at_notes,
    split_at_signs,
    undecorated,
    undecorated_clues,
    without_first_sign,
)
from puzzlehunt.game.spec import GameSpec
from puzzlehunt.rules.notation.cells import cells_of
from puzzlehunt.rules.notation.clue import Clue

_TURN_NUMBER = re.compile(r"^\s*(?:#\s?\d+[.):]?|\d+[.)])\s+")
"""`3.`, `3)` or `#3` at the beginning of a line."""
_NOTE = re.compile(r"(?:^|\s+)#(.*)$")
"""`#` and all that follows it, where no turn number begins with it."""
_B = r"[^\S\t]*"
"""Blanks, but no tab."""
_BETWEEN = re.compile(rf"{_B}[,;|]{_B}\t?{_B}|{_B}\t{_B}(?:[,;|]{_B})?|[^\S\t]+")
"""The separator of guess and clue: blanks, or one separator of a table's cells."""
_BARS = re.compile(r"\|*")
_AFTER_GUESS = " \t,;|:.>=-\u2013\u2014"
"""What may follow a guess, including blanks."""
_SYMBOL = re.compile(r"[^\s,;|:]+")
"""One symbol of a guess whose symbols are separated by blanks."""
_PERCENT = r"(\d{1,3}(?:\.\d{1,4})?)\s*%"
_DOUBT_MARK = re.compile(rf"(?<=\S)\s+(?:\?\s*(?:{_PERCENT})?|\(doubted(?:,\s*{_PERCENT})?\))\s*$")
"""` ?` or ` ?20%` at the end of a clue, or as `describe_doubt` says it: the turn is doubted."""


_ONE_MARK = re.compile(r".?|\[[^\[\]]*\]")
"""A cell with one mark, with alternatives in brackets, or blank."""
_LIKE_A_NAME = 0.75
"""Least similarity (difflib, 0 to 1) of a word that may be a mistyped name of a mark."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line split into its parts, each of which may be empty.

    - `text`: the line without note, turn number and surrounding blanks.
    - `guess`, `clue`: the unparsed texts of the guess and of the clue, which includes a doubt.
    - `note`: the text after `#`.
    - `written`: the whole line, for error messages.
    """

    text: str
    guess: str = ""
    clue: str = ""
    note: str = ""
    written: str = field(default="", compare=False, repr=False)


def strip_line(line: str, alphabet: Alphabet) -> tuple[str, str]:
    """Return a line without note, turn number (`3.`, `#3`) and surrounding blanks, and its note."""
    text, note = split_note(_TURN_NUMBER.sub("", line), alphabet)
    return _without_border(text), note


def split_note(line: str, alphabet: Alphabet) -> tuple[str, str]:
    """Split a line into text and note. If `#` is a symbol, there are no notes."""
    match = _NOTE.search(line) if alphabet.number("#") is None else None
    if match is None:
        return line, ""
    printed = "".join(character for character in match[1] if character.isprintable())
    return line[: match.start()], printed.strip()


def _without_border(text: str) -> str:
    """Return a line without surrounding blanks and bars; blank cells at its end are kept."""
    text = text.strip(" \r\n").lstrip()
    bars = _BARS.match(text)
    if bars is None or not bars.end():
        return text.rstrip(" |") if text.endswith("|") else text
    return text[bars.end() :].removesuffix(bars[0]).strip(" ").lstrip()


def read_line(game: GameSpec, line: str) -> Line:
    """Return a line split into the texts of guess and clue, and a note.

    A sentence of the game (NetHack's `You hear ...`) is the clue, wherever it is in the line.
    """
    text, note = strip_line(line, game.alphabet)
    return replace(_split(game, text), note=note, written=line)


def _split(game: GameSpec, text: str) -> Line:
    if game.names_codes and (name := game.alphabet.leading_name(text)):
        return Line(text, name, _filled(text[len(name) :].lstrip(" \t,;|:")))
    sentence_start = game.rule.sentence_start(text)
    if sentence_start == 0:
        return Line(text, clue=text)
    guess, *rest = _BETWEEN.split(text, maxsplit=1)
    clue = _filled("".join(rest))
    if sentence_start is not None:
        guess, clue = _guess_before(game, text[:sentence_start]), text[sentence_start:]
    elif guess.count(":") == 1 and game.alphabet.number(":") is None:
        guess, clue = text.split(":", maxsplit=1)
        clue = _filled(clue.lstrip(" ").removeprefix("\t"))
    return Line(text, guess, clue)


def _filled(clue: str) -> str:
    """Return the text of a clue with its blank cells; "" if every cell is blank."""
    return clue.strip(" ") if clue.strip(" \t,;|") else ""


def _guess_before(game: GameSpec, text: str) -> str:
    """Return the guess in the text before a sentence of the game: its first word that is a code."""
    words = [word.rstrip(_AFTER_GUESS) for word in _BETWEEN.split(text)]
    codes = [word for word in words if word and not game.alphabet.foreign_names(word)]
    if len(codes) > 1:
        return text.rstrip(_AFTER_GUESS)
    return codes[0] if codes else words[0]


# Turns.


def read_turn(game: GameSpec, line: Line) -> tuple[Turn, Line]:
    """Return the turn of a line, and the line split as it was read.

    A line without a clue is an unread turn. There may be other text around the guess and the clue:
    see `other_reading`. Raises InvalidCodeError, InvalidClueError, or InvalidTurnError for a line
    without a guess, or for one that can be read in two ways.
    """
    try:
        return parse_plain_turn(game, line), line
    except (InvalidCodeError, InvalidClueError) as error:
        line = other_reading(game, line, error)
        return parse_plain_turn(game, line), line


def parse_plain_turn(game: GameSpec, line: Line) -> Turn:
    """Return the turn of a line with nothing around its guess and clue, as `read_turn` does."""
    if not line.guess:
        written = line.written.strip()
        raise InvalidTurnError(f"{written!r} has no guess; a turn is written GUESS CLUE")
    if len(line.guess.split()) > 1 and line.guess not in game.alphabet:
        raise InvalidCodeError(f"{line.guess!r} is not a guess: it has blanks in it")
    if line.clue and not game.begins_with_count(line.guess):
        if not all(map(str.isalpha, game.alphabet.foreign_names(line.guess))):
            # Quotes, arrows and the like are no part of a guess, even where it may be any text.
            game.parse_lone_guess(line.guess)
        guess, is_cut = game.parse_guess(line.guess), game.is_cut(line.guess)
        return parse_answer(game, line.clue, guess, line.note, is_cut)
    return unread_turn(game, line)


def unread_turn(game: GameSpec, line: Line) -> Turn:
    """Return the turn of a line with a guess alone; it is `overlong` if the guess was cut."""
    guess = game.parse_lone_guess(line.guess)
    is_cut = game.is_cut(line.guess)
    return with_text(game, Turn(guess, game.unread_clue(guess), note=line.note, overlong=is_cut))


def other_reading(game: GameSpec, line: Line, error: PuzzlehuntError) -> Line:
    """Return the only way to read a line as a turn by leaving out some of its text.

    Raises `error`, or a more specific one, if there is no such way, and InvalidTurnError if there
    are two.
    """
    if game.rule.column_names and line.guess in game.alphabet:
        raise error  # signs around marks, such as =, are marks themselves
    readings: dict[Turn, Line] = {}
    for other in _readings(game, line.text):
        if game.alphabet.foreign_names(other.guess):
            continue
        try:
            turn = parse_plain_turn(game, other)
        except AmbiguousClueError:
            raise
        except InvalidClueError as clue_error:
            if isinstance(error, InvalidCodeError):
                error = clue_error
        except (InvalidCodeError, InvalidTurnError):
            continue
        else:
            if other.clue or not game.has_guess_list or game.is_listed(turn.guess):
                note = other.note or line.note
                readings.setdefault(turn, replace(other, note=note, written=line.written))
    if not readings:
        if isinstance(error, InvalidCodeError):
            _check_spelling(game, line.text)
        elif type(error) is InvalidClueError:
            _check_one_row(game, line)
        raise error
    best = {turn: other for turn, other in readings.items() if other.clue} or readings
    if len(best) > 1:
        ways = " or ".join(turn.text for turn in list(best)[:2])
        raise InvalidTurnError(f"{line.text!r} can be read in two ways: {ways}")
    return next(iter(best.values()))


def _readings(game: GameSpec, text: str) -> Iterator[Line]:
    """Yield ways to split a line into guess and clue, without what surrounds them."""
    signs = game.own_signs
    starts = (text, undecorated(text, signs))
    bare = [bare for start in starts for bare in bare_texts(start)]
    plain = [undecorated(text, signs) for text in bare]
    for other in dict.fromkeys([*bare, *plain]):
        if other != text:
            yield _split(game, other)
        parts = list(split_at_signs(other, signs))
        for guess, clue in leading_codes(game, other):
            parts += [(guess, clue), (guess, without_first_sign(clue))]
        for guess, clue in parts:
            if len(guess.split()) == 1:
                yield _split(game, f"{guess} {clue}".rstrip(" "))
        yield from _with_notes(game, other)


def _with_notes(game: GameSpec, text: str) -> Iterator[Line]:
    """Yield a table's line whose last cells are notes, if none of these may be meant for marks."""
    row, notes = split_at_notes(text)
    line = _split(game, row)
    if not (notes and line.clue):
        return
    try:
        turn = parse_plain_turn(game, line)
    except PuzzlehuntError:
        return
    marks = game.one_board.rule.named_marks()
    signs, names = {mark.casefold() for mark, _ in marks}, [name for _, name in marks]
    word = notes[0].split()[0]
    in_signs = sum(character in signs for character in word.casefold())
    if not (
        (not word.istitle() and 2 * in_signs >= len(word))
        or get_close_matches(word.casefold(), [*names, *game.rule.clue_words], cutoff=_LIKE_A_NAME)
        or any(try_answer(game, cell, turn.guess) for cell in notes)
    ):
        yield replace(line, note=", ".join(notes))


def _check_spelling(game: GameSpec, text: str) -> None:
    words, rule = _SYMBOL.findall(text), game.one_board.rule
    names = list(takewhile(lambda word: game.alphabet.number(word) is not None, words))
    length = game.secret_length
    if 1 < len(names) < length:
        # A mistyped name of a symbol, `red red green blu yellow`, is not a clue.
        word = words[len(names)] if len(words) >= length else ""
        marks = {mark.casefold() for mark, _ in rule.named_marks()}
        known = {name.casefold() for _, name in rule.named_marks()} | {*rule.clue_words}
        is_clue = word.casefold() in known or marks.issuperset(word.casefold())
        is_symbol = len(word) > 1 and word.isalpha() and not is_clue
        game.parse_guess(" ".join(words[:length] if is_symbol else names))
    elif len(names) == 1 and len(names[0]) > 1:
        game.parse_guess(" ".join(words[:length]))


def _check_one_row(game: GameSpec, line: Line) -> None:
    for word in re.finditer(r"\S+", line.clue):
        first, rest = line.clue[: word.start()].rstrip(" \t,;|.>"), line.clue[word.end() :].strip()
        text = word[0].rstrip(_AFTER_GUESS)
        try:
            guess = game.parse_guess(text)
            if len(guess) < game.secret_length or game.counts_as(text):
                continue
            if game.has_guess_list and not game.is_listed(guess):
                continue
            for clue in filter(None, (first, rest)):
                game.parse_clue(clue, guess)
        except PuzzlehuntError:
            continue
        rows = [f"{line.guess} {first}".rstrip(), f"{text} {rest}".rstrip()]
        noun = "rows" if first or rest else "guesses"
        raise InvalidClueError(
            f"{rows[0]!r} and {rows[1]!r} are two {noun}; each is written by itself"
        )


def leading_codes(game: GameSpec, text: str) -> Iterator[tuple[str, str]]:
    """Yield ways to split a text after a guess of several words: the code, and the rest.

    The text `R R G G BW` is split after `R R G G`.
    """
    alphabet, length = game.alphabet, game.secret_length
    words = list(_SYMBOL.finditer(text))[:length]
    for count in range(2, len(words) + 1):
        names = alphabet.tokens(" ".join(word[0] for word in words[:count]))
        code = [symbol for name in names if (symbol := alphabet.number(name)) is not None]
        if len(code) == len(names) == length:
            yield alphabet.format(tuple(code)), text[words[count - 1].end() :].lstrip(" \t,;|:")


def parse_answer(
    game: GameSpec, text: str, guess: Code, note: str = "", overlong: bool = False
) -> Turn:
    """Return the turn of a guess, given the text of its clue, with or without a doubt.

    `overlong` is whether more symbols were played than the guess: then the turn wins only if the
    text says so. Raises InvalidClueError, AmbiguousClueError, or InvalidTurnError for a doubt of 0
    % or 100 %.
    """
    clue, doubt = _parse_answer(game, text, guess)
    overlong = overlong and game.rule.wins(clue) and not game.rule.says_won(text)
    return with_text(game, Turn(guess, clue, doubt, note=note, overlong=overlong))


def _parse_answer(game: GameSpec, text: str, guess: Code) -> tuple[Clue, float]:
    errors: list[InvalidClueError] = []
    bare = () if game.rule.column_names else undecorated_clues(text, game.own_signs)
    for plain in chain([text], bare):
        try:
            return _clue_and_doubt(game, plain, guess)
        except AmbiguousClueError:
            raise
        except InvalidClueError as error:
            errors.append(error)
    raise errors[0]


def _clue_and_doubt(game: GameSpec, text: str, guess: Code) -> tuple[Clue, float]:
    """Return the clue and the doubt of a text with nothing around its marks."""
    match = _DOUBT_MARK.search(text)
    if match is None:
        return game.parse_clue(text, guess), 0.0
    before = text[: match.start()]
    if percent := match[1] or match[2]:
        return game.parse_clue(before, guess), parse_doubt(percent)
    has_own_cell = before.endswith((",", ";", "|")) or "\t" in match[0]
    cells = cells_of(text.rstrip(" \t")) if has_own_cell else text.split()
    is_list = len(cells) > (1 if has_own_cell else 2) and all(map(_ONE_MARK.fullmatch, cells))
    if game.boards == 1 and is_list:
        whole = try_clue(game, text, guess)
        kinds = len(game.rule.named_marks()) if cells[0].isdecimal() and has_own_cell else 0
        if whole is not None and len(cells) in (len(guess), kinds):
            return whole, 0.0
        if whole is not None and has_own_cell and try_clue(game, before, guess) is not None:
            raise AmbiguousClueError(
                f"{text!r}: is the ? at the end a mark that was not read, or does it doubt the "
                f"row? Write {game.rule.unread_mark} for such a mark, or "
                f"{before.rstrip(' ,;|')} ? to doubt the row"
            )
    return game.parse_clue(before.rstrip(" ,;|\t"), guess), DEFAULT_DOUBT


def try_clue(game: GameSpec, text: str, guess: Code) -> Clue | None:
    """Return the clue of a text about a guess, None if the text is not a clue."""
    try:
        return game.parse_clue(text, guess)
    except InvalidClueError:
        return None


def try_answer(
    game: GameSpec, text: str, guess: Code, note: str = "", overlong: bool = False
) -> Turn | None:
    """Return the turn of a guess and the text of its clue, None if that is not a clue."""
    try:
        return parse_answer(game, text, guess, note, overlong)
    except InvalidClueError:
        return None


def format_turn(game: GameSpec, turn: Turn) -> str:
    """Return a turn as a line, which `read_turn` parses."""
    return f"{format_guess(game, turn)} {format_answer(game, turn)}"


def format_guess(game: GameSpec, turn: Turn) -> str:
    """Return the text of a turn's guess, with one more symbol if it is `overlong`."""
    if not turn.overlong:
        return game.format_code(turn.guess)
    more = FOREIGN if game.ignore_foreign else turn.guess[-1]
    return game.alphabet.format((*turn.guess, more))


def format_row(game: GameSpec, turn: Turn) -> str:
    """Return a turn with its note as a line, which `read_turn` parses."""
    return f"{format_turn(game, turn)} # {turn.note}" if turn.note else format_turn(game, turn)


def format_answer(game: GameSpec, turn: Turn) -> str:
    """Return a turn's clue and doubt as the game writes them; `parse_answer` reads them back."""
    doubt = f" {format_doubt(turn.doubt)}" if turn.doubted else ""
    return game.rule.format(turn.clue) + doubt


def with_text(game: GameSpec, turn: Turn) -> Turn:
    """Return a turn with its `text`, so that views can show it without the game."""
    return replace(turn, text=format_turn(game, turn.undoubted))


def describe_answer(game: GameSpec, turn: Turn) -> str:
    """Return a turn's clue and doubt in words: `1 black, 1 white, 1 red, 2 unread (doubted)`."""
    won_text = "found" if game.secrets_at_once > 1 else "solved"
    if turn.overlong:
        won_text = f"right, but too long to win: play {game.format_code(turn.guess)} alone"
    clue = won_text if game.rule.wins(turn.clue) else game.rule.describe(turn.clue)
    return f"{clue} ({describe_doubt(turn.doubt)})" if turn.doubted else clue


# Doubts.


def parse_doubt(text: str) -> float:
    """Parse a probability (0 to 1) such as `20%`, `20` or `0.2`. Raises InvalidTurnError."""
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
    return "?" if chance == DEFAULT_DOUBT else f"?{chance * 100:.10g}%"


def describe_doubt(chance: float) -> str:
    """Return a doubt in words: `doubted`, or `doubted, 20 %`."""
    return "doubted" if chance == DEFAULT_DOUBT else f"doubted, {chance * 100:.10g} %"
