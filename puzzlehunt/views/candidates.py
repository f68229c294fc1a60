"""Candidates in lines: how many, which codes, near misses, words of wider lists."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from puzzlehunt.channel.model import SUSPICION
from puzzlehunt.engines.base import Count, Counted
from puzzlehunt.errors import counted, in_number
from puzzlehunt.game.game import Game
from puzzlehunt.session.limits import when_stopped
from puzzlehunt.views.printed_tables import wrapped
from puzzlehunt.views.rows import styled_code
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.wording import percent

if TYPE_CHECKING:
    from puzzlehunt.explanation.remaining import CandidatesListed, NearMiss, Remaining, WiderList

_UNITS = {10**6: " million", 10**9: " billion", 10**12: " trillion"}
_LEAST_POWER = 10**15
"""Counts of at least this many candidates are shown rounded, with a power of ten."""
HARDLY_POSSIBLE = 0.001
"""A list says nothing if the likeliest of its codes has less than this chance (0 to 1)."""


# Numbers.


def count_line(count: Count) -> str:
    """Return how many candidates are left, in words: `1,296 left`, `about 7,400 left (...)`."""
    if count.high is None:
        return "too many left to count"
    if count.exact is not None:
        return f"{count_text(count.exact)} left"
    if count.number is None:
        return f"at most {rounded(count.high)} left"
    low, high = rounded(count.low), rounded(count.high)
    number, _, unit = low.partition(" ")
    low = number if unit and high.endswith(unit) else low
    return f"about {rounded(count.number)} left ({low}-{high})"


def counted_lines(game: Game, counted: Counted) -> list[str]:
    """Return lines on how many candidates are left: `47 left`, `board 1: 3, 2: solved SLATE`."""
    counts = counted.counts
    if not counted.solved:
        return left_lines(counts[0], counted.outside)
    if len(set(counts)) == 1 and not any(counted.solved):
        return [f"{count_line(counts[0])} on each board"]
    boards = []
    for number, (code, count) in enumerate(zip(counted.solved, counts, strict=True), start=1):
        amount = "many" if count.exact is None else str(count.exact)
        boards.append(f"{number}: {f'solved {game.format_code(code)}' if code else amount}")
    return wrapped(f"board {boards[0]}", *boards[1:])


def left_lines(count: Count, outside: float | None) -> list[str]:
    """Return lines with the number of candidates left, and with the chance that none is right."""
    return [count_line(count), *outside_lines(outside)]


def outside_lines(outside: float | None) -> list[str]:
    """Return the line `96 %: the secret is none of these`; none if that is not so probable.

    `outside` is the chance (0 to 1) that the secret is not a candidate, None if unknown.
    """
    if outside is None or outside < SUSPICION:
        return []
    return [f"{percent(outside)}: the secret is none of these"]


def count_text(count: int) -> str:
    """Return an exact count in words: `1,296`; a very large one rounded: `about 2.8e21`."""
    return f"{count:,}" if count < _LEAST_POWER else f"about {rounded(count)}"


def rounded(number: float) -> str:
    """Return a number of candidates with two digits: `7,400`, `5.8 billion`, `2.8e21`."""
    short = f"{Decimal(number):.1e}"
    count = round(Decimal(short))
    if count >= _LEAST_POWER:
        return short.replace("+", "").replace(".0e", "e")
    unit = max((unit for unit in _UNITS if unit <= count), default=0)
    return f"{count / unit:g}{_UNITS[unit]}" if unit else f"{count:,}"


def count_of(count: int, noun: str) -> str:
    """Return an exact count with its noun: `1 secret`, `about 2.8e21 guesses`."""
    return f"{count_text(count)} {in_number(noun, count)}"


def size_text(game: Game, noun: str = "") -> str:
    """Return how many secrets a game has: `1,296`, or `3,461 x 4` on four boards; then a noun."""
    size = game.one_board.secrets.size
    boards = "" if game.boards == 1 else f" x {game.boards}"
    nouns = f" {in_number(noun, size * game.boards)}" if noun else ""
    return f"{count_text(size)}{boards}{nouns}"


# Codes.


def show_candidates(game: Game, listed: "CandidatesListed", screen: Screen) -> None:
    """Print candidates of each board, how many more there are, and near misses."""
    one = game.one_board if listed.boards else game
    for number, left in enumerate(listed.boards or (listed.remaining,), start=1):
        if listed.boards:
            screen.line(f"board {number}: {count_line(Count.of(left.count))}")
        screen.lines(candidate_lines(one, left))
        screen.lines(outside_lines(left.outside))
        if left.stopped:
            screen.note(unfinished_line(left))
        elif left.more:
            screen.note(f"{more_text(left)}: {more_command(left, listed)}")
        elif not left.codes:
            screen.note("none")
    screen.lines(near_lines(game, listed.near))


def candidate_lines(game: Game, left: "Remaining") -> Iterator[Text]:
    """Yield candidates for a person, one per line, with their chances where these are known."""
    for place, code in enumerate(left.codes):
        chance = f"  {percent(left.chances[place])}" if left.chances else ""
        yield Text.assemble(styled_code(game, code), (chance, "dim"))


def more_text(left: "Remaining") -> str:
    """Return how many candidates are not listed: `... and 42 more`, or `... and more`."""
    if left.count is None:
        return "... and more"
    return f"... and {count_text(left.count - len(left.codes))} more"


def more_command(left: "Remaining", listed: "CandidatesListed") -> str:
    """Return what lists more candidates than a list did: `/candidates 100`."""
    most = 5 * max(1, listed.limit)
    return f"{listed.hint} {most if left.count is None else min(most, left.count)}"


def unfinished_line(left: "Remaining") -> str:
    """Return a line about a listing that was stopped."""
    if not left.codes:
        return f"no code found {when_stopped()}; there may be some"
    return f"{counted(len(left.codes), 'code')} found {when_stopped()}; there may be more"


def says_nothing(left: "Remaining") -> bool:
    """Return whether a list of candidates is so short a part of all that it says nothing."""
    if not left.more or left.stopped:
        return False
    if left.chances:
        return max(left.chances) < HARDLY_POSSIBLE
    return left.count is None or left.count * HARDLY_POSSIBLE > 1


def near_lines(game: Game, near: "Sequence[NearMiss]") -> Iterator[Text]:
    """Yield near misses that are worth a look, below a title, with chance and wrong turns."""
    worth_a_look = [one for one in near if one.probability >= HARDLY_POSSIBLE]
    if worth_a_look:
        yield Text("If one row is wrong:")
    for one in worth_a_look:
        note = f"  {percent(one.probability)}, {wrong_rows(one)}"
        yield Text.assemble(styled_code(game, one.code), (note, "dim"))


def wrong_rows(near: "NearMiss") -> str:
    """Return which turns are wrong if a near miss is the secret: `row 5`."""
    return f"row {' and '.join(map(str, near.numbers))}"


def wider_line(wider: "WiderList") -> str:
    """Return a line with the candidates of a wider word list: `No word of its list fits; ...`."""
    codes, count = wider.remaining.codes[:5], wider.remaining.count
    examples = ", ".join(map(wider.game.format_code, codes))
    dots = "" if count == len(codes) else ", ..."
    return f"No word of its list fits; {Path(wider.name).name} has {count:,}: {examples}{dots}"
