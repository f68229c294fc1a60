"""Searches for codes with a solver: all in code order, one at random, those of the least cost.

The first two walk along prefixes of codes. A solver is asked for codes that begin with a prefix;
what a walk returns depends only on whether there are any, never on which of them the solver finds:
the codes that it happens to find only save questions.
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
"""Given a prefix and a number, returns up to that many codes that begin with the prefix.

Fewer only if there are no others.
"""


@contextmanager
def _no_context(_prefix: Code) -> Iterator[None]:
    yield


class Prefixes:
    """The prefixes of a game's secrets, from () to whole codes of `length` symbols."""

    def __init__(self, space: CodeSpace, length: int) -> None:
        self._space = space
        self._length = length

    def longer(self, prefix: Code) -> list[Code]:
        """Return the prefixes that are one symbol longer, in code order.

        Of words only those that begin a word.
        """
        longer = [(*prefix, symbol) for symbol in range(len(self._space.alphabet))]
        return longer if self._listed is None else list(filter(self._begins_a_code, longer))

    @cached_property
    def _listed(self) -> list[Code] | None:
        """All secrets in code order, for words and several secrets; None for codes of symbols."""
        return None if isinstance(self._space, SymbolSpace) else sorted(self._space)

    def _begins_a_code(self, prefix: Code) -> bool:
        assert self._listed is not None
        place = bisect_left(self._listed, prefix)
        return place < len(self._listed) and self._listed[place][: len(prefix)] == prefix

    def walk(
        self,
        find: Find,
        at_once: int = 1,
        below: Callable[[Code], AbstractContextManager[None]] = _no_context,
        after: Code | None = None,
    ) -> Generator[Code, None, None]:
        """Iterate over the codes in code order; with `after`, over those that follow that code.

        A prefix is made longer where `at_once` codes or more begin with it; fewer are sorted and
        yielded. Codes that begin with a prefix are looked for within the context `below(prefix)`.
        """
        return self._walk((), [], find, at_once, below, after)

    def _walk(
        self,
        prefix: Code,
        known: Iterable[Code],
        find: Find,
        at_once: int,
        below: Callable[[Code], AbstractContextManager[None]],
        after: Code | None,
    ) -> Generator[Code, None, None]:
        """Iterate over the codes that begin with a prefix; `known` are some of these."""
        codes, here = list(known), len(prefix)
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
                begun = (code for code in codes if code[here] == longer[here])
                yield from self._walk(longer, begun, find, at_once, below, onward)

    def draw(self, find: Find, known: Iterable[Code], rng: random.Random) -> Code | None:
        """Return the code at the end of a random branch, None if there are no codes.

        At each position a random symbol is taken among those that go on; so codes are not equally
        likely. `known` are some of the codes.
        """
        codes, prefix = list(known), Code()
        while len(prefix) < self._length:
            for longer in sorted(self.longer(prefix), key=lambda _: rng.random()):
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


def by_cost(
    least: Callable[[int], int | None], codes: Callable[[int, int], list[Code]], limit: int
) -> list[tuple[int, Code]]:
    """Return up to `limit` codes, each after its cost: the cheapest first.

    `least(low)` returns the least cost of any code that is `low` or more, None if there is none;
    `codes(cost, most)` returns up to `most` codes of a cost, which stay in their order.
    """
    listed: list[tuple[int, Code]] = []
    cost = least(0)
    while cost is not None and len(listed) < limit:
        listed += [(cost, code) for code in codes(cost, limit - len(listed))]
        cost = least(cost + 1) if len(listed) < limit else None
    return listed


def lowest(cost_below: Callable[[int | None], int | None]) -> int | None:
    """Return the least cost of any code, None if there is no code (linear search from above).

    `cost_below(bound)` returns the cost of some code that costs less than a bound, with None of any
    code; None if there is no such code. Each cost found is the next bound.
    """
    least = None
    while (cost := cost_below(least)) is not None:
        least = cost
    return least
