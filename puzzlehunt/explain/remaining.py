"""What is left: some candidates, of each board, and of the next wider word list.

A tool over the engine's interface: any engine serves.
"""

import sys
from dataclasses import dataclass

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import PairSpace
from puzzlehunt.engines.base import Engine, first_codes
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn


@dataclass(frozen=True, slots=True)
class Remaining:
    """Some candidates, how many there are (None: unknown), and whether more.

    They come in code order; where rows are weighed, the likeliest first, with their `chances`
    where the engine knows those.
    """

    codes: tuple[Code, ...]
    count: int | None
    more: bool
    chances: tuple[float, ...] = ()


def remaining(engine: Engine, limit: int) -> Remaining:
    """Return up to so many candidates of an engine."""
    counted, listing = engine.count(quickly=True).exact, engine.listed
    if listing is not None and listing.weighs:
        likeliest = listing.likeliest(min(limit, sys.maxsize))
        listed = tuple(code for code, _ in likeliest)
        chances = tuple(chance for _, chance in likeliest)
        return Remaining(listed, counted, counted != len(listed), chances)
    if costs := _doubt_costs(engine):
        cheapest = [code for _, code in engine.cheapest(costs, min(limit, sys.maxsize - 1) + 1)]
        more = len(cheapest) > limit
        return Remaining(tuple(cheapest[:limit]), None if more else len(cheapest), more)
    codes, more = first_codes(engine.candidates(), min(limit, sys.maxsize))
    count = len(codes) if counted is None and not more else counted
    return Remaining(tuple(codes), count, more)


def _doubt_costs(engine: Engine) -> dict[int, int]:
    """Return what breaking each doubted row costs, where the engine can order by that alone."""
    from puzzlehunt.engines.posterior import doubt_cost

    if engine.listed is not None or engine.game.boards > 1:
        return {}
    return {
        place: doubt_cost(engine.game, item)
        for place, item in enumerate(engine.items)
        if isinstance(item, Turn) and item.doubted
    }


def remaining_on_boards(engine: Engine, limit: int) -> list[Remaining]:
    """Return up to so many candidates of each of several boards; [] in a game of one board."""
    boards = engine.boards()
    if len(boards) == 1:
        return []
    return [
        Remaining((one.secret,), 1, more=False) if one.secret else remaining(one.engine, limit)
        for one in boards
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
    remaining: Remaining
    boards: tuple[Remaining, ...] = ()
    lacking: tuple[int, ...] = ()


def wider_candidates(game: Game, history: History, limit: int = 20) -> Wider | None:
    """Return what is left in the first wider word list where anything is; None if nothing is.

    Two secrets on one board are not looked for: the pairs of a wide list are too many.
    """
    if isinstance(game.secrets, PairSpace):
        return None
    try:
        for name, wider in game.wider_games():
            engine = open_engine(wider, "explicit")
            engine.follow(history)
            if engine.satisfiable():
                boards = tuple(remaining_on_boards(engine, limit))
                lacking = _lacking(game, history) if boards else ()
                return Wider(name, wider, remaining(engine, limit), boards, lacking)
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
