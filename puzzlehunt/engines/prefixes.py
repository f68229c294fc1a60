"""Searches for codes with a solver: all in code order, one at random, those of the least cost.

All codes and a random one are found by walks along prefixes: the solver is asked for codes that
begin with a prefix. The result of a walk depends only on whether there are such codes, never on
which of them the solver finds; those only save further queries.
"""

import random
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import CodeSpace

Find: TypeAlias = Callable[[Code, int], list[Code]]
"""Given a prefix and a number, returns that many codes that begin with the prefix, else all."""


@contextmanager
def _no_context(_prefix: Code) -> Iterator[None]:
    yield


class Prefixes:
    """The prefixes of a game's secrets, from () to whole codes of `length` symbols."""

    def __init__(self, space: CodeSpace, length: int) -> None:
        self._space = space
        self._length = length

    def extensions(self, prefix: Code) -> list[Code]:
        """Return `prefix` with each possible next symbol, in code order.

        All symbols are possible, except in a word list: there, only those of the words.
        """
        longer = [(*prefix, symbol) for symbol in range(len(self._space.alphabet))]
        return longer if self._space.free else list(filter(self._begins_a_code, longer))

    @cached_property
    def _listed_codes(self) -> list[Code]:
        return sorted(self._space)

    def _begins_a_code(self, prefix: Code) -> bool:
        codes, place = self._listed_codes, bisect_left(self._listed_codes, prefix)
        return place < len(codes) and codes[place][: len(prefix)] == prefix

    def walk(
        self,
        find: Find,
        batch_size: int = 1,
        context_of: Callable[[Code], AbstractContextManager[None]] = _no_context,
        after: Code | None = None,
        prefix: Code = (),
        known_codes: Iterable[Code] = (),
    ) -> Generator[Code, None, None]:
        """Iterate over the codes that begin with `prefix`, in code order, those after `after`.

        A prefix is extended if `batch_size` or more codes begin with it; fewer are sorted and
        yielded. `context_of(prefix)` is the context manager for searches of codes with that prefix.
        `known_codes` are some of the codes.
        """
        codes, depth = list(known_codes), len(prefix)
        if after is None:
            if len(codes) < batch_size:
                codes = find(prefix, batch_size)
            if len(codes) < batch_size or depth == self._length:
                yield from sorted(codes)
                return
        elif depth == self._length:
            return
        for longer in self.extensions(prefix):
            if after is not None and longer[depth] < after[depth]:
                continue
            below = after if after is not None and longer[depth] == after[depth] else None
            with context_of(longer):
                known = [code for code in codes if code[depth] == longer[depth]]
                yield from self.walk(find, batch_size, context_of, below, longer, known)

    def draw(self, find: Find, known_codes: Iterable[Code], rng: random.Random) -> Code | None:
        """Return the code at the end of a random branch, None if there are no codes."""
        codes, prefix = list(known_codes), Code()
        while len(prefix) < self._length:
            for longer in sorted(self.extensions(prefix), key=lambda _: rng.random()):
                if not any(code[: len(longer)] == longer for code in codes):
                    more = find(longer, 1)
                    if not more:
                        continue
                    codes += more
                prefix = longer
                break
            else:
                return None
        return prefix


def min_cost_codes(
    costs: Callable[[int], Iterable[int]], codes: Callable[[int, int], list[Code]], limit: int
) -> list[tuple[int, Code]]:
    """Return up to `limit` pairs of cost and code, the cheapest first.

    `costs(low)` yields decreasing costs of codes, down to the least that is `low` or more (linear
    search from above); `codes(cost, most)` returns up to `most` codes of a cost.
    """
    listed: list[tuple[int, Code]] = []
    low = 0
    while len(listed) < limit and (least := min(costs(low), default=None)) is not None:
        listed += [(least, code) for code in codes(least, limit - len(listed))]
        low = least + 1
    return listed
