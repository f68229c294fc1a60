"""Searches for codes with a solver: all in code order, one at random, those of the least cost.

All codes and a random one are found by walks along prefixes: the solver is asked for codes that
begin with a prefix. What a walk returns depends only on whether there are any such codes, never on
which of them the solver happens to find; those only save further questions.
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
        """Return the prefixes that are one symbol longer, in code order.

        In a space of words only those that begin a word.
        """
        longer = [(*prefix, symbol) for symbol in range(len(self._space.alphabet))]
        return longer if self._listed_codes is None else list(filter(self._begins_a_code, longer))

    @cached_property
    def _listed_codes(self) -> list[Code] | None:
        return None if self._space.free else sorted(self._space)

    def _begins_a_code(self, prefix: Code) -> bool:
        assert self._listed_codes is not None
        place = bisect_left(self._listed_codes, prefix)
        return (
            place < len(self._listed_codes) and self._listed_codes[place][: len(prefix)] == prefix
        )

    def walk(
        self,
        find: Find,
        batch_size: int = 1,
        context_of: Callable[[Code], AbstractContextManager[None]] = _no_context,
        after: Code | None = None,
    ) -> Generator[Code, None, None]:
        """Iterate over the codes in code order; with `after`, over those that follow that code.

        A prefix is made longer where `batch_size` codes or more begin with it; fewer are sorted and
        yielded. `context_of(prefix)` is the context in which codes with that prefix are looked for.
        """
        return self._walk((), [], find, batch_size, context_of, after)

    def _walk(
        self,
        prefix: Code,
        known_codes: Iterable[Code],
        find: Find,
        batch_size: int,
        context_of: Callable[[Code], AbstractContextManager[None]],
        after: Code | None,
    ) -> Generator[Code, None, None]:
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
            after_below = after if after is not None and longer[depth] == after[depth] else None
            with context_of(longer):
                found_below = (code for code in codes if code[depth] == longer[depth])
                yield from self._walk(
                    longer, found_below, find, batch_size, context_of, after_below
                )

    def draw(self, find: Find, known_codes: Iterable[Code], rng: random.Random) -> Code | None:
        """Return the code at the end of a random branch, None if there are no codes.

        At each position one of the symbols with which some code continues is taken at random; so
        codes are not equally likely. `known_codes` are some of the codes.
        """
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
    least: Callable[[int], int | None], codes: Callable[[int, int], list[Code]], limit: int
) -> list[tuple[int, Code]]:
    """Return up to `limit` pairs of cost and code, the cheapest first.

    `least(low)` returns the least cost, among those of `low` or more, of any code, None if there is
    none; `codes(cost, most)` returns up to `most` codes of a cost, in the order that they keep.
    """
    listed: list[tuple[int, Code]] = []
    cost = least(0)
    while cost is not None and len(listed) < limit:
        listed += [(cost, code) for code in codes(cost, limit - len(listed))]
        cost = least(cost + 1) if len(listed) < limit else None
    return listed


def linear_search_sat_unsat(cost_below: Callable[[int | None], int | None]) -> int | None:
    """Return the least cost of any code, None if there is no code (linear search from above).

    `cost_below(bound)` returns the cost of some code that costs less than the bound, None if there
    is no such code; a bound of None bounds nothing. Each cost found is the next bound.
    """
    least = None
    while (cost := cost_below(least)) is not None:
        least = cost
    return least
