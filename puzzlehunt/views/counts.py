"""How many candidates there are, in words."""

import textwrap
from collections.abc import Sequence
from decimal import Decimal

from puzzlehunt.channel.model import PROBABLY
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Count
from puzzlehunt.errors import in_number
from puzzlehunt.game.game import Game
from puzzlehunt.views.names import percent
from puzzlehunt.views.screen import LINE_WIDTH

_LEAST_ROUNDED = 10**15
"""Exact counts from this on are shown rounded, with a power of ten (candidates)."""
_LEAST_SHOWN = 0.01
"""Least chance that a row is misread, so that the secret is no candidate, at which that is said."""
_LEAST_POWER = 10**9
"""Estimated counts from this on are shown with a power of ten (candidates)."""


def count_line(count: Count) -> str:
    """Return how many candidates are left, in words: `1,296 left`, `about 7,360 left (...)`."""
    if count.high is None:
        return "too many left to count"
    if count.exact is not None:
        return f"{count_text(count.exact)} left"
    if count.number is None:
        return f"at most {_rounded(count.high)} left"
    return f"about {_rounded(count.number)} left ({_rounded(count.low)} to {_rounded(count.high)})"


def left_lines(count: Count, outside: float | None) -> list[str]:
    """Return how many candidates are left, and how likely the secret is none of them.

    `22 left (24 %: a row is misread)`. Above `PROBABLY` that is said first, in a line of its own.
    `outside` is that of an `Advice`.
    """
    misread, first = misread_line(outside)
    if not misread:
        return [count_line(count)]
    left = count_line(count)
    return [misread, f"{left} if none is"] if first else [f"{left} ({misread})"]


def misread_line(outside: float | None) -> tuple[str, bool]:
    """Return how likely the secret is no candidate, and whether that is the first thing to say.

    `24 %: a row is misread`; empty where that is too unlikely to be said. `outside` is that of
    an `Advice`.
    """
    if outside is None or outside < _LEAST_SHOWN:
        return "", False
    return f"{percent(outside)}: a row is misread", outside > PROBABLY


def count_text(count: int) -> str:
    """Return an exact count in words: `1,296`; a very large one rounded: `about 2.8e21`."""
    return f"{count:,}" if count < _LEAST_ROUNDED else f"about {_power(count)}"


def _rounded(count: int) -> str:
    """Return an estimated count with the digits worth reading: `7,360`, `2.8e12`."""
    return f"{float(f'{count:.3g}'):,.0f}" if count < _LEAST_POWER else _power(count)


def _power(count: int) -> str:
    """Return a count with two digits and a power of ten, even where no float holds it: `2.8e12`."""
    return f"{Decimal(count).normalize():.1e}".replace("+", "").replace(".0e", "e")


def count_of(count: int, noun: str) -> str:
    """Return an exact count with its noun: `1 secret`, `about 2.8e21 guesses`."""
    return f"{count_text(count)} {in_number(noun, count)}"


def size_text(game: Game, noun: str = "") -> str:
    """Return how many secrets a game has: `1,296`, or `3,461 x 4` on four boards; then a noun."""
    size = game.one_board.secrets.size
    boards = "" if game.boards == 1 else f" x {game.boards}"
    nouns = f" {in_number(noun, size * game.boards)}" if noun else ""
    return f"{count_text(size)}{boards}{nouns}"


def boards_lines(
    game: Game, solved: Sequence[Code | None], counts: Sequence[int | None]
) -> list[str]:
    """Return how many candidates each board has: `board 1: 3, 2: solved SLATE`.

    `solved` has the secret of each board that is solved, `counts` None where a count is unknown.
    """
    boards = [
        f"{number}: {f'solved {game.format_code(code)}' if code else _amount(count)}"
        for number, (code, count) in enumerate(zip(solved, counts, strict=True), start=1)
    ]
    return wrapped(f"board {boards[0]}", *boards[1:])


def _amount(count: int | None) -> str:
    return "many" if count is None else str(count)


def wrapped(*parts: str) -> list[str]:
    """Return parts joined by commas, in lines of `LINE_WIDTH` columns that break between parts."""
    joined = ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)
    lines = textwrap.wrap(joined, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]
