"""What is left and what is found: candidates of a game, of its boards and of wider word lists."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from textwrap import shorten
from typing import TypeVar

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, open_engine
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files.gamefile import wider_games
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Finding, Tabled

Found = TypeVar("Found", bound=Finding)


def open_boards(engine: Engine) -> list[tuple[int | None, Engine]]:
    """Return the engine of each unsolved board, with the board (from 0; None for the only one)."""
    if engine.game.boards == 1:
        return [(None, engine)]
    return [(board, one.engine) for board, one in enumerate(engine.boards()) if not one.secret]


class Findings(list[Found], Tabled):
    """A list of suspects, repairs, certainties, unread marks or near misses, and their history.

    It is an ordinary list. `proved` is false if it relies on the game's solver alone.
    """

    def __init__(self, engine: Engine, found: Iterable[Found] = ()) -> None:
        super().__init__(found)
        self.game, self.history, self.proved = engine.game, engine.history, engine.proves

    def __repr__(self) -> str:
        first = f", first {shorten(repr(self[0]), 160)}" if self else ""
        return f"<{type(self).__name__}: {len(self) or 'none'}{first}>"


@dataclass(frozen=True, slots=True)
class Remaining:
    """Some of the candidates, their `count` in all (None: unknown), and whether there are `more`.

    The codes are the first in code order or, if turns are weighed, the likeliest; `chances` are
    their probabilities (0 to 1), if the engine knows them. `stopped` means that an interrupt ended
    the listing. `outside` is as in `Counted`.
    """

    codes: tuple[Code, ...]
    count: int | None
    more: bool
    chances: tuple[float, ...] = ()
    stopped: bool = False
    outside: float | None = None


def remaining(engine: Engine, limit: int) -> Remaining:
    """Return up to `limit` candidates of an engine; an interrupt ends the listing early."""
    counted, listing = engine.count(quickly=True).exact, engine.listed
    limit = min(limit, sys.maxsize - 1)
    if listing is not None and listing.weights() is not None:
        likeliest = dict(listing.likeliest(limit))
        more, chances = counted != len(likeliest), tuple(likeliest.values())
        return Remaining(tuple(likeliest), counted, more, chances, outside=listing.outside)
    found, stopped = list[Code](), False
    try:
        for code in islice(engine.in_code_order(), limit + 1):
            found.append(code)
    except KeyboardInterrupt:
        stopped = True
    more = stopped or len(found) > limit
    count = len(found) if counted is None and engine.proves and not more else counted
    return Remaining(tuple(found[:limit]), count, more, stopped=stopped)


def left_on_boards(engine: Engine, limit: int) -> list[Remaining]:
    """Return up to `limit` candidates of each board; [] in a game of one board."""
    return [
        Remaining((board.secret,), 1, more=False)
        if board.secret
        else remaining(board.engine, limit)
        for board in (engine.boards() if engine.game.boards > 1 else ())
    ]


@dataclass(frozen=True, slots=True)
class WiderList:
    """A wider word list, the game with that list, and the candidates in it."""

    name: str
    game: Game
    remaining: Remaining


@dataclass(frozen=True, slots=True)
class NearMiss(Finding):
    """A code that would be a candidate if one turn were wrong; its `probability` (0 to 1).

    `rows` (from 1) are those that the code contradicts. In a game that allows n lies, these
    are n + 1 rows.

    >>> print(puzzlehunt.near_misses("heart-2018", top=1))
    If one row is wrong:
    REACT  0.8 %, row 5
    """

    text: str
    code: Code
    probability: float
    rows: tuple[int, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class CandidatesListed:
    """Up to `limit` candidates, in all and of each of several boards, and codes that nearly fit.

    A near miss would be a candidate if one turn were wrong; the likeliest is first. `wider_list`
    has the candidates of a wider word list if there are none. `hint` is how to ask for more.
    """

    remaining: Remaining
    boards: tuple[Remaining, ...] = ()
    near: tuple[NearMiss, ...] = ()
    wider_list: WiderList | None = None
    limit: int = 0
    hint: str = "/candidates"

    @property
    def fits(self) -> bool:
        """Whether there is a candidate."""
        return bool(self.remaining.codes or self.remaining.more)

    @property
    def stopped(self) -> bool:
        """Whether a limit of time ended the list."""
        return self.remaining.stopped or any(board.stopped for board in self.boards)


def wider_candidates(engine: Engine) -> WiderList | None:
    """Return the first wider word list that leaves candidates, with up to 20; else None."""
    with suppress(PuzzlehuntError):
        for name, game in wider_games(engine.game):
            wider = open_engine(game, "explicit")
            wider.follow(engine.items)
            if wider.satisfiable():
                return WiderList(name, game, remaining(wider, 20))
    return None
