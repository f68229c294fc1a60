"""Text that people write around rows: numbers, times, names, arrows, headings."""

import csv
import re
from collections.abc import Container, Iterator

from puzzlehunt.rules.notation.cells import cell_separator

_BULLET = re.compile(r"(?:[>*•·\u2013\u2014-]+|\|)\s+")
"""`> `, `- ` or `* `, and the bar at the left of a table."""
_NUMBER = re.compile(
    r"(?:(?:row|guess|turn|try|no|nr)\b\.?\s*)?[#(]?\d{1,4}[.):\]]*[\s,;|]+", re.IGNORECASE
)
"""`1 `, `#3: `, `Guess 2) `, or a cell of a table."""
_TIME = re.compile(
    r"[\[(]?(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?\s+)?"
    r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\b\.?)?[\])]?[\s,:\u2013\u2014-]+",
    re.IGNORECASE,
)
"""`[14:03] `, `2:03 PM - `, also after a date."""
_NAME = re.compile(r"<[^<>]{1,40}>:?\s*|[^\s:#][^:#]{0,40}:\s*")
"""`NAME: `, or `<NAME> ` as chats write it."""
_BARE_NAME = re.compile(r"\S{1,40}\s+")
"""A name without a colon; it is recognised only after a time."""
_SEPARATOR = re.compile(
    r"\s*(?!(?<!\S)[-\u2013]\d)(?:[-=\u2013\u2014~]*>|[→⇒➜⟶⟹⇨↦▸►▶➔➙➛➝➞➡➤»]\ufe0f?|=+|:|[-\u2013\u2014~])\s*"
)
"""Separators of guess and clue, such as `->`, besides blanks and commas.

A dash directly before a number, as in `-1b`, is the sign of that number.
"""

_CELL_SIGN = re.compile(r"[\t|;,]")

_LONGEST_LINE = 300
"""Greatest length of a line (characters) in which other text is removed."""
_MOST_PARTS = 4
"""At most this many prefixes of a row are removed: number, time, name, number again."""


def bare_texts(text: str) -> list[str]:
    """Return a line, and the line without a bullet, number, time or name at its beginning."""
    texts = {text: False}  # whether a time was removed just before
    if len(text) > _LONGEST_LINE:
        return [text]
    newest = texts
    for _ in range(_MOST_PARTS):
        newest = {
            rest: is_time
            for text, after_time in newest.items()
            for rest, is_time in _without_part(text, after_time)
            if rest not in texts
        }
        texts |= newest
    return list(texts)


def _without_part(text: str, after_time: bool) -> Iterator[tuple[str, bool]]:
    """Yield a text without each part that it may begin with, and whether that part is a time."""
    for part in (_BULLET, _NUMBER, _TIME, _NAME, *([_BARE_NAME] if after_time else [])):
        match = part.match(text)
        if match and match.end() < len(text):
            yield text[match.end() :], part is _TIME


def split_at_signs(text: str, own_signs: Container[str] = "") -> Iterator[tuple[str, str]]:
    """Yield the texts before and after each sign that may separate guess and clue.

    Signs that the game itself uses count only between spaces.
    """
    for match in _SEPARATOR.finditer(text[:_LONGEST_LINE]):
        guess, clue, sign = text[: match.start()], text[match.end() :], match[0].strip()
        is_own = any(character in own_signs for character in sign)
        is_apart = not is_own or re.fullmatch(r" +\S+ +", match[0])
        if guess and clue and is_apart and not _CELL_SIGN.search(guess):
            yield guess, clue


def without_first_sign(text: str) -> str:
    """Return a text without a sign such as `->` at its beginning."""
    match = _SEPARATOR.match(text)
    return text[match.end() :] if match else text


# Quotes, emphasis and brackets around words.

_QUOTED_CELLS = re.compile(r'"\s*([\t,;])|([\t,;])\s*"')
"""Matches where a line has quoted cells."""
_PAIRS = {
    '"': re.compile(r'"([^"]+)"'),
    "`": re.compile(r"(?P<ticks>`+)([^`]+)(?P=ticks)"),
    "'": re.compile(r"(?<!\w)'([^']+)'(?!\w)"),
    "\u201c": re.compile("[\u201c\u201e]([^\u201c-\u201e]+)[\u201c\u201d]"),
    "\u2018": re.compile("(?<!\\w)[\u2018\u201a]([^\u2018-\u201a]+)[\u2018\u2019](?!\\w)"),
    "«": re.compile("«([^«»]+)»"),
    "*": re.compile(r"(?P<stars>\*{1,3})([\w.?](?:[^*,;|\t]*[\w.?])?)(?P=stars)"),
}
"""Quotes and emphasis, by the sign that begins them; the last group is the text between."""
_EDITED = re.compile(
    r"\s*(?:\((?:this message was )?edited\)|<this message was edited>)(?=\s*\??$)", re.IGNORECASE
)
_BRACKETED = re.compile(r"^[(\[{]([^\s()\[\]{}]+)[)\]}](?=[\s:,;|]|$)")
"""A word in brackets at the beginning of a line."""
_UNDERLINED = re.compile(r"^(_{1,3})([^\W_]+)\1(?=[\s:,;|])")
"""A guess between underscores at the beginning of a line; in the clue, underscores are marks."""
_STOP_AFTER_GUESS = re.compile(r"^([^\s.,;|:]{2,})\.(?=\s)")
_IN_BRACKETS = re.compile(r"^\(([^()]*)\)(\s*\?.*)?$")
_CLUE_IN_BRACKETS = re.compile(r"^([^\s()]+)\(([^()]*)\)(?=\s|\?|$)")
_DOUBT = (
    r"(?:maybe|perhaps|probably|possibly|i think|i guess|doubtful"
    r"|(?:not|un)\s?-?(?:so |too |quite |really )?(?:sure|certain))\s*[.!?]*"
)
_DOUBT_WORDS = re.compile(
    rf"(?<=\S)(?:[\s,;]+{_DOUBT}|[\s,;]*\((?:{_DOUBT}|\?)\)[.!?]*)\s*$", re.IGNORECASE
)
"""Words at the end of a clue that doubt it."""
_END_OF_SENTENCE = re.compile(r"(?<=[^\s.])[.!](?=(?: \?)?$)")
_MOST_LAYERS = 6
"""At most this many layers around a word are removed; `**"HORSE"**` has two or more."""


def undecorated(text: str, own_signs: Container[str]) -> str:
    """Return a line without quotes, emphasis and brackets around words, and without `(edited)`.

    The game's own signs are kept. Quoted cells of a table are separated by tabs instead.
    """
    for _ in range(_MOST_LAYERS):
        old = text
        text = _without_pairs(_cells_unquoted(_EDITED.sub("", text), own_signs), own_signs)
        text = _STOP_AFTER_GUESS.sub(r"\1", text)
        if "_" not in own_signs:
            text = _UNDERLINED.sub(r"\2", text)
        if "(" not in own_signs:
            text = _IN_BRACKETS.sub(r"\1\2", text).strip(" ")
            text = _BRACKETED.sub(r"\1", text)
            text = _CLUE_IN_BRACKETS.sub(r"\1 \2", text)
        if text == old:
            break
    return text


def undecorated_clues(text: str, own_signs: Container[str]) -> Iterator[str]:
    """Yield a clue with more and more decoration removed; a final doubt in words becomes ` ?`."""
    for _ in range(_MOST_LAYERS):
        old = text
        text = _DOUBT_WORDS.sub(" ?", _EDITED.sub("", text))
        if text == old:
            text = _without_pairs(text, own_signs)
        if text == old and "(" not in own_signs:
            text = _IN_BRACKETS.sub(r"\1 \2", text).strip(" ")
        if text == old and "." not in own_signs:
            text = _END_OF_SENTENCE.sub("", text)
        if text == old:
            return
        yield text


def _without_pairs(text: str, own_signs: Container[str]) -> str:
    for sign, pair in _PAIRS.items():
        if sign not in own_signs and sign in text.replace("\u201e", "\u201c"):
            text = pair.sub(lambda match: match[match.re.groups], text)
    return text


def _cells_unquoted(text: str, own_signs: Container[str]) -> str:
    quoted = None if '"' in own_signs else _QUOTED_CELLS.search(text)
    if quoted is None or text.startswith('""'):
        return text
    sign = quoted[1] or quoted[2]
    (cells,) = csv.reader([text], delimiter=sign, skipinitialspace=True)
    return "\t".join(cells)


_WORD_FIRST = re.compile(r"\s*[^\W\d_]{2,}(?:\W|$)")
"""A cell that begins with a word."""


def split_at_notes(text: str) -> tuple[str, list[str]]:
    """Split a table's line into the text up to its clue, and a list of cells that are notes.

    The last cells are notes if the first of them begins with a word. Commas separate cells only if
    the first cell is one word. If there are no notes, return the whole line and an empty list.
    """
    sign = cell_separator(text)
    cells = text.split(sign) if sign else [text]
    if sign == "," and len(cells[0].split()) > 1:
        return text, []
    for place, cell in enumerate(cells):
        if place > 1 and _WORD_FIRST.match(cell):
            notes = [cell.strip(" |") for cell in cells[place:]]
            if any(re.fullmatch(_DOUBT, note, re.IGNORECASE) for note in notes):
                break
            return sign.join(cells[:place]), [note for note in notes if note]
    return text, []


# Headings.

_FENCE = re.compile(r"(?:`{3,}|~{3,})\w*")
"""A line that begins or ends a block of text as chats and Markdown write it."""
_HEADINGS = re.compile(
    r"#|answers?|blacks?|bulls?|clues?|codes?|colou?rs?|comments?|cows?|date|feedback|gears?|green"
    r"|gr[ae]y|guess(?:es)?|hits|marks?|misses|name|no|notes?|nr|number|pegs|player|red|remarks?"
    r"|reply|response|results?|rows?|solved|team|time|tumblers?|turns?|try|whites?|who|words?|yellow"
)
"""What may be above a column."""
_LONGEST_HEADING = 12
"""A line of column headings has at most this many words."""
_TIME_AT_END = re.compile(
    r"(?:.*(?:[-\u2013\u2014•|,]|\s{2,}|\b(?:today|yesterday|at)\b"
    r"|\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?)\s*)?"
    r"[\[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\b\.?)?[\])]?:?",
    re.IGNORECASE,
)
"""A line with the time of a message, such as `NAME - Today at 14:03`."""
_RULED = re.compile(r"[\s|+:=─━-]{3,}")
"""A line drawn of signs, as below the head of a table."""


def is_heading(line: str) -> bool:
    """Return whether a line is a heading of a table or a message, or a horizontal rule."""
    text = line.strip()
    if not text or len(text) > _LONGEST_LINE:
        return False
    words = [word for word in re.split(r"[\s,;|:.()/]+", text.casefold()) if word]
    names = [word for word in words if not word.isdecimal()]
    numbers = [word for word in words if word.isdecimal()]
    is_numbered = numbers == [str(number) for number in range(1, len(numbers) + 1)]
    is_head = bool(names) and is_numbered and all(map(_HEADINGS.fullmatch, names))
    return bool(
        (is_head and len(words) <= _LONGEST_HEADING)
        or _FENCE.fullmatch(text)
        or _TIME_AT_END.fullmatch(text)
        or _RULED.fullmatch(text)
    )
