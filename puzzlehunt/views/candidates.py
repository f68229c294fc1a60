"""Candidates, codes that nearly fit, and what a wider word list has, in lines."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.text import Text

from puzzlehunt.errors import counted
from puzzlehunt.explanation.remaining import Remaining, WiderList
from puzzlehunt.explanation.suspects import NearMiss
from puzzlehunt.game.game import Game
from puzzlehunt.views.coloured import coloured_code
from puzzlehunt.views.counts import count_text
from puzzlehunt.views.names import percent

_EXAMPLES = 5
"""Number of candidates of a wider word list that are named at most."""


def candidate_lines(game: Game, remaining: Remaining) -> Iterator[Text]:
    """Yield candidates for a person, one a line, with their chances where these are known."""
    chances = remaining.chances or (None,) * len(remaining.codes)
    for code, chance in zip(remaining.codes, chances, strict=True):
        chance_text = "" if chance is None else f"  {percent(chance)}"
        yield Text.assemble(coloured_code(game, code), (chance_text, "dim"))


def more_text(remaining: Remaining) -> str:
    """Return that there are more candidates, and how many: `... and 42 more`, or `... and more`."""
    if remaining.count is None:
        return "... and more"
    return f"... and {count_text(remaining.count - len(remaining.codes))} more"


def more_command(remaining: Remaining, limit: int) -> str:
    """Return the command that lists more candidates than the `limit` that were asked for."""
    most = 5 * limit
    return f"/candidates {most if remaining.count is None else min(most, remaining.count)}"


def unfinished_line(remaining: Remaining, when: str) -> str:
    """Return what is known where a listing was stopped: `no code found in 10 s; there may be some`.

    `when` says when that was.
    """
    found = len(remaining.codes)
    if not found:
        return f"no code found {when}; there may be some"
    return f"{counted(found, 'code')} found {when}; there may be more"


def near_lines(game: Game, near: Sequence[NearMiss]) -> Iterator[Text]:
    """Yield secrets that nearly fit, one a line, with chance and numbers of contradicted turns."""
    for one in near:
        note = f"  {percent(one.probability)}, row {_numbers(one.numbers)}"
        yield Text.assemble(coloured_code(game, one.code), (note, "dim"))


def listed_codes(game: Game, remaining: Remaining) -> list[str]:
    """Return candidates for other programs, one a line; known chances follow after a tab."""
    codes = [game.format_code(code) for code in remaining.codes]
    if not remaining.chances:
        return codes
    with_chances = zip(codes, remaining.chances, strict=True)
    return [f"{code}\t{percent(chance)}" for code, chance in with_chances]


def nearly_line(game: Game, near: Sequence[NearMiss]) -> str:
    """Return secrets that nearly fit in a line: `if one row is wrong: SHARE 2.1 % (row 5)`."""
    secrets = [
        f"{game.format_code(one.code)} {percent(one.probability)} (row {_numbers(one.numbers)})"
        for one in near
    ]
    return f"if one row is wrong: {', '.join(secrets)}"


def _numbers(numbers: Sequence[int]) -> str:
    return " and ".join(map(str, numbers))


def wider_line(wider: WiderList, own_list: str = "") -> str:
    """Return a sentence on the candidates of a wider word list; `own_list` names the game's own.

    `No word of common fits; huge has 1: CZECH`
    """
    no_word = f"No word of {own_list or 'its list'} fits"
    if not wider.boards:
        return f"{no_word}; {_what_list_has(wider, wider.game, wider.remaining)}"
    boards = [
        f"board {board + 1}; {_what_list_has(wider, wider.game.one_board, wider.boards[board])}"
        for board in wider.boards_without
    ]
    return f"{no_word} " + "; nor ".join(boards)


def others_line(wider: WiderList) -> str:
    """Return that a wider list has others than the only candidate: `huge has 1 more: CZECH`."""
    return _what_list_has(wider, wider.game, wider.remaining, " more")


def _what_list_has(wider: WiderList, game: Game, remaining: Remaining, more: str = "") -> str:
    """Return how many candidates a wider list has, and some of them: `huge has 1: CZECH`."""
    examples = ", ".join(game.format_code(code) for code in remaining.codes[:_EXAMPLES])
    dots = ", ..." if remaining.more or len(remaining.codes) > _EXAMPLES else ""
    return f"{Path(wider.name).name} has {remaining.count:,}{more}: {examples}{dots}"
