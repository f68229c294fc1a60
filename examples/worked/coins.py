"""The counterfeit coin: find the coin that is heavier or lighter than all others, on a balance."""

from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

from puzzlehunt import Game
from puzzlehunt.engines import Engine, open_engine
from puzzlehunt.strategies import Adviser

Weighing: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The coins in the left pan, and as many coins in the right one."""


def answer(weighing: Weighing, odd: tuple[int, str]) -> str:
    """Return which pan goes down if one coin is odd: `(3, "light")` is lighter than all others."""
    (left, right), (coin, kind) = weighing, odd
    if coin not in left and coin not in right:
        return "balanced"
    return "left" if (coin in left) == (kind == "heavy") else "right"


def coin_game(number: int) -> Game:
    """Return the game of a number of coins, with every weighing of equally many in both pans."""
    coins = range(1, number + 1)
    weighings = [
        (left, right)
        for pan in range(1, number // 2 + 1)
        for left in combinations(coins, pan)
        for right in combinations([coin for coin in coins if coin not in left], pan)
        if left < right
    ]
    odd = [(coin, kind) for coin in coins for kind in ("heavy", "light")]
    return Game.from_function(odd, weighings, answer, title=f"{number} coins")


def tree(game: Game) -> Iterator[str]:
    """Yield the lines of a plan: a weighing, and indented below it what each answer says."""
    return _below(Adviser(game, "deep"), open_engine(game), "")


def _below(adviser: Adviser, engine: Engine, said: str) -> Iterator[str]:
    game, secret = engine.game, engine.known_secret()
    then = secret or adviser.advise(engine, top=1).suggestions[0].code
    yield f"{'  ' * len(engine.items)}{said}{game.format_code(then)}"
    for pan in ("left", "right", "balanced") if secret is None else ():
        engine.push(game.turn(then, pan))
        if engine.satisfiable():
            yield from _below(adviser, engine, f"{pan}: ")
        engine.pop()
