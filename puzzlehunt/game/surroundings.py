"""What people write before, between and around rows: numbers, times, names, arrows, headings."""

import re
from collections.abc import Iterator

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
"""A name that only a time before it shows to be one."""
_SEPARATOR = re.compile(r"\s*(?:[-=\u2013\u2014~]*>|[→⇒➜]|=+|:|[-\u2013\u2014~])\s*")
"""What may stand between a guess and its clue, such as `->`, beside blanks and commas."""

_LONGEST_LINE = 300
"""Cap on the length of a line whose surroundings are looked for (characters)."""
_MOST_PARTS = 4
"""Cap on what may stand before a row: number, time, name, number again."""


def bare_texts(text: str) -> list[str]:
    """Return a line, and what is left of it without one or more parts that stand before the row.

    These are a bullet, a number, a time, a name before a colon, and a name after a time.
    """
    texts = {text: False}  # whether a time stood just before
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


def split_at_signs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the texts before and after each sign that may stand between a guess and its clue."""
    for match in _SEPARATOR.finditer(text[:_LONGEST_LINE]):
        guess, clue = text[: match.start()], text[match.end() :]
        if guess and clue:
            yield guess, clue


def without_first_sign(text: str) -> str:
    """Return a text without a sign such as `->` at its beginning."""
    match = _SEPARATOR.match(text)
    return text[match.end() :] if match else text


_HEADINGS = re.compile(
    r"#|answers?|blacks?|bulls?|clues?|codes?|colou?rs?|comments?|cows?|date|feedback|gears?|green"
    r"|gr[ae]y|guess(?:es)?|hits|marks?|misses|name|no|notes?|nr|number|pegs|player|red|remarks?"
    r"|reply|response|results?|rows?|solved|team|time|tumblers?|turns?|try|whites?|who|words?|yellow"
)
"""What may stand above a column."""
_LONGEST_HEADING = 12
"""Most words of a line with the heads of columns."""
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
    """Return whether a line that is no row heads a table or a message, or rules a line.

    Such are the heads of columns, a name with the time of its message, and `|---|---|`.
    """
    text = line.strip()
    if not text or len(text) > _LONGEST_LINE:
        return False
    words = [word for word in re.split(r"[\s,;|:.()/]+", text.casefold()) if word]
    names = [word for word in words if not word.isdecimal()]
    is_head = bool(names) and all(map(_HEADINGS.fullmatch, names))
    return bool(
        (is_head and len(words) <= _LONGEST_HEADING)
        or _TIME_AT_END.fullmatch(text)
        or _RULED.fullmatch(text)
    )
