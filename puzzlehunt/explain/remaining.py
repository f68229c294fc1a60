"""What is left: some candidates, of each board, and of the next wider word list.

A tool over the engine's interface: any engine serves.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import PairSpace
from puzzlehunt.engines.base import Engine, first_codes
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn


@dataclass(frozen=True, slots=True)
class Left:
    """Some candidates, how many there are (None: unknown), and whether more.

    They come in code order; where rows are weighed, the likeliest first, with their `chances`
    where the engine knows those.
    """

    codes: tuple[Code, ...]
    count: int | None
    more: bool
    chances: tuple[float, ...] = ()

    def as_json(self, game: Game) -> list[Any]:
        """Return the codes, each with its `probability` where they have one."""
        named = [game.format_code(code) for code in self.codes]
        if not self.chances:
            return named
        return [
            {"code": name, "probability": round(chance, 6)}
            for name, chance in zip(named, self.chances, strict=True)
        ]


def left(engine: Engine, limit: int) -> Left:
    """Return up to so many candidates of an engine."""
    counted, listing = engine.count(quickly=True).exact, engine.listed
    if listing is not None and listing.weighs:
        likeliest = listing.likeliest(min(limit, sys.maxsize))
        listed = tuple(code for code, _ in likeliest)
        chances = tuple(chance for _, chance in likeliest)
        return Left(listed, counted, counted != len(listed), chances)
    if costs := _doubt_costs(engine):
        cheapest = [code for _, code in engine.cheapest(costs, min(limit, sys.maxsize - 1) + 1)]
        more = len(cheapest) > limit
        return Left(tuple(cheapest[:limit]), None if more else len(cheapest), more)
    codes, more = first_codes(engine.candidates(), min(limit, sys.maxsize))
    count = len(codes) if counted is None and not more else counted
    return Left(tuple(codes), count, more)


def _doubt_costs(engine: Engine) -> dict[int, int]:
    """Return what breaking each doubted row costs, where the engine can order by that alone."""
    from puzzlehunt.engines.posterior import row_cost

    if engine.listed is not None or engine.game.boards > 1:
        return {}
    return {
        place: row_cost(engine.game, item)
        for place, item in enumerate(engine.items)
        if isinstance(item, Turn) and item.doubted
    }


def left_on_boards(engine: Engine, limit: int) -> list[Left]:
    """Return up to so many candidates of each of several boards; [] in a game of one board."""
    boards = engine.boards()
    if len(boards) == 1:
        return []
    return [
        Left((board.secret,), 1, more=False) if board.secret else left(board.engine, limit)
        for board in boards
    ]


# Where else to look.


@dataclass(frozen=True, slots=True)
class Wider:
    """A wider word list, the game that it makes, and what is left there.

    In a game of several boards `boards` is what is left of each, and `lacking` are those (from 0)
    for which the game's own list has nothing.
    """

    name: str
    game: Game
    left: Left
    boards: tuple[Left, ...] = ()
    lacking: tuple[int, ...] = ()

    def line(self, own: str = "") -> str:
        """Return in words what is left, given the name of the game's own list."""
        no_word = f"No word of {own or 'its list'} fits"
        if not self.boards:
            return f"{no_word}; {self._has(self.left, self.game)}"
        told = [
            f"board {board + 1}; {self._has(self.boards[board], self.game.one_board)}"
            for board in self.lacking
        ]
        return f"{no_word} " + "; nor ".join(told)

    def _has(self, left: Left, game: Game) -> str:
        shown = ", ".join(game.format_code(code) for code in left.codes[:_SHOWN])
        dots = ", ..." if left.more or len(left.codes) > _SHOWN else ""
        return f"{self.name} has {left.count:,}: {shown}{dots}"

    def as_json(self) -> dict[str, Any]:
        """Return what is left under the keys of `wider` in JSON."""
        told: dict[str, Any] = {
            "list": self.name,
            "count": self.left.count,
            "candidates": [self.game.format_code(code) for code in self.left.codes],
        }
        if self.boards:
            told["boards"] = boards_json(self.game, self.boards)
        return told


_SHOWN = 5


def boards_json(game: Game, boards: Iterable[Left]) -> list[dict[str, Any]]:
    """Return what is left of each board as JSON."""
    one = game.one_board
    return [{"count": board.count, "candidates": board.as_json(one)} for board in boards]


def wider_candidates(game: Game, history: History, limit: int = 20) -> Wider | None:
    """Return what is left in the first wider word list where anything is; None if nothing is.

    Two secrets on one board are not looked for: the pairs of a wide list are too many.
    """
    if isinstance(game.secrets, PairSpace):
        return None
    try:
        for name, wider in game.wider():
            engine = open_engine(wider, "explicit")
            engine.follow(history)
            if engine.satisfiable():
                boards = tuple(left_on_boards(engine, limit))
                lacking = _lacking(game, history) if boards else ()
                return Wider(name, wider, left(engine, limit), boards, lacking)
    except PuzzlehuntError:
        return None
    return None


def _lacking(game: Game, history: History) -> tuple[int, ...]:
    """Return the boards (from 0) for which a game's own list has nothing."""
    engine = open_engine(game)
    engine.follow(history)
    return tuple(
        number
        for number, board in enumerate(engine.boards())
        if not (board.secret or board.engine.satisfiable())
    )
