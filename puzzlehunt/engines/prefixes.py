"""Searches along prefixes of codes: all in code order, one at random, those that cost the least.

What is found depends only on which codes there are, never on which a solver happens to find: it
says of a prefix whether any code begins so, and the codes that it shows only save questions.
"""

import random
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace

Find: TypeAlias = Callable[[Code, int], list[Code]]
"""Returns up to so many codes that begin with a prefix; fewer only if there are no others."""


@contextmanager
def _nothing(_prefix: Code) -> Iterator[None]:
    yield


class Prefixes:
    """The prefixes of a game's secrets, from () to whole codes of `length` symbols."""

    def __init__(self, space: CodeSpace, length: int) -> None:
        self._space = space
        self._length = length

    def longer(self, prefix: Code) -> list[Code]:
        """Return the prefixes that are a symbol longer, in code order; words begin so, or none."""
        longer = [(*prefix, symbol) for symbol in range(len(self._space.alphabet))]
        return longer if self._listed is None else list(filter(self._begins_a_code, longer))

    @cached_property
    def _listed(self) -> list[Code] | None:
        """All codes in order, where they are no free combinations of symbols."""
        return None if isinstance(self._space, SymbolSpace) else sorted(self._space)

    def _begins_a_code(self, prefix: Code) -> bool:
        assert self._listed is not None
        place = bisect_left(self._listed, prefix)
        return place < len(self._listed) and self._listed[place][: len(prefix)] == prefix

    def walk(
        self,
        find: Find,
        at_once: int = 1,
        below: Callable[[Code], AbstractContextManager[None]] = _nothing,
        after: Code | None = None,
    ) -> Generator[Code, None, None]:
        """Iterate over the codes in code order; with `after`, over those that follow that code.

        A prefix is made longer while there are `at_once` codes that begin so. What is below a
        prefix is looked for inside of `below(prefix)`.
        """
        return self._walk((), [], find, at_once, below, after)

    def _walk(
        self,
        prefix: Code,
        met: Iterable[Code],
        find: Find,
        at_once: int,
        below: Callable[[Code], AbstractContextManager[None]],
        after: Code | None,
    ) -> Generator[Code, None, None]:
        """Iterate over the codes that begin so; `met` are some of these."""
        codes, here = list(met), len(prefix)
        if after is None:
            if len(codes) < at_once:
                codes = find(prefix, at_once)
            if len(codes) < at_once or here == self._length:
                yield from sorted(codes)
                return
        elif here == self._length:
            return
        for longer in self.longer(prefix):
            if after is not None and longer[here] < after[here]:
                continue
            onward = after if after is not None and longer[here] == after[here] else None
            with below(longer):
                some = (code for code in codes if code[here] == longer[here])
                yield from self._walk(longer, some, find, at_once, below, onward)

    def draw(self, find: Find, met: Iterable[Code], rng: random.Random) -> Code | None:
        """Return the code at the end of a random branch, None if there is none.

        `met` are some codes that there are.
        """
        codes, prefix = list(met), Code()
        while len(prefix) < self._length:
            for longer in sorted(self.longer(prefix), key=lambda _: rng.random()):
                if not any(code[: len(longer)] == longer for code in codes):
                    found = find(longer, 1)
                    if not found:
                        continue
                    codes += found
                prefix = longer
                break
            else:
                return None
        return prefix


def by_cost(
    least: Callable[[int], int | None], codes: Callable[[int, int], list[Code]], limit: int
) -> list[tuple[int, Code]]:
    """Return up to so many codes, each after its cost: the cheapest first, equals as they come.

    `least` returns the least cost of any code that is not below some cost, None if there is none,
    and `codes` up to so many codes of a cost.
    """
    listed: list[tuple[int, Code]] = []
    cost = least(0)
    while cost is not None and len(listed) < limit:
        listed += [(cost, code) for code in codes(cost, limit - len(listed))]
        cost = least(cost + 1) if len(listed) < limit else None
    return listed


def lowest(paid_below: Callable[[int | None], int | None]) -> int | None:
    """Return the least that any code pays, None if there is none (linear search).

    `paid_below` returns what some code pays that pays less than an amount, if one is given; None if
    none does. So each code found is an upper bound, until there is none below.
    """
    least = None
    while (paid := paid_below(least)) is not None:
        least = paid
    return least
