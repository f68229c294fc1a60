"""Searches for codes with a solver: in code order, or in a random order.

They are walks along prefixes: the solver is asked for codes that begin with a prefix. The result
depends only on whether such codes exist, not on which of them the solver finds first. The codes
that it finds only save further queries.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.game.game import Game

Find: TypeAlias = Callable[[Code, int], list[Code]]
"""A function of a prefix and a number n: returns n codes with the prefix, or all if fewer."""


def walk(
    game: Game, find: Find, batch_size: int = 1, known_codes: Iterable[Code] = (),
    rng: random.Random | None = None, prefix: Code = (),
) -> Iterator[Code]:  # fmt: skip
    """Yield the codes that begin with `prefix`, in code order, or with `rng` in a random order.

    If fewer than `batch_size` codes begin with a prefix, they are sorted and yielded; otherwise the
    prefix is extended. `known_codes` are codes with `prefix` that are known to fit.
    """
    codes, size = list(known_codes), len(prefix)
    if len(codes) < batch_size:
        codes = find(prefix, batch_size)
    if len(codes) < batch_size or size == game.length:
        yield from sorted(codes)
        return
    symbols = list(range(len(game.secrets.alphabet)))
    if game.secrets.listed:
        symbols = sorted({code[size] for code in game.secrets if code[:size] == prefix})
    if rng is not None:
        symbols.sort(key=lambda _: rng.random())
    for longer in ((*prefix, symbol) for symbol in symbols):
        known = [code for code in codes if code[: size + 1] == longer]
        yield from walk(game, find, batch_size, known, rng, longer)
