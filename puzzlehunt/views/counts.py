"""How many candidates there are, in words."""

import textwrap
from collections.abc import Sequence
from decimal import Decimal

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Count
from puzzlehunt.game.game import Game
from puzzlehunt.views.screen import NARROW

_READABLE = 10**15
"""A number that is as large is told as a power of ten."""


def count_line(count: Count) -> str:
    """Return how many candidates are left, in words."""
    if count.high is None:
        return "too many left to count"
    if count.exact is not None:
        return f"{number(count.exact)} left"
    if count.number is None:
        return f"at most {_rounded(count.high)} left"
    return f"about {_rounded(count.number)} left ({_rounded(count.low)} to {_rounded(count.high)})"


def number(count: int) -> str:
    """Return an exact number: `1,296`; of one that nobody reads, how large it is."""
    return f"{count:,}" if count < _READABLE else f"about {_power(count)}"


def _rounded(number: int) -> str:
    """Return a number with as many digits as are worth reading: `7,360`, `2.8e12`."""
    return f"{float(f'{number:.3g}'):,.0f}" if number < 10**9 else _power(number)


def _power(number: int) -> str:
    """Return a number of any size as a power of ten: `2.8e12`."""
    return f"{Decimal(number).normalize():.1e}".replace("+", "").replace(".0e", "e")


def size(game: Game) -> str:
    """Return how many secrets a game has: `1,296`, or `3,461 x 4` on four boards."""
    one = number(game.one_board.secrets.size)
    return one if game.boards == 1 else f"{one} x {game.boards}"


def boards_lines(
    game: Game, solved: Sequence[Code | None], counts: Sequence[int | None]
) -> list[str]:
    """Return how many candidates each board has left: `board 1: 3, 2: solved SLATE`."""
    boards = [
        f"{number}: {f'solved {game.format_code(code)}' if code else _amount(count)}"
        for number, (code, count) in enumerate(zip(solved, counts, strict=True), start=1)
    ]
    return wrapped(f"board {boards[0]}", *boards[1:])


def _amount(count: int | None) -> str:
    return "many" if count is None else str(count)


def wrapped(*parts: str) -> list[str]:
    """Return some parts with commas between, in lines that break between parts."""
    joined = ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)
    lines = textwrap.wrap(joined, NARROW, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]
