"""Turns and facts, in order, immutable."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import Constraint
from puzzlehunt.errors import SessionError
from puzzlehunt.game.viewed import Viewed
from puzzlehunt.rules.notation.clue import Clue

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
    board_constraint: Constraint | None = None


Item: TypeAlias = Turn | Fact


@dataclass(frozen=True, slots=True)
class History(Viewed):
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
            numbers = f"there are turns 1 to {len(places)}" if places else "there is no turn yet"
            raise SessionError(f"no turn {number}; {numbers}")
        return places[number - 1]
