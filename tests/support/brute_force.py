"""The specification that engines are held against: all secrets one by one, by `score`."""

from collections.abc import Callable, Container, Iterable
from itertools import product

import pytest

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import holds
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item, Turn


@pytest.fixture(scope="session")
def brute_force() -> Callable[..., list[Code]]:
    """A function that returns the secrets that agree with some items, one by one, by `score`.

    With `asked` only the items at those places count; what they mean depends on all items where
    nothing that is played after a board was solved says anything of it, and where a game with two
    secrets on one board went on, though codes had been guessed before.
    """
    return agreeing


def agreeing(game: Game, items: Iterable[Item], asked: Container[int] | None = None) -> list[Code]:
    """Return the secrets that agree with some items: see `brute_force`."""
    known = list(items)
    if game.boards == 1:
        counting = [place for place in range(len(known)) if asked is None or place in asked]
        return [s for s in game.secrets if all(_agrees(game, known[n], s) for n in counting)]
    return [
        tuple(symbol for part in parts for symbol in part)
        for parts in product(game.secrets.single, repeat=game.boards)
        if all(_agrees_on(game, board, part, known, asked) for board, part in enumerate(parts))
    ]


def _agrees_on(
    game: Game, board: int, part: Code, known: list[Item], asked: Container[int] | None
) -> bool:
    solved = False
    for place, item in enumerate(known):
        counts = asked is None or place in asked
        if isinstance(item, Fact):
            if counts and not solved and item.board == board and not holds(item.constraint, part):
                return False
        elif not solved:
            turn = Turn(item.guess, item.clue.clues[board], item.doubt)
            if counts and not _agrees(game.one_board, turn, part):
                return False
            solved = list(turn.clue) == [game.one_board.rule.winning] and not item.doubted
    return True


def _agrees(game: Game, item: Item, secret: Code) -> bool:
    if isinstance(item, Fact):
        return holds(item.constraint, secret)
    won = item.guess == secret
    if list(item.clue) == [game.rule.winning]:
        return item.doubted or won
    if won:
        return False
    return item.doubted or game.rule.score(item.guess, secret) in set(item.clue)
