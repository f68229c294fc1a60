"""Spaces of codes: all codes over an alphabet, or the words of a list.

*Code order* is shorter codes first, then the alphabet's order, position by position.
"""

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, permutations, product
from typing import Protocol

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.errors import counted, in_number


class CodeSpace(Protocol):
    """All codes a game admits as secrets, or as guesses."""

    @property
    def alphabet(self) -> Alphabet:
        """The symbols of the codes."""
        ...

    @property
    def size(self) -> int:
        """The exact number of codes, however large."""
        ...

    @property
    def lengths(self) -> range:
        """The range of lengths, from that of the shortest code to that of the longest."""
        ...

    def __contains__(self, code: object) -> bool: ...
    def __iter__(self) -> Iterator[Code]: ...
    def random(self, rng: random.Random) -> Code:
        """Return a code at random; all are alike, but for words, whose weights count."""
        ...


@dataclass(frozen=True, slots=True)
class SymbolSpace:
    """All codes of some lengths over an alphabet; with `distinct`, those that repeat no symbol."""

    alphabet: Alphabet
    lengths: range
    distinct: bool = False

    def __post_init__(self) -> None:
        if self.lengths.step != 1 or not self.lengths or self.lengths.start < 0:
            raise ValueError("a code space needs lengths of 0 or more")
        if self.distinct and self.lengths[-1] > len(self.alphabet):
            raise ValueError(
                f"{self.lengths[-1]} distinct symbols cannot come from an alphabet of "
                f"{len(self.alphabet)}"
            )

    @property
    def size(self) -> int:
        """The exact number of codes, however large."""
        k = len(self.alphabet)
        return sum(math.perm(k, n) if self.distinct else k**n for n in self.lengths)

    def __contains__(self, code: object) -> bool:
        return (
            isinstance(code, tuple)
            and len(code) in self.lengths
            and all(0 <= s < len(self.alphabet) for s in code)
            and not (self.distinct and len(set(code)) < len(code))
        )

    def __iter__(self) -> Iterator[Code]:
        """Iterate over all codes in code order."""
        symbols = range(len(self.alphabet))
        for n in self.lengths:
            yield from permutations(symbols, n) if self.distinct else product(symbols, repeat=n)

    def random(self, rng: random.Random) -> Code:
        """Return a code drawn uniformly."""
        k = len(self.alphabet)
        sizes = [math.perm(k, n) if self.distinct else k**n for n in self.lengths]
        index = rng.randrange(sum(sizes))
        n = self.lengths.start
        for size in sizes:
            if index < size:
                break
            index -= size
            n += 1
        return tuple(rng.sample(range(k), n) if self.distinct else rng.choices(range(k), k=n))


@dataclass(frozen=True, slots=True)
class PassedOver:
    """How many entries of a word list a game cannot use.

    `foreign` have other letters than the game, of which `letters` are the most frequent, the most
    frequent first; `twice` stand in the list before; `lengths` have another length than the game's,
    and `repeats` a letter twice where none may be.
    """

    foreign: int = 0
    letters: tuple[str, ...] = ()
    twice: int = 0
    lengths: int = 0
    repeats: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class WordSpace:
    """The words of a list, in code order, each with its weight: how common it is next to others.

    `passed_over` says how many other words the list has.
    """

    alphabet: Alphabet
    weights: Mapping[Code, float]
    passed_over: PassedOver = PassedOver()

    def __repr__(self) -> str:
        passed = self.passed_over.foreign + self.passed_over.twice
        others = f", {passed:,} passed over" if passed else ""
        return f"<WordSpace of {counted(self.size, 'word')}{others}>"

    @classmethod
    def of(cls, alphabet: Alphabet, words: Iterable[Code]) -> "WordSpace":
        """Return the space of some words in any order, all of weight 1."""
        return cls(alphabet, dict.fromkeys(sorted(words, key=lambda w: (len(w), w)), 1.0))

    @property
    def size(self) -> int:
        """The number of words."""
        return len(self.weights)

    @cached_property
    def lengths(self) -> range:
        """The range of lengths, from that of the shortest word to that of the longest."""
        lengths = {len(word) for word in self.weights}
        return range(min(lengths), max(lengths) + 1)

    def __contains__(self, code: object) -> bool:
        return code in self.weights

    def __iter__(self) -> Iterator[Code]:
        return iter(self.weights)

    @cached_property
    def _words(self) -> list[Code]:
        return list(self.weights)

    @cached_property
    def is_weighed(self) -> bool:
        """Whether some words weigh more than others."""
        return len(set(self.weights.values())) > 1

    @cached_property
    def _summed_weights(self) -> list[float]:
        """The weight of each word and all before it."""
        return list(accumulate(self.weights.values()))

    def random(self, rng: random.Random) -> Code:
        """Return a word, drawn as often as its weight says."""
        if not self.is_weighed:
            return rng.choice(self._words)
        return rng.choices(self._words, cum_weights=self._summed_weights)[0]


def describe_lengths(lengths: range, noun: str = "") -> str:
    """Return a range of lengths in words: `5`, or `0 to 5`; with a noun `5 letters`."""
    first, last = lengths[0], lengths[-1]
    described = str(first) if first == last else f"{first} to {last}"
    return f"{described} {in_number(noun, last)}" if noun else described
