"""Escapes that make untrusted text harmless in terminals, JSON, Markdown and CSV.

Titles, notes, symbols, words and file names may contain control characters, markup or formulas,
which terminals, browsers and spreadsheets carry out.
"""

from puzzlehunt.errors import OBEYED, printable

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""Characters that begin a formula in a spreadsheet."""


def in_json(text: str) -> str:
    """Return a JSON text with its control characters as JSON escapes; its value is the same."""
    return OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def csv_cell(text: str) -> str:
    """Return a text for a cell of CSV; `'` is put before it if it looks like a formula."""
    shown = printable(text)
    return f"'{shown}" if text.startswith(_FORMULAS) else shown
