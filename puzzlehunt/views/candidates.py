"""Candidates, and codes that nearly fit, a line each."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from puzzlehunt.explain.remaining import Remaining, Wider
from puzzlehunt.explain.suspicion import Near
from puzzlehunt.game.game import Game
from puzzlehunt.views.coloured import coloured_code
from puzzlehunt.views.names import percent

_EXAMPLES = 5
"""How many words of a wider list are named."""


def candidate_lines(game: Game, listed: Remaining) -> Iterator[Text]:
    """Yield candidates, one a line, with their chances where they have any."""
    chances = listed.chances or (None,) * len(listed.codes)
    for code, chance in zip(listed.codes, chances, strict=True):
        told = "" if chance is None else f"  {percent(chance)}"
        yield Text.assemble(coloured_code(game, code), (told, "dim"))


def near_lines(game: Game, near: Sequence[Near]) -> Iterator[Text]:
    """Yield what nearly fits, one a line, with its chance and the row that it breaks."""
    for one in near:
        told = f"  {percent(one.probability)}, row {_rows(one.numbers)}"
        yield Text.assemble(coloured_code(game, one.code), (told, "dim"))


def listed_codes(game: Game, listed: Remaining) -> list[str]:
    """Return candidates, a line each; where they are weighed, with their chance after a tab."""
    named = [game.format_code(code) for code in listed.codes]
    if not listed.chances:
        return named
    pairs = zip(named, listed.chances, strict=True)
    return [f"{name}\t{percent(chance)}" for name, chance in pairs]


def nearly_line(game: Game, near: Sequence[Near]) -> str:
    """Return what nearly fits on one line: `if one row is wrong: SHARE 2.1 % (row 5)`."""
    told = [
        f"{game.format_code(one.code)} {percent(one.probability)} (row {_rows(one.numbers)})"
        for one in near
    ]
    return f"if one row is wrong: {', '.join(told)}"


def _rows(numbers: Sequence[int]) -> str:
    return " and ".join(map(str, numbers))


def wider_line(wider: Wider, own: str = "") -> str:
    """Return in words what a wider word list has left, given the name of the game's own list."""
    no_word = f"No word of {own or 'its list'} fits"
    if not wider.boards:
        return f"{no_word}; {_has(wider, wider.game, wider.remaining)}"
    lists = [
        f"board {board + 1}; {_has(wider, wider.game.one_board, wider.boards[board])}"
        for board in wider.lacking
    ]
    return f"{no_word} " + "; nor ".join(lists)


def _has(wider: Wider, game: Game, remaining: Remaining) -> str:
    shown = ", ".join(game.format_code(code) for code in remaining.codes[:_EXAMPLES])
    dots = ", ..." if remaining.more or len(remaining.codes) > _EXAMPLES else ""
    return f"{wider.name} has {remaining.count:,}: {shown}{dots}"
