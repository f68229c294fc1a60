"""Escapes that make untrusted text harmless in terminals, JSON, Markdown and CSV.

Titles, notes, symbols, words and file names may contain control characters, markup or formulas,
which terminals, browsers and spreadsheets carry out.
"""

import re

_OBEYED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\ud800-\udfff]"
)
"""Pattern of characters that are escaped: control characters, marks of writing direction,
characters without width, and lone surrogates; not tabs, line feeds and the joiners of emoji."""
_LONGEST_MESSAGE = 1_000
"""Longest message that is shown without a cut (characters)."""
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""Characters that begin a formula in a spreadsheet."""


def printable(text: str) -> str:
    """Return a text with its control characters replaced by visible, harmless escapes."""
    return _OBEYED.sub(lambda match: ascii(match[0])[1:-1], text)


def one_line(text: str) -> str:
    """Return a text on one line, with control characters escaped."""
    return printable(" ".join(text.split()))


def shortened(text: str) -> str:
    """Return a message with control characters escaped; a long one has `...` in its middle."""
    if len(text) > _LONGEST_MESSAGE:
        text = f"{text[: _LONGEST_MESSAGE // 2]} ... {text[-_LONGEST_MESSAGE // 2 :]}"
    return printable(text)


def in_json(text: str) -> str:
    """Return a JSON text with its control characters as JSON escapes; its value is the same."""
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def csv_cell(text: str) -> str:
    """Return a text for a cell of CSV; `'` is put before it if it looks like a formula."""
    shown = printable(text)
    return f"'{shown}" if text.startswith(_FORMULAS) else shown
