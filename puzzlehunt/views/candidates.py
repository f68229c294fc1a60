"""Candidates in lines: how many, which codes, near misses, words of wider lists."""

import textwrap
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from puzzlehunt.channel.model import SUSPICION
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Count, Counted
from puzzlehunt.errors import counted, in_number
from puzzlehunt.game.game import Game
from puzzlehunt.session.limits import when_stopped
from puzzlehunt.views.rows import styled_code
from puzzlehunt.views.screen import LINE_WIDTH, Screen
from puzzlehunt.views.wording import percent

if TYPE_CHECKING:
    from puzzlehunt.explanation.remaining import (
        CandidatesListed,
        NearMiss,
        Remaining,
        WiderList,
    )

_WORDS = {10**6: "million", 10**9: "billion", 10**12: "trillion"}
_LEAST_POWER = 10**15
"""Counts of at least this many candidates are shown rounded, with a power of ten."""


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
    """Return lines with the number of candidates left, on each of several boards."""
    counts = counted.counts
    if counted.solved:
        return boards_lines(game, counted.solved, [count.exact for count in counts])
    return left_lines(counts[0], counted.outside)


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
    unit = max((unit for unit in _WORDS if unit <= count), default=0)
    return f"{count / unit:g} {_WORDS[unit]}" if unit else f"{count:,}"


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
    """Return lines with the candidates of each board: `board 1: 3, 2: solved SLATE`.

    A count of None is unknown. If all are the same, they are given once.
    """
    if len(set(counts)) == 1 and not any(solved):
        return [f"{count_line(Count.of(counts[0]))} on each board"]
    boards = []
    for number, (code, count) in enumerate(zip(solved, counts, strict=True), start=1):
        amount = "many" if count is None else str(count)
        boards.append(f"{number}: {f'solved {game.format_code(code)}' if code else amount}")
    return wrapped(f"board {boards[0]}", *boards[1:])


def wrapped(*parts: str) -> list[str]:
    """Return parts joined by commas, in lines of `LINE_WIDTH` columns that break between parts."""
    joined = ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)
    lines = textwrap.wrap(joined, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


HARDLY_POSSIBLE = 0.001
"""A list says nothing if the likeliest of its codes has less than this chance (0 to 1)."""
_EXAMPLES = 5
"""At most this many candidates of a wider word list are named."""


def show_candidates(game: Game, listed: "CandidatesListed", screen: Screen) -> None:
    """Print candidates of each board, how many more there are, and near misses."""
    for number, board in enumerate(listed.boards, start=1):
        screen.line(f"board {number}: {count_line(Count.of(board.count))}")
        _show_codes(game.one_board, board, listed, screen)
    if not listed.boards:
        _show_codes(game, listed.remaining, listed, screen)
    screen.lines(near_lines(game, listed.near))


def _show_codes(
    game: Game, remaining: "Remaining", listed: "CandidatesListed", screen: Screen
) -> None:
    screen.lines(candidate_lines(game, remaining))
    screen.lines(outside_lines(remaining.outside))
    if remaining.stopped:
        screen.note(unfinished_line(remaining))
    elif remaining.more:
        screen.note(f"{more_text(remaining)}: {more_command(remaining, listed)}")
    elif not remaining.codes:
        screen.note("none")


def candidate_lines(game: Game, remaining: "Remaining") -> Iterator[Text]:
    """Yield candidates for a person, one per line, with their chances where these are known."""
    chances = remaining.chances or (None,) * len(remaining.codes)
    for code, chance in zip(remaining.codes, chances, strict=True):
        chance_text = "" if chance is None else f"  {percent(chance)}"
        yield Text.assemble(styled_code(game, code), (chance_text, "dim"))


def more_text(remaining: "Remaining") -> str:
    """Return how many candidates are not listed: `... and 42 more`, or `... and more`."""
    if remaining.count is None:
        return "... and more"
    return f"... and {count_text(remaining.count - len(remaining.codes))} more"


def more_command(remaining: "Remaining", listed: "CandidatesListed") -> str:
    """Return what lists more candidates than a list did: `/candidates 100`."""
    most = 5 * max(1, listed.limit)
    number = most if remaining.count is None else min(most, remaining.count)
    return f"{listed.hint} {number}"


def unfinished_line(remaining: "Remaining") -> str:
    """Return a line about a listing that was stopped: `no code found in 10 s; ...`."""
    if not remaining.codes:
        return f"no code found {when_stopped()}; there may be some"
    return f"{counted(len(remaining.codes), 'code')} found {when_stopped()}; there may be more"


def says_nothing(remaining: "Remaining") -> bool:
    """Return whether a list of candidates is so short a part of all that it says nothing."""
    if not remaining.more or remaining.stopped:
        return False
    if remaining.chances:
        return max(remaining.chances) < HARDLY_POSSIBLE
    return remaining.count is None or remaining.count * HARDLY_POSSIBLE > 1


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
    codes, count = wider.remaining.codes, wider.remaining.count
    examples = ", ".join(map(wider.game.format_code, codes[:_EXAMPLES]))
    dots = ", ..." if wider.remaining.more or len(codes) > _EXAMPLES else ""
    return f"No word of its list fits; {Path(wider.name).name} has {count:,}: {examples}{dots}"
