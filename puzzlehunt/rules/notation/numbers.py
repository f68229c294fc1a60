"""Numbers as people write them, in digits or words (up to twenty), and counts: `2-3 gears`."""

import re
from collections.abc import Callable

from puzzlehunt.errors import AmbiguousClueError
from puzzlehunt.rules.notation.count_clue import Range

_WORDS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
]  # fmt: skip
_VALUES = {"a": 1, "an": 1, "no": 0} | {word: value for value, word in enumerate(_WORDS)}
_WORD = "|".join(reversed(_WORDS))

NUMBER = rf"\d{{1,4}}|(?:an?|no|{_WORD})(?![^\W\d_])"
"""Regular expression of a number; compile it with `re.IGNORECASE`."""
_WORDS_ALONE = re.compile(rf"(?:{_WORD})(?:[\s,;]+(?:and\s+)?(?:{_WORD}))*", re.IGNORECASE)


def number_words(text: str) -> str:
    """Convert a text of number words to digits, `two one` to `2 1`; return others unchanged."""
    if _WORDS_ALONE.fullmatch(text) is None:
        return text
    return " ".join(
        str(_VALUES[word]) for word in re.findall(r"\w+", text.casefold()) if word != "and"
    )


def is_number_word(text: str) -> bool:
    """Return whether a text is a single number word, such as `three`."""
    return text.casefold() in _WORDS


def value_of(number: str) -> int:
    """Return the value of a text that `NUMBER` matches."""
    return int(number) if number.isdigit() else _VALUES[number.casefold()]


_GAP = r"(?:[\s,;&/+]|\band\b)*"
"""Regular expression of the text that may be between two counts."""
# A count with its kind: `2 black`, `2-3 gears`, `>=1b`, `3+ white`, `at least one bull`,
# `up to 3 more unread`, and the gap after it.
ITEM = re.compile(
    rf"(?P<relation>>=|<=|≥|≤|>|<|=|at least|at most|up to|exactly)?\s*"
    rf"(?P<low>{NUMBER})(?:\s*(?:-|\u2013|to|\.\.)\s*(?P<high>{NUMBER}))?(?P<more>\+)?"
    rf"(?:\s*more\b)?\s*(?P<kind>[^\W\d_]+){_GAP}",
    re.IGNORECASE,
)
# A count or range without its kind, for rules that count one kind: `2`, `2-3`, `at least 1`.
BARE_RANGE = re.compile(
    r"(?:>=|<=|≥|≤|>|<|=|[a-z ])*\d[\d\s+.\u2013-]*(?:to\s*\d+)?", re.IGNORECASE
)
# A count behind its kind, and the gap behind it: `B1`, `black: 2-3`, `whites >= 1`.
_KIND_FIRST = re.compile(
    r"(?P<kind>[^\W\d_]+)\s*(?P<sign>[:=]?)\s*"
    r"(?P<number>(?:>=|<=|≥|≤|>|<)?\s*\d{1,4}(?:\s*(?:-|\u2013|to|\.\.)\s*\d{1,4})?\+?)"
    rf"(?i:{_GAP})"
)


def range_of(item: re.Match[str], marks: int) -> Range:
    """Return the range that a match of `ITEM` states; `marks` is its end if it states none."""
    low = value_of(item["low"])
    high = value_of(item["high"]) if item["high"] else low
    match (item["relation"] or "").casefold():
        case ">=" | "≥" | "at least":
            return (low, max(low, marks))
        case "<=" | "≤" | "at most":
            return (0, high)
        case ">":
            return (low + 1, max(low + 1, marks))
        case "<":
            return (0, low - 1)
    return (low, max(low, marks)) if item["more"] else (low, high)


def is_plain(item: re.Match[str]) -> bool:
    """Return whether a match of `ITEM` has one number: no relation, no range, and not `no`."""
    return not (item["relation"] or item["high"] or item["more"] or item["low"].lower() == "no")


def numbers_first(text: str, kind: Callable[[str], int | None], is_partial: bool) -> str:
    """Convert counts written `B:1, W:2` to `1 B, 2 W`; return any other text unchanged.

    `kind` returns the number of the kind that a word names, None if it names none. If `is_partial`
    is True, `1 B` is the number of B read so far, and `=1 B` the number of all B. The text `B=1`
    could mean either, so it raises AmbiguousClueError.
    """
    counts, position = [], 0
    while position < len(text):
        count = _KIND_FIRST.match(text, position)
        if count is None or kind(count["kind"].casefold()) is None:
            return text
        number, word = count["number"], count["kind"]
        if count["sign"] == "=" and is_partial and number.isdecimal():
            raise AmbiguousClueError(
                f"{text!r} can be read in two ways: write {number}{word} for those read so far, "
                f"or ={number}{word} for all there are"
            )
        counts.append(f"{number} {word}")
        position = count.end()
    return ", ".join(counts)
