"""Text that people write around rows: marks of order, quotes, notes, words of doubt, headings."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Set
from itertools import chain
from typing import TypeAlias

from puzzlehunt.rules.notation.cells import cell_separator
from puzzlehunt.rules.notation.synonyms import COLOUR_OF, UNREAD_SIGNS

_LONGEST_LINE = 300
"""Greatest length of a line (characters) in which other text is removed."""
_CLOCK = r"[\[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\b\.?)?[\])]?"
_DATE = r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?"

_TIME = re.compile(rf"[\[(]?(?:{_DATE}\s+)?{_CLOCK}[\s,:\u2013\u2014-]+", re.IGNORECASE)
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


Parts: TypeAlias = Callable[[str, Set[str]], Iterator[tuple[str, str]]]
"""Yields what is left of a text without one part, and what that part says; own signs are kept."""


def without(parts: Parts, text: str, own_signs: Set[str]) -> Iterator[tuple[str, str]]:
    """Yield a text, and what is left of it without one part, two parts and so on.

    Each has what the parts say that were left out, or "".
    """
    said = {text: ""}
    texts = [text]
    for old in texts:
        yield old, said[old]
        if len(texts) < _MOST_TEXTS and len(old) <= _LONGEST_LINE:
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
_IN_STARS = re.compile(r"^(\*{1,3})([^*]+)\1(?=[\s:,;|]|$)")
"""A line, or its guess, between stars."""


def undecorated(text: str, own_signs: Set[str]) -> str:
    """Return a text without quotes, brackets and stars around it; own signs are kept."""
    if text.startswith('""'):  # the empty guess
        return text
    text = _QUOTES.sub(lambda quote: quote[0] if quote[0] in own_signs else "", text)
    text = text if "(" in own_signs else _IN_BRACKETS.sub(r"\1\2", text).strip(" ")
    return text if "*" in own_signs else _IN_STARS.sub(r"\2", text)


_UNSURE = (
    r"maybe|perhaps|probably|possibly|m(?:ay|ight)\s+be\s+wrong|i\s+think|i\s+guess|doubtful"
    r"|\d{1,3}\s*%\s*(?:sure|certain)"
    r"|(?:not|un)[\s-]?(?:so\s|too\s|quite\s|really\s|very\s)?(?:sure|certain)"
)
_DOUBT = re.compile(rf"(?:{_UNSURE})[\s.!?]*|\?", re.IGNORECASE)
_SAYS_DOUBT = re.compile(
    rf"\b(?:{_UNSURE}|thinks?|doubt(?:s|ed)?|guess(?:es|ing)?)\b|n['\u2019]?t\s+(?:\w+\s+)?(?:sure|certain)"
    r"|\?\W*$",
    re.IGNORECASE,
)
UNREAD_WORDS = ("smudged", "smeared", "blurred", "illegible", "unreadable", "unclear", "faded")
"""What is said of a mark that could not be read."""
_BEHIND = [
    re.compile(r"(.*[^\s.])[.!]()"),
    re.compile(r"(.*\S)\s*\(([^()]*)\)\s*[.!]?"),
    re.compile(r"(.*?\S)\s+[-\u2013\u2014]+\s+(.*\w.*)"),
    re.compile(rf"(.*\S)[,;]?\s+({_DOUBT.pattern})", re.IGNORECASE),
    re.compile(r"(.*\S)\s+([^\W\d_a-z][^\W\dA-Z_]+)"),
]
"""A clue, and behind it a full stop, text in brackets or after a dash, words of doubt, a name."""
_MAY_BE_MARKS = {*COLOUR_OF, *UNREAD_SIGNS, *"❌⭕❗❕🔼🔽🔺🔻"}
"""Signs that may be marks and are no decoration."""
_WORD_FIRST = re.compile(r"\s*[^\W\d_]{2,}(?:\W|$)")
"""A cell that begins with a word."""


def says_doubt(note: str) -> bool:
    """Return whether a note doubts its row: `Bob isn't sure`."""
    return any(map(_SAYS_DOUBT.search, note.split(", ")))


def is_only_doubt(note: str) -> bool:
    """Return whether a note says nothing but that its row is doubted, or that it was edited."""
    return _DOUBT.fullmatch(note) is not None or note.endswith("edited")


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
    clue = text.rstrip("".join(signs - _MAY_BE_MARKS - own_signs) + " \ufe0f\u200d")
    yield clue, text[len(clue) :].strip()


_HEADINGS = [
    re.compile(r"(?:`{3,}|~{3,})\w*"),
    re.compile(r"[\s|+:=─━-]{3,}"),
    re.compile(
        r"(?!(?:.*?[,;|\t]){3})(?:.*(?:[-\u2013\u2014•|,]|\s{2,}|\b(?:today|yesterday|at)\b"
        rf"|{_DATE})\s*)?{_CLOCK}:?",
        re.IGNORECASE,
    ),
]
"""A fence, a line drawn of signs, and one with the time of a message: `NAME - Today at 14:03`."""


def is_heading(line: str) -> bool:
    """Return whether a line is the heading of a message, a horizontal rule or a fence."""
    text = line.strip()
    return len(text) <= _LONGEST_LINE and any(form.fullmatch(text) for form in _HEADINGS)
