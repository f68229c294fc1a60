"""Histories: the turns and facts of games in chronological order; base classes of what is shown."""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from itertools import count
from textwrap import shorten
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import Constraint
from puzzlehunt.errors import SessionError, check_number, check_type, missing_package
from puzzlehunt.rules.notation.clue import Clue

if TYPE_CHECKING:
    from pandas import DataFrame

    from puzzlehunt.game.game import Game


# What is printed of values, and shown in notebooks; results as pandas frames.


class Shown:
    """A value whose text is what a terminal prints of it; notebooks show this text, too."""

    __slots__ = ()

    def __str__(self) -> str:
        text: str = import_module("puzzlehunt.views.shown").value_text(self)  # when it is printed
        return text

    def _repr_html_(self) -> str:
        from html import escape  # which starts slowly

        return f"<pre>{escape(str(self))}</pre>"


class Tabled(Shown):
    """Values, such as suggestions or turns, that are the rows of a frame."""

    __slots__ = ()

    _row_type: ClassVar[type[Any]]
    """The dataclass of the values."""

    def to_frame(self) -> "DataFrame":
        """Return a pandas frame with a row for each value, and a column for each of its attributes.

        Positions and boards count from 0, rows of the game from 1. Raises PuzzlehuntError without
        pandas.
        """
        try:
            import pandas
        except ImportError:
            raise missing_package("a frame needs pandas", "frames") from None
        columns = self._columns().items()
        whole = {name for name, column in columns if {*map(type, column)} == {int, type(None)}}
        frame = pandas.DataFrame(dict(columns))
        return frame.astype(dict.fromkeys(whole, "Int64"))  # else None makes them fractions

    def _columns(self) -> Mapping[str, Sequence[object]]:
        """Return the columns by name: the fields of the values, but no codes beside their texts."""
        rows, names = [*cast(Iterable[Any], self)], [each.name for each in fields(self._row_type)]
        names = [name for name in names if name not in ("game", "history", "code", "best_code")]
        return {name: [getattr(row, name) for row in rows] for name in names}


# Turns, facts and histories.

DEFAULT_DOUBT = 0.5
"""The probability that a doubted turn is wrong, if the player states none."""
FACT = "/fact "
"""The beginning of a line that states a fact, among lines that state turns."""
_LINES = "a tuple of Turns and Facts; game.as_history takes lines"
_TEXTS = "game.turn(guess, answer) makes a turn of texts and feedback"


@dataclass(frozen=True, slots=True, repr=False)
class Turn:
    """A guess with its clue, and `doubt`, the probability that the turn is wrong.

    A doubted turn rules out nothing but its guess; its clue only makes secrets more or less likely.
    `guess` and `answer` are the texts of `code` and `clue`, as the game writes them; `str` is the
    whole line, with doubt and note. A turn that was made without a game has no texts.

    >>> turn = puzzlehunt.load("4x6").turn("AABB 1b ? # blurred")
    >>> print(turn)
    AABB 1b ? # blurred
    >>> turn.guess, turn.code, (1, 3) in turn.clue
    ('AABB', (0, 0, 1, 1), True)
    """

    code: Code
    clue: Clue
    doubt: float = 0.0
    guess: str = field(default="", compare=False)
    answer: str = field(default="", compare=False)
    note: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.code, tuple):
            raise TypeError(f"a code is a tuple of numbers, not {self.code!r:.60}; {_TEXTS}")
        if isinstance(self.clue, tuple | str) or not hasattr(self.clue, "__contains__"):
            raise TypeError(f"{self.clue!r:.60} is not a clue; {_TEXTS}")
        check_number("doubt", self.doubt, 0, 1)

    def __str__(self) -> str:
        said = f"{self.guess} {self.answer}" if self.answer else f"{self.code}, {self.clue!r}"
        doubt = f" {format_doubt(self.doubt)}" if self.doubt else ""
        note = f" # {self.note}" if self.note else ""
        return said + doubt + note

    def __repr__(self) -> str:
        return f"<Turn: {shorten(str(self), 120)}>"


def format_doubt(chance: float) -> str:
    """Return a doubt as it is written after a turn: `?`, or `?20%`."""
    return "?" if chance == DEFAULT_DOUBT else f"?{chance * 100:.10g}%"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something known about the secret that no turn says, as text and as a constraint.

    In a game of several boards a fact is about the secret of one board, `board` (from 0).

    >>> print(puzzlehunt.load("wordle").parse_fact("no Q"))
    no Q
    """

    text: str
    constraint: Constraint = field(repr=False, hash=False)  # a list of words takes long to hash
    board: int | None = None

    def __post_init__(self) -> None:
        expected = "a constraint; game.parse_fact makes facts of texts"
        check_type("fact", self.constraint, Constraint, expected)

    def __str__(self) -> str:
        return self.text


Item: TypeAlias = Turn | Fact
Row: TypeAlias = Item | str | tuple[Hashable, Any]
"""An item, a line that writes one, or a guess with its answer."""
Rows: TypeAlias = Iterable[Row] | str
"""Rows, or a text of lines; `Game.as_history` takes them."""
ItemName: TypeAlias = int | Fact
"""How an item of a history is named: a turn by its number (from 1), a fact by itself."""


def in_order(names: Iterable[ItemName]) -> tuple[ItemName, ...]:
    """Return names without repetitions: the numbers in order, then the facts as they come."""
    different = dict.fromkeys(names)
    return tuple(sorted(different, key=lambda name: math.inf if isinstance(name, Fact) else name))


@dataclass(frozen=True, slots=True, repr=False)
class History(Tabled):
    """The turns and facts of a game, oldest first; every change returns a new history.

    `str` is the sheet, a line for each item, which `Game.as_history` reads back. A frame has a row
    for each turn.

    >>> history = puzzlehunt.load("4x6").as_history(["AABB 1b", "/fact no F"])
    >>> print(history)
    AABB 1b
    /fact no F
    >>> len(history), history.drop(1)
    (2, <History: no F>)
    """

    items: tuple[Item, ...] = ()

    def __post_init__(self) -> None:
        check_type("history", self.items, tuple, _LINES)
        for item in self.items:
            check_type("history", item, Turn | Fact, _LINES)

    def __str__(self) -> str:
        lines = (f"{FACT}{item}" if isinstance(item, Fact) else str(item) for item in self.items)
        return "\n".join(lines)

    def __repr__(self) -> str:
        rows = ", ".join(map(str, self.items))
        return f"<History: {shorten(rows, 120) or 'empty'}>"

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __getitem__(self, place: int) -> Item:
        return self.items[place]

    def __len__(self) -> int:
        return len(self.items)

    def _columns(self) -> Mapping[str, Sequence[object]]:
        names = ("row", "guess", "clue", "doubt", "note")
        rows = [(n, t.guess, t.answer, t.doubt, t.note) for n, t in enumerate(self.turns, start=1)]
        return {name: [row[n] for row in rows] for n, name in enumerate(names)}

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns alone, in order; turn 3, which users also call row 3, is `turns[2]`."""
        return tuple([item for item in self.items if isinstance(item, Turn)])

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts alone."""
        return tuple([item for item in self.items if isinstance(item, Fact)])

    @property
    def names(self) -> tuple[ItemName, ...]:
        """The name of each item: the number of a turn (from 1), a fact itself."""
        numbers = count(1)
        return tuple([item if isinstance(item, Fact) else next(numbers) for item in self.items])

    def add(self, *items: Item) -> "History":
        """Return this history with turns or facts added at its end."""
        return History(self.items + items)

    def replace(self, number: int, turn: Turn) -> "History":
        """Return this history with turn `number` (from 1) replaced by another turn."""
        place = self._place(number)
        return History((*self.items[:place], turn, *self.items[place + 1 :]))

    def drop(self, number: int) -> "History":
        """Return this history without turn `number` (from 1)."""
        place = self._place(number)
        return History(self.items[:place] + self.items[place + 1 :])

    def turn(self, number: int) -> Turn:
        """Return turn `number` (from 1). Raises SessionError if there is none."""
        return cast(Turn, self.items[self._place(number)])

    def _place(self, number: int) -> int:
        """Return the place (from 0) of turn `number` (from 1) among all items."""
        if number in self.names:
            return self.names.index(number)
        last = len(self.turns)
        rows = f"rows go from 1 to {last}" if last else "there is no row yet"
        raise SessionError(f"no row {number}; {rows}")


def number_of(history: History, guess: Code) -> int | None:
    """Return the number (from 1) of the newest turn with a guess, None if there is none."""
    numbers = {turn.code: number for number, turn in enumerate(history.turns, start=1)}
    return numbers.get(guess)


def item_named(history: History, name: ItemName) -> Item:
    """Return the turn of a number (from 1), or the fact itself."""
    return name if isinstance(name, Fact) else history.turn(name)


@dataclass(frozen=True, slots=True)
class Finding(Shown):
    """Something that is said about a game and its history."""

    game: "Game" = field(compare=False, repr=False)
    history: History = field(repr=False)
