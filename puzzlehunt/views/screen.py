"""A terminal, or what stands for one: results on one stream, notes and errors on another.

Every line fits 40 columns where the code does; colour is never the only sign.
"""

import re
import sys
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

NARROW = 40
"""Columns that a line of the conversation has, where it can."""
_UNBOUNDED = 10_000
"""Columns of a line that goes to a file or a pipe."""


class Screen:
    """Prints results on one stream and notes on another."""

    def __init__(self, out: TextIO | None = None, notes: TextIO | None = None) -> None:
        self._out = _console(out or sys.stdout)
        self._notes = _console(notes or sys.stderr)

    @property
    def width(self) -> int:
        """How many columns a line may have."""
        return self._out.width

    def line(self, text: str | Text = "") -> None:
        """Print a line of results."""
        self._out.print(printable(text) if isinstance(text, str) else text, markup=False)

    def lines(self, lines: Iterable[str | Text]) -> None:
        """Print some lines of results."""
        for line in lines:
            self.line(line)

    def note(self, text: str) -> None:
        """Print a remark."""
        self._notes.print(Text(_shortened(text), style="dim"), markup=False)

    def typed(self, prompt: str, line: str) -> None:
        """Print a line that was read from a pipe, as if it had been typed."""
        self.line(Text.assemble(prompt, (printable(line), "bold")))

    def error(self, text: str) -> None:
        """Print what was wrong."""
        self._notes.print(Text.assemble(("! ", "bold red"), _shortened(text)), markup=False)

    def table(self, table: Table) -> None:
        """Print a table."""
        self._out.print(table)


def _console(stream: TextIO) -> Console:
    """Return a console that wraps lines in a terminal, and nowhere else."""
    if stream.isatty():
        return Console(file=stream, highlight=False)
    return Console(file=stream, highlight=False, soft_wrap=True, width=_UNBOUNDED)


_LONGEST = 1_000
"""Characters of a message that are shown."""
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Return a text whose control characters a terminal does not obey but shows."""
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def _shortened(text: str) -> str:
    """Return a message without the middle that a line of thousands of characters gives it."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
    return printable(text)
