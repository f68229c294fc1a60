"""What a person sees: lines, tables and colours. The only file that formats.

Every line fits 40 columns where the code does; colour is never the only sign.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from puzzlehunt.codes import FOREIGN, Code
from puzzlehunt.game import Game
from puzzlehunt.history import History, Turn
from puzzlehunt.strategies import Advice, Suggestion

_STYLES = {
    "black": "bold white on black",
    "white": "bold black on white",
    "red": "bold red",
    "green": "bold green",
    "blue": "bold blue",
    "yellow": "bold yellow",
    "orange": "bold dark_orange",
    "purple": "bold magenta",
}


_UNBOUNDED = 10_000


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

    def note(self, text: str) -> None:
        """Print a remark."""
        self._notes.print(Text(_short(text), style="dim"), markup=False)

    def typed(self, prompt: str, line: str) -> None:
        """Print a line that was read from a pipe, as if it had been typed."""
        self.line(Text.assemble(prompt, (printable(line), "bold")))

    def error(self, text: str) -> None:
        """Print what was wrong."""
        self._notes.print(Text.assemble(("! ", "bold red"), _short(text)), markup=False)

    def table(self, table: Table) -> None:
        """Print a table."""
        self._out.print(table)

    def turn(self, game: Game, number: int, turn: Turn) -> None:
        """Print a turn as it was understood."""
        code = coloured_code(game, turn.guess)
        words = game.describe_turn(turn).split(": ", 1)[1]
        self.line(Text.assemble((f"{number}. ", "dim"), code, ": ", coloured_words(words)))

    def history(self, game: Game, history: History) -> None:
        """Print every fact and turn, numbered as the player counts them."""
        number = 0
        for item in history:
            if not isinstance(item, Turn):
                self.line(f"    fact: {item.text}")
                continue
            number += 1
            clue = game.format_turn(item).removeprefix(game.format_code(item.guess)).strip()
            code = coloured_code(game, item.guess)
            marks = coloured_marks(game, clue)
            self.line(Text.assemble((f"{number:2}. ", "dim"), code, " ", marks))
        if not len(history):
            self.line("nothing yet")

    def items(self, game: Game, history: History, start: int = 0) -> None:
        """Print facts and turns as they were understood, from a place in the history on."""
        numbers = range(1 + len(History(history.items[:start]).turns), 1 + len(history.turns))
        numbered = iter(numbers)
        for item in history.items[start:]:
            if isinstance(item, Turn):
                self.turn(game, next(numbered), item)
            else:
                self.line(f"    fact: {item.text}")

    def codes(self, game: Game, codes: Iterable[Code]) -> None:
        """Print codes, one a line."""
        for code in codes:
            self.line(coloured_code(game, code))


def _console(stream: TextIO) -> Console:
    """Return a console that wraps lines in a terminal, and nowhere else."""
    if stream.isatty():
        return Console(file=stream, highlight=False)
    return Console(file=stream, highlight=False, soft_wrap=True, width=_UNBOUNDED)


_LONGEST = 1_000
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Return a text whose control characters a terminal does not obey but shows."""
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def _short(text: str) -> str:
    """Return a message without the middle that a line of thousands of characters gives it."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
    return printable(text)


def coloured_code(game: Game, code: Code) -> Text:
    """Return a code with each symbol in its colour, if it has one."""
    text = Text()
    colours = _symbol_styles(game)
    joined = "-" if any(len(symbol) > 1 for symbol in game.alphabet.symbols) else ""
    if not code:
        return Text(game.format_code(code))
    for place, symbol in enumerate(code):
        text.append(joined if place else "")
        text.append(game.format_code((symbol,)), colours.get(symbol, ""))
    return text


def _symbol_styles(game: Game) -> dict[int, str]:
    named = {symbol: alias for alias, symbol in game.alphabet.aliases.items() if alias in _STYLES}
    symbols = game.alphabet.symbols
    styles = {number: _STYLES[named[s]] for number, s in enumerate(symbols) if s in named}
    return styles | {FOREIGN: "dim"}


def coloured_marks(game: Game, clue: str) -> Text:
    """Return a clue's text with marks such as B, W and R in their colours."""
    text = Text(clue)
    legend = {part[0]: part[2:] for part in game.rule.legend().split(", ") if part[1:2] == " "}
    for place, character in enumerate(clue):
        if legend.get(character) in _STYLES and not any(c.isdigit() for c in clue):
            text.stylize(_STYLES[legend[character]], place, place + 1)
    return text


def coloured_words(words: str) -> Text:
    """Return words with the names of colours in their colours."""
    text = Text(words)
    for name, style in _STYLES.items():
        text.highlight_words([name], style)
    return text


def value(suggestion: Suggestion, measure: str) -> str:
    """Return what a guess is worth in a few words: `2.9 bits, largest group 14`."""
    worst = "" if suggestion.worst is None else f"largest group {suggestion.worst}"
    if suggestion.value is None:
        told = measure
    elif measure == "largest group":
        return worst or f"largest group {suggestion.value:g}"
    else:
        told = (
            f"{suggestion.value:.1f} {measure}"
            if measure != "parts"
            else (f"{suggestion.value:.0f} parts")
        )
    return ", ".join(part for part in (told, worst) if part)


def suggestion_line(game: Game, advice: Advice) -> Text:
    """Return the line next to the prompt: `try CRATE - 2.9 bits, largest group 14`."""
    best = advice.suggestions[0]
    told = (
        "the only one left" if advice.count == 1 and best.candidate else value(best, advice.measure)
    )
    return Text.assemble("try ", (str(coloured_code(game, best.guess)), "bold"), f" - {told}")


def count_line(count: int | None) -> str:
    """Return how many candidates are left, in words."""
    return "too many left to count" if count is None else f"{count:,} left"


def suggestions_table(game: Game, advice: Advice) -> Table:
    """Return the suggestions as a table."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("guess", overflow="fold")
    table.add_column(advice.measure, justify="right")
    table.add_column("largest", justify="right")
    table.add_column("may win")
    for suggestion in advice.suggestions:
        shown = (
            "" if suggestion.value is None else f"{suggestion.value:.2f}".rstrip("0").rstrip(".")
        )
        worst = "" if suggestion.worst is None else str(suggestion.worst)
        may_win = "yes" if suggestion.candidate else "no"
        table.add_row(coloured_code(game, suggestion.guess), shown, worst, may_win)
    return table


def games_table(rows: Sequence[Sequence[str]]) -> Table:
    """Return the built-in games as a table: name, secrets, feedback, source."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("game", no_wrap=True)
    table.add_column("secrets", justify="right", no_wrap=True)
    for heading in ("what", "feedback", "source"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
