"""What words and signs mean in a typed line, in any game, and a line in plain letters and signs."""

import re

from puzzlehunt.codes.graphemes import one_spelling

# Signs.

_SHAPES = {
    "black": {"circle": "⚫", "square": "⬛", "heart": "🖤"},
    "white": {"circle": "⚪", "square": "⬜", "heart": "🤍"},
    "red": {"circle": "🔴", "square": "🟥", "heart": "❤"},
    "green": {"circle": "🟢", "square": "🟩", "heart": "💚"},
    "blue": {"circle": "🔵", "square": "🟦", "heart": "💙"},
    "yellow": {"circle": "🟡", "square": "🟨", "heart": "💛"},
    "orange": {"circle": "🟠", "square": "🟧", "heart": "🧡"},
    "purple": {"circle": "🟣", "square": "🟪", "heart": "💜"},
    "brown": {"circle": "🟤", "square": "🟫", "heart": "🤎"},
}
COLOUR_OF = {
    sign: colour
    for colour, signs in _SHAPES.items()
    for sign in signs.values()
} | dict.fromkeys("●⬤■◼◾▪", "black") | dict.fromkeys("○◯□◻◽▫", "white")  # fmt: skip
"""The colour of each circle, square and heart that stands for a mark."""
UNREAD_SIGNS = "❓❔"
"""Signs of an unread mark among such signs."""

_CODES = {
    "question": "❓", "grey_question": "❓", "white_check_mark": "✅", "x": "❌", "o": "⭕",
    "arrow_up": "⬆", "arrow_upper_right": "↗", "arrow_right": "➡", "arrow_lower_right": "↘",
    "arrow_down": "⬇", "arrow_lower_left": "↙", "arrow_left": "⬅", "arrow_upper_left": "↖",
    "arrow_up_small": "🔼", "arrow_down_small": "🔽", "heart": "❤", "zero": "0", "one": "1",
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9",
}  # fmt: skip
"""Signs by the names that chats have for them."""
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
        text = one_spelling(text).replace("\u20e3", "").translate(_NARROW)
    if ":" in text:
        text = _CODE.sub(_sign, text)
    if "][" in text.replace(" ", ""):
        text = _BRACKETED_CELLS.sub(_in_cells, text)
    return text


_WIDE = range(0xFF01, 0xFF5F)
_BLANKS = (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
_NARROW = {code: code - 0xFEE0 for code in _WIDE} | dict.fromkeys(_BLANKS, " ")


def _sign(code: re.Match[str]) -> str:
    """Return the sign that a short code names, or the text of the code."""
    name = code[1]
    colour, _, shape = _SIZE.sub("", name).strip("_").rpartition("_")
    return _CODES.get(name) or _SHAPES.get(colour, {}).get(shape, code[0])


def _in_cells(cells: re.Match[str]) -> str:
    return "".join(sign.replace(" ", ".") for sign in re.findall(r"\[(.)\]", cells[0]))
