"""Searches for codes with a solver: in code order, or in a random order.

They are walks along prefixes: the solver is asked for codes that begin with a prefix. The result
depends only on whether such codes exist, not on which of them the solver finds first. The codes
that it finds only save further queries.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import CodeSpace

Find: TypeAlias = Callable[[Code, int], list[Code]]
"""A function of a prefix and a number n: returns n codes with the prefix, or all if fewer."""


class Prefixes:
    """The prefixes of a game's secrets, from () to whole codes of `length` symbols."""

    def __init__(self, space: CodeSpace, length: int) -> None:
        self._space = space
        self._length = length

    def extensions(self, prefix: Code) -> list[Code]:
        """Return `prefix` with each possible next symbol, in code order.

        In a word list, a symbol is possible if some word continues with it; else, every symbol is.
        """
        symbols = set(range(len(self._space.alphabet)))
        if not self._space.free:
            size = len(prefix)
            symbols = {code[size] for code in self._listed_codes if code[:size] == prefix}
        return [(*prefix, symbol) for symbol in sorted(symbols)]

    @cached_property
    def _listed_codes(self) -> list[Code]:
        return list(self._space)

    def walk(
        self, find: Find, batch_size: int = 1, known_codes: Iterable[Code] = (),
        rng: random.Random | None = None, prefix: Code = (),
    ) -> Iterator[Code]:  # fmt: skip
        """Yield the codes that begin with `prefix`, in code order, or with `rng` in a random order.

        If fewer than `batch_size` codes begin with a prefix, they are sorted and yielded; otherwise
        the prefix is extended. `known_codes` are codes with `prefix` that are known to fit.
        """
        codes = list(known_codes)
        if len(codes) < batch_size:
            codes = find(prefix, batch_size)
        if len(codes) < batch_size or len(prefix) == self._length:
            yield from sorted(codes)
            return
        extensions = self.extensions(prefix)
        if rng is not None:
            extensions.sort(key=lambda _: rng.random())
        for longer in extensions:
            known = [code for code in codes if code[: len(longer)] == longer]
            yield from self.walk(find, batch_size, known, rng, longer)
