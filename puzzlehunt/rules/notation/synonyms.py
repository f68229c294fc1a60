"""What words and signs mean in a typed line, in any game, and a line in plain letters and signs."""

import re
from collections.abc import Iterable

from puzzlehunt.codes.alphabet import SIGNS, one_spelling

# Signs.

_SHAPES = ("circle", "square", "heart")
COLOUR_OF = {sign: colour for colour, signs in SIGNS.items() for sign in signs}
"""The colour of each sign that stands for a mark."""
UNREAD_SIGNS = "❓❔"
"""Signs of an unread mark among such signs."""

_CODES = {"question": "❓", "heart": "❤", "arrow_up": "⬆", "arrow_down": "⬇"}
"""Signs by the names that chats have for them, but for those of a colour."""
_CODE = re.compile(r":([a-z][a-z_]*):")
_SIZE = re.compile(r"(?:^|_)(?:large|medium|small)(?=_)")
_BRACKETED_CELLS = re.compile(r"\[[^\[\]]\](?:\s*\[[^\[\]]\])+")
"""Two or more cells with one mark each: `[G][Y][ ]`."""


def plain(text: str) -> str:
    """Return a typed text in plain letters and signs; other text stays as it is.

    Full-width characters become those of ASCII, blanks of any width spaces, `:red_circle:` the
    sign, keycaps digits, and cells in brackets, `[G][Y][ ]`, their marks, `GY.`.
    """
    if not text.isascii():
        text = one_spelling(text).translate(_NARROW)
    if ":" in text:
        text = _CODE.sub(_sign, text)
    if "][" in text.replace(" ", ""):
        text = _BRACKETED_CELLS.sub(
            lambda cells: "".join(re.findall(r"\[(.)\]", cells[0])).replace(" ", "."), text
        )
    return text


_BLANKS = (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
_JOINED = "\ufe0e\ufe0f\u200b\u200d\u20e3"
"""They choose how the sign before them is drawn, or join it to the next."""
_NARROW: dict[int, int | str] = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_NARROW |= dict.fromkeys(_BLANKS, " ") | dict.fromkeys(map(ord, _JOINED), "")


def _sign(code: re.Match[str]) -> str:
    """Return the sign that a short code names, or the text of the code."""
    colour, _, shape = _SIZE.sub("", code[1]).strip("_").rpartition("_")
    if colour in SIGNS and shape in _SHAPES:
        return SIGNS[colour][_SHAPES.index(shape)]
    return _CODES.get(code[1], code[0])


# Words; a blank stands for any blanks, and no letter is before or after them.

_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
)  # fmt: skip
_VALUES = {"a": 1, "an": 1, "no": 0} | {word: value for value, word in enumerate(_NUMBERS)}
NUMBER = rf"\d{{1,4}}|(?:an?|no|{'|'.join(reversed(_NUMBERS))})(?![^\W\d_])"
"""Regular expression of a number; compile it with `re.IGNORECASE`."""

_NOUN = (
    "(?:pegs?|pins?|marks?|letters?|colou?rs?|digits?|notes?|symbols?|tiles?|numbers?|match(?:es)?)"
)
"""What a mark is about, in any game: `2 black pegs`."""
_PLACE = r"(?:place|position|spot|slot|location)s?"
CORRECT = "right|correct"
OF_CORRECT = ("black", "white", "match", "common")
"""The kinds of marks that say that a symbol is in the secret, by the rules' own names."""
_IN_THE = r"(?:(?:in|at|on) )?(?:(?:the|its|their|an?) )?"
_LEAD = (
    rf"(?:(?:{CORRECT})(?: {_NOUN})?,? (?:(?:and|but) )?"
    r"(?:(?:(?:it|they|both|all) )?(?:is|are) )?(?:(?:both|all) )?)?"
)
"""What sentences say before the place: `correct, but both are`."""
_IN_PLACE = (
    rf"{_LEAD}(?:{_IN_THE}(?:{CORRECT}) {_PLACE}|(?:in|at|on) (?:(?:its|their) )?"
    r"(?:place|position)s?|(?:well|correctly|rightly)[ -]placed)"
    r"|exact|strikes?|bulls?|fermi|hits?(?=.*blow)"
)
_ELSEWHERE = (
    rf"{_LEAD}(?:{_IN_THE}(?:wrong|other|another|different|incorrect) {_PLACE}|misplaced"
    rf"|not {_IN_THE}(?:{CORRECT}) {_PLACE}|elsewhere|out of (?:place|position)"
    r"|(?:wrong(?:ly)?|badly|incorrectly|not (?:well|correctly))[ -]placed)"
    rf"|{_NOUN} only|partial|balls?|cows?|blows?|pico"
)
OF_KINDS = {
    "black": _IN_PLACE, "match": _IN_PLACE, "white": _ELSEWHERE, "common": "in common",
    "miss": rf"absent|(?:is|are) (?:wrong|incorrect)(?! {_PLACE}|[ -]placed)"
    "|not in (?:the )?(?:code|word|secret|it)",
}  # fmt: skip
"""Words for kinds of marks, by the rules' own names of kinds."""

_CANNOT = r"(?:(?:can|could|do|did)(?: ?not|n['\u2019]?t)|can['\u2019]?t)"
_UNREAD = (
    rf"(?:i )?(?:{_CANNOT} (?:remember|know|recall|count|note|tell|hear|see|read|make out)"
    r"(?: (?:it|that|this|them|any))?|(?:not |un)(?:read|sure|clear|known)(?: (?:of|about))?"
    "|unreadable|illegible|dunno|no idea|forg[eo]t|forgotten|open)"
)
MEANINGS = (
    ("u", rf"(?:{_UNREAD})(?: (?:how many|the number of|the|of|about|any))*", ""),
    ("G", "at least|or more|min(?:imum)?(?: of)?|(?:no|not) (?:less|fewer) than", r">=|≥|\+"),
    ("L", "at most|up to|or (?:less|fewer)|max(?:imum)?(?: of)?|(?:no|not) more than", "<=|≤"),
    ("A", "more than|over", ">"),
    ("B", "less than|fewer than|under", "<"),
    ("E", "exactly|precisely|only|just", "="),
    ("b", "between", ""),
    ("t", "to", r"-|\u2013|\.\."),
    ("o", "or", ""),
    ("a", "and", ""),
    ("g", "plus", "[,;&/]"),
    ("", "is|are|were|was|of|from|more|the", ":"),
    ("z", "no|none|nothing", ""),
    ("p", _NOUN, ""),
    ("n", rf"all|everything|an?(?= [^\W\d_]{{2}})|{'|'.join(_NUMBERS)}", r"\d{1,4}"),
)
"""The words and signs of clues about counts, with a code for each meaning; the first that fits.

`u` unread; of numbers: `G` at least, `L` at most, `A` above, `B` below, `E` exactly, `b` between,
`t` to; `o` or, `a` and, `g` a gap, `z` none, `n` a number, `p` a peg; without code, left out.
"""
SAYS_ALL = re.compile(
    rf"\b(?:(?:is|are)\s+(?:{CORRECT})\b|(?:{CORRECT}),?\s+(?:and|but)\b)", re.IGNORECASE
)
"""How many are correct, in place or elsewhere: `one is correct but wrongly placed`."""
_OF_NUMBERS = " ".join(words for code, words, _ in MEANINGS if code not in ("u", "p"))
RESERVED = frozenset(re.findall("[a-z]{2,}", _OF_NUMBERS))
"""Words that no kind of marks can be called."""
REST = re.compile(
    r"(?P<before>.+?)[\s,;]+(?:and\s+)?(?:the\s+)?(?:rest|others|remaining|remainder)\s+"
    r"(?:(?:is|are|were|was|all)\s+)?(?P<rest>.+)",
    re.IGNORECASE,
)
"""Counts or marks, and behind them what the rest is."""
_NOTHING_READ = re.compile(_UNREAD.replace(" ", r"\s+"), re.IGNORECASE)


def says_unread(text: str) -> bool:
    """Return whether a text says in words that nothing was read: `don't remember`."""
    return _NOTHING_READ.fullmatch(text.strip(" .!")) is not None


def value_of(number: str) -> int:
    """Return the value of a text that `NUMBER` matches."""
    return int(number) if number.isdigit() else _VALUES[number.casefold()]


def any_of(groups: Iterable[tuple[str, str]]) -> re.Pattern[str]:
    """Return a pattern with a group for each pair of words and signs; letters end words."""
    parts = []
    for words, signs in groups:
        whole = rf"(?<![^\W\d_])(?:{words})(?![^\W\d_])".replace(" ", r"\s+") if words else ""
        parts.append(f"({'|'.join(filter(None, (whole, signs))) or '(?!)'})")
    return re.compile("|".join(parts), re.IGNORECASE)
