"""Spaces of several secrets at once, one on each board.

Several secrets are one code, the concatenation of their codes; `split` separates them.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.constraints import TRUE, AllOf, Constraint, shifted
from puzzlehunt.codes.spaces import CodeSpace


@dataclass(frozen=True)
class BoardSpace(CodeSpace):
    """One secret on each board, all from `secret`, independent of each other."""

    secret: CodeSpace
    boards: int

    @property
    def single(self) -> CodeSpace:
        return self.secret

    @property
    def alphabet(self) -> Alphabet:
        return self.single.alphabet

    @property
    def size(self) -> int:
        return int(self.single.size**self.boards)

    @property
    def lengths(self) -> range:
        total = self.single.lengths[0] * self.boards
        return range(total, total + 1)

    def constraint(self) -> Constraint:
        single, length = self.single.constraint(), self.single.lengths[0]
        if single == TRUE:
            return TRUE
        return AllOf(tuple(shifted(single, b * length, length) for b in range(self.boards)))

    def holds(self, code: Code) -> bool:
        if len(code) not in self.lengths:
            return False
        return all(secret in self.single for secret in split(code, self.boards))

    def __iter__(self) -> Iterator[Code]:
        for secrets in product(self.single, repeat=self.boards):
            yield tuple(symbol for secret in secrets for symbol in secret)

    def random(self, rng: random.Random) -> Code:
        return tuple(s for _ in range(self.boards) for s in self.single.random(rng))


def split(code: Code, parts: int) -> list[Code]:
    """Return the `parts` secrets of equal length that a code consists of."""
    length = len(code) // parts
    return [code[start : start + length] for start in range(0, len(code), length)]
