"""Untrusted text, made harmless for terminals, JSON, HTML, Markdown and CSV.

Titles, notes, symbols, words and names of files may hold control characters, markup or formulas
that a terminal, a browser or a spreadsheet would obey.
"""

import re

_OBEYED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\ud800-\udfff]"
)
"""Characters that are obeyed and not shown: controls, marks of writing direction, those without
width, and lone surrogates; but not tabs, line breaks and the joiners of emoji."""
_LONGEST_MESSAGE = 1_000
"""Longest message that is shown whole (characters)."""
_MARKDOWN = re.compile(r"[\\|`\[\]]|<(?=[A-Za-z/!?])|&(?=#?\w+;)")
"""What Markdown would not show as it is, in the middle of a line."""
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What begins a formula in a spreadsheet."""


def printable(text: str) -> str:
    """Return a text with control characters as escapes: visible and harmless."""
    return _OBEYED.sub(lambda match: ascii(match[0])[1:-1], text)


def one_line(text: str) -> str:
    """Return a text on one line, printable."""
    return printable(" ".join(text.split()))


def shortened(text: str) -> str:
    """Return a message, printable, and without its middle where it is long."""
    if len(text) > _LONGEST_MESSAGE:
        text = f"{text[: _LONGEST_MESSAGE // 2]} ... {text[-_LONGEST_MESSAGE // 2 :]}"
    return printable(text)


def in_json(text: str) -> str:
    """Return equivalent JSON without raw control characters."""
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def in_markdown(text: str) -> str:
    """Return a text escaped for a line or table cell of Markdown."""
    return _MARKDOWN.sub(r"\\\g<0>", one_line(text))


def csv_cell(text: str) -> str:
    """Return a text for a CSV cell that no spreadsheet interprets as a formula."""
    shown = printable(text)
    return f"'{shown}" if text.startswith(_FORMULAS) else shown
