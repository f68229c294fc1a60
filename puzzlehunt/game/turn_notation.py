"""Parsing and formatting of a line such as `HORSE B_WR_ ?`: guess, clue, doubt and note.

All lines are parsed here, whether typed, pasted, given as an option or read from a file.
"""

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterator, Set
from dataclasses import replace
from difflib import get_close_matches
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.constraints import holds
from puzzlehunt.codes.spaces import split as split_code
from puzzlehunt.errors import (
    AmbiguousClueError,
    IllegalGuessError,
    ImpossibleClueError,
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
    check_type,
)
from puzzlehunt.game import meaning
from puzzlehunt.game.history import DEFAULT_DOUBT, FACT, Fact, History, Item, Turn, format_doubt
from puzzlehunt.rules.notation import nethack
from puzzlehunt.rules.notation.clue import Clue, Feedback, cell_separator, cells_of
from puzzlehunt.rules.notation.synonyms import COLOUR_OF, UNREAD_SIGNS, plain

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

_TURN_NUMBER = re.compile(r"^\s*(?:#\s?\d+[.):]?|\d+[.)])\s+")
"""`3.`, `3)` or `#3` at the beginning of a line."""
_NOTE = re.compile(r"(?:^|\s+)#(.*)$")
"""`#` and all that follows it, where no turn number begins with it."""
_B = r"[^\S\t]*"
"""Blanks, but no tab."""
_BETWEEN = re.compile(rf"{_B}[,;|]{_B}\t?{_B}|{_B}\t{_B}(?:[,;|]{_B})?|[^\S\t]+")
"""The separator of guess and clue: blanks, or one separator of a table's cells."""
_SIGN = re.compile(
    r"\s*(?:[-=\u2013\u2014~]+>|>(?=\s)|[→⇒➜⟶⟹▸►▶➔➙➛➝➞➡»]\ufe0f?|=+|:|[-\u2013\u2014]+"
    r"|(?:is|was|got)(?=\s))\s*"
)
"""A sign or word between guess and clue, such as `->`, besides blanks and commas."""
_NUMBER_SIGN = re.compile(r"[-\u2013=]\d")
"""A sign that is part of a number: `=1b`."""
_AFTER_GUESS = re.compile(r"[\s,;|:.>=\u2013\u2014-]*(?:\band\s+)?(?:\bthen\s+)?$")
"""What may stand between a guess and a sentence of the game."""
_SYMBOL = re.compile(r"[^\s,;|:]+")
"""One symbol of a guess whose symbols are separated by blanks."""
_DOUBT_MARK = re.compile(r"(?<=\S)\s+\?\s*(?:(\d{1,3}(?:\.\d{1,4})?)\s*%)?[.!]?\s*$")
"""` ?` or ` ?20%` at the end of a clue: the turn is doubted."""
_ONE_MARK = re.compile(r".?|\[[^\[\]]*\]")
"""A cell with one mark, with alternatives in brackets, or blank."""
_PROSE = re.compile(r"(?:[A-Z][a-z']*(?:\s+[^\s\d.!?]+){2,}[.!?]+\s*)+|Improvise\?.*")
"""Sentences of NetHack, or its question before a tune."""
_Parsed = TypeVar("_Parsed")


class Line(NamedTuple):
    """A line split into its parts, each of which may be empty.

    `text` is the line without note, turn number and surrounding blanks; `clue` includes a doubt.
    """

    text: str
    guess: str = ""
    clue: str = ""
    note: str = ""


def split_note(line: str, alphabet: Alphabet) -> tuple[str, str]:
    """Split a line into text and note. If `#` is a symbol, there are no notes."""
    match = _NOTE.search(line) if alphabet.number("#") is None else None
    if match is None:
        return line, ""
    return line[: match.start()], "".join(filter(str.isprintable, match[1])).strip()


def read_line(game: "Game", line: str) -> Line:
    """Return a line split into the texts of guess and clue, and a note.

    What NetHack prints about a tune is a clue; of its other sentences no text is left.
    """
    text, note = split_note(_TURN_NUMBER.sub("", plain(line)), game.alphabet)
    # Blank cells at the end are kept, those before the first bar of a table are none.
    text = text.lstrip("| \t\r\n").rstrip(" \r\n").removesuffix("|").rstrip(" ")
    if nethack.PLAYED in game.rule.notation.none_words:
        text = nethack.PROMPT.sub("", text) or text
        if _PROSE.fullmatch(text) and game.rule.notation.sentence_start(text) is None:
            text = ""
    return next(_splits(game, text, note))


def _splits(game: "Game", text: str, note: str) -> Iterator[Line]:
    """Yield the ways to split a text, with nothing before its guess, into guess and clue.

    A sign between them is no part of the clue, unless it may be a mark itself.
    """
    for guess, rest in _cuts(game, text):
        for clue in _without_sign(game, rest):
            # A clue keeps its blank cells, unless all are blank.
            yield Line(text, guess, clue.strip(" ") if clue.strip(" \t,;|") else "", note)


def _cuts(game: "Game", text: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of guess and clue, with the sign between them, for each way to cut a text."""
    if name := game.alphabet.leading_name(text):
        yield name, text[len(name) :].lstrip(" \t,;|:")
        return
    if (start := game.rule.notation.sentence_start(text)) is not None:
        yield _AFTER_GUESS.sub("", text[:start]), text[start:].removesuffix(" --")
        return
    guess, *rest = _BETWEEN.split(text, maxsplit=1)
    if game.alphabet.number(":") is None:
        guess = guess.removesuffix(":")
    yield guess, "".join(rest)
    # A guess of several words: `R R G G BW` is cut after `R R G G`.
    alphabet, lengths = game.alphabet, game.one_board.secrets.lengths
    words = list(_SYMBOL.finditer(text))[: lengths[-1]]
    for count in range(len(words), 1, -1):
        names = alphabet.tokens(" ".join(word[0] for word in words[:count]))
        code = [symbol for name in names if (symbol := alphabet.number(name)) is not None]
        is_guess = len(lengths) == 1 or tuple(code) in game.guesses
        if len(code) == len(names) and len(code) in lengths and is_guess:
            yield alphabet.format(tuple(code)), text[words[count - 1].end() :].lstrip(" \t,;|:")
    for sign in _SIGN.finditer(guess):  # such as `HORSE->BW`
        if sign.start() and own_signs(game).isdisjoint(sign[0]):
            yield text[: sign.start()], text[sign.end() :]


def _without_sign(game: "Game", clue: str) -> list[str]:
    """Return a clue without a sign that separates it; also with it if that may be a mark."""
    sign = None if game.alphabet.names_codes else _SIGN.match(clue)
    if sign is None or sign.end() == len(clue) or _NUMBER_SIGN.match(clue):
        return [clue]
    own = not own_signs(game).isdisjoint(sign[0].strip())
    if not (own or game.one_board.rule.positional):
        return [clue[sign.end() :]]
    is_mark = own and not sign[0].endswith(" ")
    return [clue] if is_mark else [clue, clue[sign.end() :]]


def awaits_answer(game: "Game", clue: str) -> bool:
    """Return whether a clue is the sound of NetHack's instrument, which an answer may follow."""
    is_tune = nethack.PLAYED in game.rule.notation.none_words
    return is_tune and nethack.heard(clue, ("gear", "tumbler")) == nethack.PLAYED


def read_turn(game: "Game", line: Line) -> tuple[Turn, Line]:
    """Return the turn of a line, and the line split as it was read.

    If guess and clue are no turn, text around them is left out, if there is only one way to do so.
    Raises InvalidCodeError, InvalidClueError, and InvalidTurnError for no guess or two readings.
    """
    errors: list[PuzzlehuntError] = []
    readings: dict[Turn, Line] = {}
    for text, title in without(parts_around, line.text, own_signs(game)):
        for other in _splits(game, text, ", ".join(filter(None, [title, line.note]))):
            if errors and game.alphabet.foreign_names(other.guess):
                continue
            try:
                turn = parse_plain_turn(game, other)
            except PuzzlehuntError as error:
                errors.append(error)
                # Signs around the marks of columns, such as =, are marks themselves.
                is_named = game.rule.column_names and game.alphabet.leading_name(line.text)
                if is_named or isinstance(error, AmbiguousClueError):
                    raise
                continue
            if not errors:
                return turn, other
            first, begin = title.split(", ")[-1], tried(game.parse_guess, line.guess)
            if first and (begin or tried(parse_clue, game, first, turn.code) is not None):
                continue  # a guess or a clue is no title
            if other.clue or not game.guesses.listed or meaning.is_listed(game, turn.code):
                readings.setdefault(turn, other)
    best = {turn: other for turn, other in readings.items() if other.clue} or readings
    if len(best) == 1:
        return next(iter(best.items()))
    if best:
        ways = " or ".join(f"{turn.guess} {turn.answer}" for turn in list(best)[:2])
        raise InvalidTurnError(f"{line.text!r} can be read in two ways: {ways}")
    clue_error = next((error for error in errors if isinstance(error, InvalidClueError)), None)
    raise clue_error or errors[0]


def read_answer(game: "Game", line: Line, turn: Turn) -> Turn | None:
    """Return a turn with a line as its clue, None if the line is not such a clue."""
    answers = (
        tried(parse_answer, game, text, turn.code, line.note or turn.note)
        for text, _ in without(parts_around, line.text, own_signs(game))
    )
    answer = next(filter(None, answers), None)
    is_turn = answer and line.guess and line.clue and tried(read_turn, game, line)
    return None if is_turn else answer


def parse_plain_turn(game: "Game", line: Line) -> Turn:
    """Return the turn of a line with nothing before its guess, as `read_turn` does."""
    if not line.guess:
        shown = line.text or line.note
        raise InvalidTurnError(f"{shown!r} has no guess; a turn is written GUESS CLUE")
    guess = parse_typed_guess(game, line.guess, bool(line.clue))
    if line.clue:
        return parse_answer(game, line.clue, guess, line.note)
    return with_text(game, Turn(guess, game.rule.notation.unread_clue(guess), note=line.note))


def parse_typed_guess(game: "Game", text: str, has_clue: bool = False) -> Code:
    """Parse a text that is alone on a line, or before a clue, if it can only be a guess.

    Raises InvalidCodeError, also for foreign characters but those that `format_code` writes, and
    letters before a clue.
    """
    guess = game.parse_guess(text)
    names, meant = dict.fromkeys(game.alphabet.foreign_names(text)), game.format_code(guess)
    # Quotes, arrows and the like are no part of a guess, even where it may be any text.
    if not names or (has_clue and all(map(str.isalpha, names))):
        return guess
    if begins_with_count(game, text):
        raise InvalidCodeError(f"{text} is not a guess; a clue follows its guess: GUESS CLUE")
    problem = f"{text} would be {meant}, without {', '.join(names)}"
    raise InvalidCodeError(f"{problem}; if you played that, write {meant}")


def begins_with_count(game: "Game", text: str) -> bool:
    """Return whether a text begins with a digit that is not a symbol, so it is not a guess."""
    first = text[:1]
    return first.isdecimal() and first not in game.alphabet and text not in game.alphabet


def check_guess(game: "Game", guess: Code, history: History) -> None:
    """Raise IllegalGuessError for a guess that hard mode forbids after a history."""
    for number, turn in enumerate(history.turns if game.hard else (), start=1):
        demand = game.rule.hard_mode_constraint(turn.code, turn.clue)
        if not turn.doubt and not holds(demand, guess):
            problem = f"does not use the clue of row {number} ({format_turn(game, turn)})"
            raise IllegalGuessError(f"{game.format_code(guess)} {problem}; this is hard mode")


def own_signs(game: "Game") -> frozenset[str]:
    """Return every character of the symbols and marks, in lower and in upper case."""
    marks = [mark for mark, _ in game.rule.notation.named_marks()]
    text = "".join([*game.alphabet, *game.alphabet.aliases, *marks])
    return frozenset(text + text.casefold() + text.upper())


def doubted_by_note(game: "Game", turn: Turn) -> Turn:
    """Return a typed turn, which is doubted if its note says so: `# not sure`."""
    is_sure = turn.doubt or meaning.is_unread(game, turn) or not _SAYS_DOUBT.search(turn.note)
    return turn if is_sure else replace(turn, doubt=DEFAULT_DOUBT)


def parse_answer(game: "Game", text: str, guess: Code, note: str) -> Turn:
    """Return the turn of a guess, given the text of its clue, with or without a doubt.

    A note behind the clue may doubt it. Raises InvalidClueError, InvalidTurnError for a bad doubt.
    """
    errors = []
    for part, said in without(notes_behind, text, own_signs(game)):
        try:
            clue, doubt = _clue_and_doubt(game, part, guess)
        except InvalidClueError as error:
            errors.append(error)
            if game.rule.column_names or isinstance(error, AmbiguousClueError):
                raise
            continue
        if not said or _is_note(game, said, guess):
            doubt = doubt or (DEFAULT_DOUBT if _SAYS_DOUBT.search(said) else 0.0)
            kept = ", ".join(filter(None, [said, note]))
            return with_text(game, Turn(guess, clue, doubt, note=kept))
    raise errors[0]


def _is_note(game: "Game", note: str, guess: Code) -> bool:
    """Return whether no word of a text behind a clue may be a mark, a clue or a guess."""
    notation = game.one_board.rule.notation
    signs = "".join(mark for mark, _ in notation.named_marks()).casefold()
    names = [name for _, name in notation.named_marks()]
    names += [*notation.unread_words, *notation.none_words, *_OF_MARKS]
    note = _SAYS_DOUBT.sub(" ", note).strip()
    words = re.findall(r"\w+", note)
    for place, word in enumerate(words):
        marks = sum(character in signs for character in word.casefold())
        is_odd_mark = place == 0 and 2 * marks >= len(word) and not word.istitle()
        if marks == len(word) or is_odd_mark or get_close_matches(word.casefold(), names, 1, 0.75):
            return False
    may_be_guess = words and words[0].isupper() and len(words[0]) in game.one_board.secrets.lengths
    return not (may_be_guess or (note and tried(parse_clue, game, note, guess) is not None))


def _clue_and_doubt(game: "Game", text: str, guess: Code) -> tuple[Clue, float]:
    if (match := _DOUBT_MARK.search(text)) is None:
        return parse_clue(game, text, guess), 0.0
    before = text[: match.start()]
    if match[1]:
        return parse_clue(game, before, guess), parse_doubt(match[1])
    has_own_cell = before.endswith((",", ";", "|")) or "\t" in match[0]
    cells = cells_of(text.rstrip(" \t")) if has_own_cell else text.split()
    before = before.rstrip(" ,;|\t")
    is_list = len(cells) > (1 if has_own_cell else 2) and all(map(_ONE_MARK.fullmatch, cells))
    if is_list and game.boards == 1 and tried(parse_clue, game, text, guess) is not None:
        if len(cells) == len(guess) or "?" in cells[:-1]:
            return parse_clue(game, text, guess), 0.0
        if has_own_cell and tried(parse_clue, game, before, guess) is not None:
            mark = game.rule.notation.unread_mark
            problem = f"is the last ? a mark, {mark}, or a doubt? Write {mark}, or {before} ?"
            raise AmbiguousClueError(f"{text!r}: {problem}")
    return parse_clue(game, before, guess), DEFAULT_DOUBT


def parse_clue(game: "Game", text: str, guess: Hashable) -> Clue:
    """Parse a clue about a guess.

    A clue that only the winning feedback can explain, of which something was read, is the
    winning one. Raises InvalidClueError, and ImpossibleClueError for what cannot happen.
    """
    check_type("text", text, str, "a text")
    guess = game.parse_guess(guess)
    # No secret need be able to cause a false feedback.
    clue = game.rule.parse(text, guess, checked=not game.channel.answers_anew)
    clue = _won_if_alone(game, guess, clue)
    if not game.channel.weighs:
        return clue
    won = game.rule.notation.full_clue(game.rule.winning, guess)
    if game.rule.wins(clue):
        return won
    likelihood, unread = meaning.likelihood(game), game.rule.notation.unread_clue(guess)
    if clue == unread or likelihood.may_be_shown(guess, clue):
        return clue
    shown = likelihood.narrowed(clue)
    if shown is not None and game.rule.may_win(guess, shown):
        return won
    raise ImpossibleClueError(f"{text.strip()!r} cannot happen, given the game's lies and rates")


def _won_if_alone(game: "Game", guess: Code, clue: Clue) -> Clue:
    """Return that a guess won, if its marks are all right and no other secret gets them."""
    rule, may_win = game.rule, len(game.rule.lengths) > 1 and guess in game.secrets
    if not may_win or clue != rule.notation.full_clue(rule.score(guess, guess + guess[:1]), guess):
        return clue
    symbols = {*guess}
    longer = (other for other in game.secrets if other != guess and symbols.issubset(other))
    others = any(rule.score(guess, other) in clue for other in longer)
    return clue if others else rule.notation.full_clue(rule.winning, guess)


def clue_of(game: "Game", guess: Code, answer: Feedback | Clue) -> Clue:
    """Return the clue of an answer to a guess, as `Game.turn` takes it."""
    if isinstance(answer, str):
        return parse_clue(game, answer, guess)
    clue = cast(Clue, answer)
    if game.rule.no_constraint and answer in game.rule.feedbacks:
        clue = game.rule.notation.full_clue(answer, guess)
    elif isinstance(answer, tuple):
        fits_boards = answer and len(answer) % game.boards == 0
        parts = split_code(answer, game.boards) if fits_boards else [()]
        if any(part not in game.one_board.rule.feedbacks for part in parts):
            example = game.score(guess, next(iter(game.secrets)))
            raise InvalidClueError(f"{answer!r:.60} is no feedback here; one is {example!r}")
        clue = game.rule.notation.full_clue(answer, guess)
    check_clue(game, clue, guess)
    may_be = game.channel.weighs or game.rule.may_win(guess, clue)
    if not may_be and game.rule.refusal(guess, clue):
        described = game.rule.notation.describe(clue)
        raise ImpossibleClueError(f"{described} cannot happen with {game.format_code(guess)}")
    return clue


def check_clue(game: "Game", clue: Clue, guess: Code) -> None:
    """Raise InvalidClueError for a clue of another game, which would silently leave nothing."""
    unread = game.rule.notation.unread_clue(guess)
    is_other = type(clue) is not type(unread) or clue.shape != unread.shape
    if is_other and clue != game.rule.notation.full_clue(game.rule.winning, guess):
        raise InvalidClueError(f"{clue!r:.60} is no clue here; game.turn takes text or feedback")


def tried(parse: Callable[..., _Parsed], *texts: object) -> _Parsed | None:
    """Return what a function parses, None if it cannot."""
    try:
        return parse(*texts)
    except PuzzlehuntError:
        return None


def format_turn(game: "Game", turn: Turn) -> str:
    """Return a turn as a line, which `read_turn` parses."""
    return f"{game.format_code(turn.code)} {format_answer(game, turn)}"


def format_row(game: "Game", turn: Turn) -> str:
    """Return a turn with its note as a line, which `read_turn` parses."""
    return f"{format_turn(game, turn)} # {turn.note}" if turn.note else format_turn(game, turn)


def format_item(game: "Game", item: Item) -> str:
    """Return an item as a line, as `blocks.read_item` reads it."""
    return FACT + item.text if isinstance(item, Fact) else format_row(game, item)


def format_answer(game: "Game", turn: Turn) -> str:
    """Return a turn's clue and doubt as the game writes them; `parse_answer` reads them back."""
    doubt = f" {format_doubt(turn.doubt)}" if turn.doubt else ""
    return game.rule.notation.format(turn.clue) + doubt


def with_text(game: "Game", turn: Turn) -> Turn:
    """Return a turn with the texts of its code and its clue."""
    answer = game.rule.notation.format(turn.clue)
    return replace(turn, guess=game.format_code(turn.code), answer=answer)


def describe_answer(game: "Game", turn: Turn) -> str:
    """Return a turn's clue and doubt in words: `1 black, 1 white, 1 red, 2 unread (doubted)`."""
    won_text = "found" if game.boards > 1 else "solved"
    clue = won_text if game.rule.wins(turn.clue) else game.rule.notation.describe(turn.clue)
    return f"{clue} ({describe_doubt(turn.doubt)})" if turn.doubt else clue


def parse_doubt(text: str) -> float:
    """Parse a probability (0 to 1) such as `20%`, `20` or `0.2`. Raises InvalidTurnError."""
    number = text.strip().removesuffix("%")
    try:
        chance = float(number) / (100 if "%" in text or float(number) >= 1 else 1)
    except ValueError:
        chance = -1.0
    if not 0 < chance < 1:
        raise InvalidTurnError(f"{text.strip()}: a doubt is above 0 % and below 100 %, as in ?20%")
    return chance


def describe_doubt(chance: float) -> str:
    """Return a doubt in words: `doubted`, or `doubted, 20 %`."""
    return "doubted" if chance == DEFAULT_DOUBT else f"doubted, {chance * 100:.10g} %"


# Text that people write around rows: marks of order, quotes, notes, words of doubt.

LONGEST_LINE = 300
"""Greatest length of a line (characters) in which other text is removed."""
CLOCK = r"[\[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\b\.?)?[\])]?"
DATE = r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?"

_TIME = re.compile(rf"[\[(]?(?:{DATE}\s+)?{CLOCK}[\s,:\u2013\u2014-]+", re.IGNORECASE)
"""`[14:03] `, `2:03 PM - `, also after a date."""
_ORDER = [
    re.compile(r"(?:[>*•·\u2013\u2014-]+|\|)\s+"),
    re.compile(
        r"(?:(?:row|guess|turn|try|no|nr)\b\.?\s*)?[#(]?\d{1,4}[.):\]]*[\s,;|]+", re.IGNORECASE
    ),
    _TIME,
    re.compile(rf"{_TIME.pattern}\S{{1,40}}\s+", re.IGNORECASE),
    re.compile(r"<[^<>]{1,40}>:?\s*|[^\s:#][^:#]{0,40}:\s*"),
]
"""A bullet, a number, a time, also with a name, and a name with a colon or as chats write it."""
_TITLE = re.compile(r"([^\t,;|]*[^\W\d_][^\t,;|]*)[\t,;|]\s*")
"""A first cell with a letter, such as the name of a puzzle."""
_MOST_TEXTS = 30
"""At most this many texts are made by leaving out parts of a line."""


def without(
    parts: Callable[[str, Set[str]], Iterator[tuple[str, str]]], text: str, own_signs: Set[str]
) -> Iterator[tuple[str, str]]:
    """Yield a text, and what is left of it without one part, two parts and so on.

    Each has what the parts say that were left out, or "". `parts` yields both for a single part.
    """
    said = {text: ""}
    texts = [text]
    for old in texts:
        yield old, said[old]
        if len(texts) < _MOST_TEXTS and len(old) <= LONGEST_LINE:
            for rest, note in chain([(undecorated(old, own_signs), "")], parts(old, own_signs)):
                if rest and rest not in said:
                    said[rest] = ", ".join(filter(None, [note, said[old]]))
                    texts.append(rest)


def parts_around(text: str, own_signs: Set[str]) -> Iterator[tuple[str, str]]:
    """Yield a row without one part around it, and a title so removed: a cell of several words."""
    for part in _ORDER:
        if match := part.match(text):
            yield text[match.end() :], ""
    if (title := _TITLE.match(text)) and len(title[1].split()) > 1:
        yield text[title.end() :], title[1].strip()


_QUOTES = re.compile("[\"`\u201c-\u201e«»]|(?<!\\w)['\u2018\u2019]|['\u2018\u2019](?!\\w)")
_IN_BRACKETS = re.compile(r"^\(([^()]*)\)(\s*\?.*)?$")


def undecorated(text: str, own_signs: Set[str]) -> str:
    """Return a text without quotes and brackets around it; own signs are kept."""
    text = _QUOTES.sub(lambda quote: quote[0] if quote[0] in own_signs else "", text)
    return text if "(" in own_signs else _IN_BRACKETS.sub(r"\1\2", text).strip(" ")


_SAYS_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|m(?:ay|ight)\s+be|thinks?|guess(?:es|ing)?|doubt\w*"
    r"|un(?:sure|certain))\b|(?:\bnot|n['\u2019]?t|%)\s*(?:\w+\s+)?(?:sure|certain)\b"
    r"|\?(?=\W*(?:, |$))",
    re.IGNORECASE,
)
"""What doubts a row in one of its notes: `Bob isn't sure`."""
_OF_MARKS = ("rest", "others", "remaining", "smudged", "smeared", "blurred", "illegible", "unclear")
"""Words about marks, which are no note."""
_BEHIND = [
    re.compile(r"(.*[^\s.])[.!]()"),
    re.compile(r"(.*\S)\s*\(([^()]*)\)\s*[.!]?"),
    re.compile(r"(.*?\S)\s+[-\u2013\u2014]+\s+(.*\w.*)"),
]
"""A clue, and behind it a full stop, text in brackets or text after a dash."""
_MAY_BE_MARKS = {*COLOUR_OF, *UNREAD_SIGNS, *"❌⭕❗❕🔼🔽🔺🔻"}
"""Signs that may be marks and are no decoration."""
_WORD_FIRST = re.compile(r"\s*[^\W\d_]{2,}(?:\W|$)")
"""A cell that begins with a word."""


def notes_behind(text: str, own_signs: Set[str]) -> Iterator[tuple[str, str]]:
    """Yield ways to split a text into a clue and a note behind it, which may be ""."""
    sign = cell_separator(text)
    cells = text.split(sign) if sign else []
    for place, cell in enumerate(cells[1:], start=1):
        if _WORD_FIRST.match(cell):
            yield sign.join(cells[:place]), ", ".join(c.strip(" |") for c in cells[place:] if c)
    for behind in _BEHIND:
        if (match := behind.fullmatch(text)) and own_signs.isdisjoint(
            text[match.end(1) : match.start(2)]
        ):
            yield match[1], match[2].strip()
    signs = {sign for sign in text if unicodedata.category(sign) == "So"}
    yield text.rstrip("".join(signs - _MAY_BE_MARKS - own_signs) + " \ufe0f\u200d"), ""
