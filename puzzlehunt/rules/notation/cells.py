"""Cells: clues in a row of a table, with one count or one mark per cell; cells may be blank."""

import re

_BLANK = re.compile(r"(?:^|(?<=[,;|\t])) *(?=[,;|\t]|$)")
"""Matches a cell without text between two separators."""


def cell_separator(text: str) -> str:
    """Return the separator of a line's cells: tab, bar, semicolon or comma; "" if it has none."""
    return next((sign for sign in "\t|;," if sign in text), "")


def cells_of(text: str) -> list[str]:
    """Return the stripped cells of a text; a text without a separator is one cell."""
    sign = cell_separator(text)
    return [cell.strip() for cell in text.split(sign)] if sign else [text.strip()]


def with_blanks(text: str) -> str:
    """Return a text with `_` in its blank cells."""
    return _BLANK.sub("_", text) if text.strip(" \t,;|") else ""
