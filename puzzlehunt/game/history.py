"""Turns and facts, in order, immutable."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.constraints import (
    AllOf,
    At,
    AtLeast,
    Bound,
    Constraint,
    distinct,
    exactly,
    never,
)
from puzzlehunt.errors import InvalidFactError, SessionError
from puzzlehunt.rules.notation.counts import Clue
from puzzlehunt.views.markup import Markup, Table

DOUBT = 0.5
"""The chance that a doubted row is wrong, where nobody says how doubtful it is."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A guess with its clue, and the chance that the row is wrong.

    A doubted turn, one with such a chance, rules nothing out but the guess itself: it weighs.
    `text` is its guess and clue as the game writes them, to be shown; it may be empty.
    """

    guess: Code
    clue: Clue
    doubt: float = 0.0
    text: str = field(default="", compare=False, repr=False)

    @property
    def doubted(self) -> bool:
        """Whether the row may be wrong."""
        return self.doubt > 0

    @property
    def undoubted(self) -> "Turn":
        """The same turn, as if it were right."""
        return replace(self, doubt=0.0)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something known of the secret from elsewhere, as it was written and as a constraint.

    In a game of several boards it is about one: `board` (from 0) and what `there` must hold.
    """

    text: str
    constraint: Constraint
    board: int | None = None
    there: Constraint | None = None


Item: TypeAlias = Turn | Fact


@dataclass(frozen=True, slots=True)
class History:
    """What is known, in the order in which it became known; every change makes a new one."""

    items: tuple[Item, ...] = ()

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns alone; turn 3 of the user is `turns[2]`."""
        return tuple(item for item in self.items if isinstance(item, Turn))

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts alone."""
        return tuple(item for item in self.items if isinstance(item, Fact))

    def _repr_html_(self) -> Markup:
        """Return the rows as they are written; the game that they are of shows them in colour."""
        number = 0
        rows = []
        for item in self.items:
            number += isinstance(item, Turn)
            told = ["fact", item.text] if isinstance(item, Fact) else [str(number), _written(item)]
            rows.append([*told, "doubted" if isinstance(item, Turn) and item.doubted else ""])
        return Table.of(["", "row", "doubt"], rows, left=["row", "doubt"])._repr_html_()

    def add(self, *items: Item) -> "History":
        """Return this history with more at its end."""
        return History(self.items + items)

    def replace(self, number: int, turn: Turn) -> "History":
        """Return this history with turn `number` (from 1) changed."""
        place = self._place(number)
        return History((*self.items[:place], turn, *self.items[place + 1 :]))

    def drop(self, number: int) -> "History":
        """Return this history without turn `number` (from 1)."""
        place = self._place(number)
        return History(self.items[:place] + self.items[place + 1 :])

    def doubt(self, number: int, chance: float | None = None) -> "History":
        """Return this history with turn `number` (from 1) doubted as said, or no more."""
        turn = self.turn(number)
        if chance is None:
            chance = 0.0 if turn.doubted else DOUBT
        return self.replace(number, replace(turn, doubt=chance))

    def turn(self, number: int) -> Turn:
        """Return turn `number` (from 1). Raises SessionError if there is none."""
        self._place(number)
        return self.turns[number - 1]

    def _place(self, number: int) -> int:
        places = [i for i, item in enumerate(self.items) if isinstance(item, Turn)]
        if not 1 <= number <= len(places):
            known = f"there are turns 1 to {len(places)}" if places else "there is no turn yet"
            raise SessionError(f"no turn {number}; {known}")
        return places[number - 1]


def _written(turn: Turn) -> str:
    """Return a turn's text; without one, the places of its symbols in the alphabet, from 1."""
    return turn.text or "-".join(str(symbol + 1) for symbol in turn.guess)


def parse_fact(text: str, alphabet: Alphabet, length: int) -> Fact:
    """Return the fact that a text writes.

    `H____`, `[AEIOU]___T`, `contains E`, `no Q`, `distinct`, `sum 17`. `contains EE` says that E
    occurs twice or more; a symbol counts by its digit, or by its place in the alphabet from 1.
    Raises InvalidFactError.
    """
    words = text.split()
    match [word.casefold() for word in words]:
        case ["distinct"]:
            return Fact("distinct", distinct(len(alphabet)))
        case ["contains", *rest] if rest:
            numbers = _symbols(words[1:], alphabet, text)
            terms = [AtLeast((s,), numbers.count(s)) for s in dict.fromkeys(numbers)]
            shown = " ".join(alphabet.symbols[s] for s in numbers)
            if len(numbers) > length:
                raise InvalidFactError(f"{text}: a code has only {length} symbols")
            return Fact(f"contains {shown}", AllOf(tuple(exactly(term) for term in terms)))
        case ["no" | "without", *rest] if rest:
            numbers = sorted(set(_symbols(words[1:], alphabet, text)))
            shown = " ".join(alphabet.symbols[s] for s in numbers)
            return Fact(f"no {shown}", AllOf(tuple(never(AtLeast((s,), 1)) for s in numbers)))
        case ["sum", *rest] if rest:
            return _sum(" ".join(words[1:]), alphabet, length, text)
        case [_]:
            return _pattern(words[0], alphabet, length)
    raise InvalidFactError(
        f"{text!r} is no fact; facts are written {'H'.ljust(length, '_')}, contains E, no Q, "
        "distinct, sum 17"
    )


_SUM = re.compile(r"(\d{1,6})(?:\s*(?:-|to)\s*(\d{1,6}))?")


def _sum(numbers: str, alphabet: Alphabet, length: int, text: str) -> Fact:
    found = _SUM.fullmatch(numbers)
    if found is None:
        raise InvalidFactError(f"{text!r} is no fact; a sum is written sum 17, or sum 10-20")
    low, high = int(found[1]), int(found[2] or found[1])
    values = [value_of(alphabet, symbol) for symbol in range(len(alphabet))]
    if high < low or high < min(values) * length or low > max(values) * length:
        least, most = min(values) * length, max(values) * length
        raise InvalidFactError(f"{text}: the sum of a code is {least} to {most}")
    terms = tuple(
        (value, At(place, (symbol,)))
        for place in range(length)
        for symbol, value in enumerate(values)
        if value
    )
    shown = str(low) if low == high else f"{low}-{high}"
    return Fact(f"sum {shown}", Bound(low, terms, high))


def value_of(alphabet: Alphabet, symbol: int) -> int:
    """Return what a symbol counts in a sum: its digit, else its place in the alphabet from 1."""
    name = alphabet.symbols[symbol]
    if all(other.isascii() and other.isdecimal() and len(other) < 5 for other in alphabet.symbols):
        return int(name)
    return symbol + 1


def _symbols(words: Sequence[str], alphabet: Alphabet, text: str) -> list[int]:
    numbers = []
    for word in words:
        for token in alphabet.tokens(word.strip(",")):
            number = alphabet.number(token)
            if number is None:
                raise InvalidFactError(f"{text}: {token!r} is no symbol of this game")
            numbers.append(number)
    if not numbers:
        raise InvalidFactError(f"{text!r} is no fact: it names no symbol")
    return numbers


_OPEN = frozenset("_.?")


def write_pattern(cells: Sequence[tuple[int, ...]], alphabet: Alphabet) -> str:
    """Return the text of a pattern, given the symbols of each place, () where it is open."""
    names = ["".join(alphabet.symbols[symbol] for symbol in cell) or "_" for cell in cells]
    return ("-" if any(len(symbol) > 1 for symbol in alphabet.symbols) else "").join(names)


def _pattern(text: str, alphabet: Alphabet, length: int) -> Fact:
    named = length == 1 and alphabet.number(text) is not None
    cells = [[text]] if named else _pattern_cells(text, alphabet)
    if len(cells) != length:
        raise InvalidFactError(
            f"{text!r} is no fact: a pattern has {length} places, this has {len(cells)}"
        )
    bounds: list[Bound] = []
    for position, cell in enumerate(cells):
        if cell is None:
            continue
        numbers = _symbols(cell, alphabet, text)
        bounds.append(exactly(At(position, tuple(sorted(set(numbers))))))
    if not bounds:
        raise InvalidFactError(f"{text!r} is no fact: every place is open")
    return Fact(text.upper() if not alphabet.cased else text, AllOf(tuple(bounds)))


def _pattern_cells(text: str, alphabet: Alphabet) -> list[list[str] | None]:
    """Return for each place the symbols it may hold, None where it is open."""
    if "[" not in text and "-" in text and alphabet.number("-") is None:
        return [None if part in _OPEN else [part] for part in text.split("-")]
    cells: list[list[str] | None] = []
    position = 0
    while position < len(text):
        if text[position] == "[":
            end = text.find("]", position)
            if end <= position + 1:
                raise InvalidFactError(f"{text!r}: [ ] holds the symbols that one place may have")
            cells.append(alphabet.tokens(text[position + 1 : end]))
            position = end + 1
        else:
            cells.append(None if text[position] in _OPEN else [text[position]])
            position += 1
    return cells
