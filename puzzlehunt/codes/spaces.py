"""Spaces of codes: all codes over an alphabet, the words of a list, or one of these on each board.

*Code order* is shorter codes first, then the alphabet's order, position by position.
"""

import math
import random
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, permutations, product
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import PAD, Alphabet, Code
from puzzlehunt.codes.constraints import TRUE, Constraint, distinct_symbols, one_of
from puzzlehunt.errors import InvalidCodeError, check_type, counted, in_number


class CodeSpace:
    """All codes a game admits as secrets, or as guesses.

    A space has an `alphabet`, a range of `lengths`, and a `size`: the exact number of codes,
    however large. The defaults below are for a space that is neither `free` nor `listed`.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def alphabet(self) -> Alphabet: ...
        @property
        def lengths(self) -> range: ...
        @property
        def size(self) -> int: ...

    free = False
    """Whether the space has all codes of its lengths or, if `distinct`, all without repetition."""
    listed = False
    """Whether the codes are the words of a list."""
    boards: int = 1
    """How many secrets a code joins, each on a board of its own."""
    passed_over: tuple[str, ...] = ()
    """The words of the list that are not in this space, since they have other letters."""
    formula: str | None = None
    """The name of the formula that generates the codes, such as `equations`."""

    @property
    def distinct(self) -> bool:
        """Whether no code has a symbol twice; False if a code joins several secrets."""
        return False

    @property
    def may_repeat(self) -> bool:
        """Whether the space is free, and its codes may have a symbol twice."""
        return self.free and not self.distinct and self.lengths[-1] > 1

    @property
    def is_weighed(self) -> bool:
        """Whether some codes weigh more than others."""
        return False

    def __iter__(self) -> Iterator[Code]:
        """Iterate over all codes in code order."""
        raise NotImplementedError

    def holds(self, code: Code) -> bool:
        """Return whether a code is in this space."""
        raise NotImplementedError

    def random(self, rng: random.Random) -> Code:
        """Return a random code. Words are drawn by their weights, all other codes uniformly."""
        raise NotImplementedError

    def constraint(self) -> Constraint:
        """Return the constraint that a code is in this space.

        It does not require that each position holds one symbol; engines add that requirement.
        """
        raise NotImplementedError

    def weight(self, code: Code) -> float:
        """Return the weight of a code: 1 if it is in this space, otherwise 0."""
        return float(code in self)

    def common_code(self, other: "CodeSpace") -> Code | None:
        """Return a code that is also in another space of the alphabet, None if there is none."""
        few, many = (self, other) if self.listed else (other, self)
        lengths = [length for length in self.lengths if length in other.lengths]
        if few.free and lengths:
            distinct = self.distinct or other.distinct
            few = SymbolSpace(self.alphabet, range(lengths[0], lengths[0] + 1), distinct)
        return next((code for code in (few if lengths else ()) if code in many), None)

    def __contains__(self, code: object) -> bool:
        """Return whether a code is in this space. The code may be given as a text.

        If `/` is not a symbol, it separates the secrets of several boards in a text.
        """
        if isinstance(code, str):
            parts = [code] if "/" in self.alphabet else code.split("/")
            try:
                code = tuple(s for part in parts for s in self.alphabet.parse(part.strip()))
            except InvalidCodeError:
                return False
        return isinstance(code, tuple) and self.holds(code)

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return self.size > 0


@dataclass(frozen=True, slots=True)
class SymbolSpace(CodeSpace):
    """All codes of some lengths over an alphabet; with `distinct`, those that repeat no symbol.

    >>> space = SymbolSpace(Alphabet(tuple("ABC")), range(2, 3), distinct=True)
    >>> space.size, "AB" in space, "AA" in space
    (6, True, False)
    """

    alphabet: Alphabet
    lengths: range
    distinct: bool = False

    free = True

    def __post_init__(self) -> None:
        check_type("alphabet", self.alphabet, Alphabet)
        check_type("lengths", self.lengths, range, "a range such as range(4, 5)")
        if self.lengths.step != 1 or not self.lengths or self.lengths.start < 0:
            raise ValueError("a code space needs lengths of 0 or more")
        if self.distinct and self.lengths[-1] > len(self.alphabet):
            raise ValueError(
                f"{self.lengths[-1]} distinct symbols cannot come from an alphabet of "
                f"{len(self.alphabet)}"
            )

    @property
    def size(self) -> int:
        return sum(self._sizes)

    @property
    def _sizes(self) -> list[int]:
        k = len(self.alphabet)
        return [math.perm(k, n) if self.distinct else k**n for n in self.lengths]

    def holds(self, code: Code) -> bool:
        return (
            len(code) in self.lengths
            and all(symbol in range(len(self.alphabet)) for symbol in code)
            and not (self.distinct and len(set(code)) < len(code))
        )

    def __iter__(self) -> Iterator[Code]:
        symbols = range(len(self.alphabet))
        for n in self.lengths:
            yield from permutations(symbols, n) if self.distinct else product(symbols, repeat=n)

    def random(self, rng: random.Random) -> Code:
        k = len(self.alphabet)
        n = self.lengths[bisect([*accumulate(self._sizes)], rng.randrange(self.size))]
        return tuple(rng.sample(range(k), n) if self.distinct else rng.choices(range(k), k=n))

    def constraint(self) -> Constraint:
        return distinct_symbols(len(self.alphabet)) if self.distinct else TRUE


@dataclass(frozen=True, repr=False)
class WordSpace(CodeSpace):
    """The words of a list, in code order, each with its relative weight (how common it is).

    `passed_over` are the words of the list with letters that are not in the alphabet.

    >>> space = WordSpace.of(Alphabet(tuple("ACT")), ["CAT", "ACT"])
    >>> len(space), "cat" in space
    (2, True)
    """

    alphabet: Alphabet
    weights: Mapping[Code, float]
    passed_over: tuple[str, ...] = field(default=(), compare=False)
    formula: str | None = field(default=None, compare=False)

    listed = True

    def __post_init__(self) -> None:
        check_type("alphabet", self.alphabet, Alphabet)
        check_type("weights", self.weights, Mapping, "a weight for each word")
        first = next(iter(self.weights), ())
        check_type("weights", first, tuple, "codes; WordSpace.of takes texts")
        if min(self.weights.values(), default=1.0) <= 0:
            raise ValueError("a word needs a weight above 0")

    def __repr__(self) -> str:
        others = f", {len(self.passed_over):,} passed over" if self.passed_over else ""
        return f"<WordSpace of {counted(self.size, 'word')}{others}>"

    def __hash__(self) -> int:
        return hash((self.alphabet, self.size))

    @classmethod
    def of(cls, alphabet: Alphabet, words: Iterable[Code | str]) -> "WordSpace":
        """Return the space of words (codes or texts, in any order), each of weight 1."""
        check_type("alphabet", alphabet, Alphabet)
        check_type("words", words, Iterable, "words")
        codes = {alphabet.parse(word) if isinstance(word, str) else word for word in words}
        if unknown := set().union(*codes) - {*range(len(alphabet))}:
            raise InvalidCodeError(f"{unknown.pop()!r:.40} is not a symbol number of {alphabet!r}")
        return cls(alphabet, dict.fromkeys(sorted(codes, key=lambda w: (len(w), w)), 1.0))

    @property
    def size(self) -> int:
        return len(self.weights)

    @cached_property
    def lengths(self) -> range:
        """The range of lengths, from that of the shortest word to that of the longest."""
        lengths = {*map(len, self.weights)}
        return range(min(lengths), max(lengths) + 1)

    def holds(self, code: Code) -> bool:
        return code in self.weights

    def __iter__(self) -> Iterator[Code]:
        return iter(self.weights)

    def constraint(self) -> Constraint:
        return one_of(code + (PAD,) * (self.lengths[-1] - len(code)) for code in self)

    @cached_property
    def distinct(self) -> bool:
        return all(len(set(word)) == len(word) for word in self)

    def weight(self, code: Code) -> float:
        """Return the relative weight of a word, 0 for a word that is not in this space."""
        return self.weights.get(code, 0.0)

    @cached_property
    def is_weighed(self) -> bool:
        return len(set(self.weights.values())) > 1

    def random(self, rng: random.Random) -> Code:
        if not self.is_weighed:
            return rng.choice(list(self.weights))
        return rng.choices(list(self.weights), list(self.weights.values()))[0]


@dataclass(frozen=True)
class BoardSpace(CodeSpace):
    """One secret on each board, all from `single`; a code joins them, and `split` parts them."""

    single: CodeSpace
    boards: int

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


def describe_lengths(lengths: range, noun: str = "") -> str:
    """Return a range of lengths in words: `5`, or `0 to 5`; with a noun `5 letters`."""
    first, last = lengths[0], lengths[-1]
    described = str(first) if first == last else f"{first} to {last}"
    return f"{described} {in_number(noun, last)}" if noun else described
