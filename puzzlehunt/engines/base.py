"""The interface of engines, which find the secrets that are still candidates; engines by name."""

import math
import random
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Self, cast, overload

from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Code
from puzzlehunt.codes.constraints import TRUE, Constraint, holds
from puzzlehunt.errors import PuzzlehuntError, TooLargeError, check_number, check_type, unknown_name
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import as_item
from puzzlehunt.game.files.gamefile import GameLike, as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Row, Rows, Shown, Tabled
from puzzlehunt.game.play import ENGINES
from puzzlehunt.game.turn_notation import tried

if TYPE_CHECKING:
    from puzzlehunt.engines.explicit import ExplicitEngine
    from puzzlehunt.engines.sampling.sampler import Sampler


MOST_LISTED = 1 << 21
"""At most this many secrets are listed in arrays, which are quickly made and filtered."""


@dataclass(frozen=True, slots=True)
class Count(Shown):
    """How many candidates there are: from `low` to `high`; the best estimate is `number`.

    If `low` and `high` differ, they are correct with a probability of at least 95 %. `number` is
    None if there is no estimate, and `high` is None if there is no upper bound.

    >>> puzzlehunt.engines.open_engine("4x6").count()
    Count(low=1296, high=1296, number=1296)
    >>> print(puzzlehunt.engines.open_engine("4x6").count())
    1,296 left
    """

    low: int
    high: int | None
    number: int | None = None

    @classmethod
    def of(cls, number: int | None) -> "Count":
        """Return the exact count for a number of candidates, `UNKNOWN` for None."""
        return UNKNOWN if number is None else cls(number, number, number)

    @property
    def exact(self) -> int | None:
        """The number if it is known exactly, else None."""
        return self.low if self.low == self.high else None


UNKNOWN = Count(0, None)
"""The count if nothing is known about the number of candidates."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How many candidates are left on each board; `solved` are the secrets found on the boards.

    `outside` is the probability (0 to 1) that the secret is not a candidate because a turn is
    misread; None if no turn is, if there are too many secrets to weigh, or with several boards.
    """

    counts: tuple[Count, ...]
    outside: float | None = None
    solved: tuple[Code | None, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardState:
    """One board of a game: its engine, and its secret if the board is solved, else None.

    The secret of a solved board need not be in the word list. In a game of one board, `secret` is
    always None, since the game ends when the board is solved.

    >>> engine = puzzlehunt.engines.open_engine("quordle")
    >>> [board.count().exact for board in engine.boards()] == [3461] * 4
    True
    """

    engine: "Engine"
    secret: Code | None = None

    def count(self, *, quickly: bool = False) -> Count:
        """Return how many candidates the board has: exactly one if it is solved."""
        return self.engine.count(quickly=quickly) if self.secret is None else Count.of(1)


@dataclass(frozen=True, slots=True)
class Sample:
    """Some candidates in code order, and whether these are all (`complete`).

    `even`: any candidate was as likely to be drawn, unlike what a solver or a local search finds.
    """

    codes: tuple[Code, ...]
    complete: bool
    even: bool = True


class CandidateView(Tabled):
    """The candidates of an engine, in code order; turns that are pushed later change them.

    Iteration and indices give texts, `codes` the codes; `in` takes either. `len()` counts quickly
    or raises TypeError. The view is false if no candidate is left.

    >>> left = puzzlehunt.candidates("3x4", ["ABB 1b 1w"])
    >>> left[0], left[1:3], next(left.codes), "AAD" in left
    ('BBC', ['BBD', 'BCB'], (1, 1, 2), False)
    """

    def __init__(self, engine: "Engine") -> None:
        self.engine = engine

    @property
    def codes(self) -> Iterator[Code]:
        """The candidates as codes."""
        return self.engine.in_code_order()

    def __iter__(self) -> Iterator[str]:
        return map(self.engine.game.format_code, self.codes)

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    @overload
    def __getitem__(self, place: int) -> str: ...

    def __getitem__(self, place: int | slice) -> list[str] | str:
        some = place if isinstance(place, slice) else slice(place, place + 1)
        from_end = any(one is not None and one < 0 for one in (some.start, some.stop, some.step))
        return list(islice(self, None if from_end else some.stop))[place]

    def __contains__(self, secret: Hashable) -> bool:
        return secret in self.engine

    def __bool__(self) -> bool:
        return self.engine.satisfiable()

    def __len__(self) -> int:
        """Return the number of candidates. Raises TypeError if counting them takes long."""
        count = self.engine.count(quickly=True).exact
        if count is None:
            raise TypeError("candidates that are not listed have no len(); Engine.count tells more")
        return count

    def _columns(self) -> dict[str, list[object]]:
        count = self.engine.count(quickly=True).exact
        if count is None or count > MOST_LISTED:
            raise TooLargeError("too many candidates for a frame; left[:99] are some")
        columns: dict[str, list[object]] = {"candidate": [*self]}
        if (listing := self.engine.listed) is not None:
            chances = dict(listing.likeliest(len(self)))
            columns["chance"] = [chances[code] for code in self.codes]
        return columns

    def __repr__(self) -> str:
        return f"<Candidates of {self.engine!r}>"


class Engine(Shown, ABC):
    """A stack of turns and facts (the items), and the secrets that fit all of them.

    >>> engine = puzzlehunt.engines.open_engine("mastermind")
    >>> engine.push("RRGG 1b 1w")
    >>> engine.count().exact, "RYOG" in engine
    (208, False)
    >>> engine.pop()
    >>> len(engine.items)
    0
    """

    proves: bool = True
    """Whether "no candidate" is a proof; False if it depends on a solver that may err."""
    sampler: "Sampler | None" = None
    """The object that draws candidates of a huge space; None in engines that do not draw."""

    def __init__(self, game: Game, *more: object) -> None:
        self.game = game
        self._arguments = (game, *more)
        """What the engine was made of; a copy and a pickle are made of the same."""
        self._items: list[Item] = []

    def __repr__(self) -> str:
        count = self.count(quickly=True).exact
        left = "" if count is None else f", {count:,} left"
        return f"<{type(self).__name__} of {self.game.title!r}: {len(self._items)} items{left}>"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._arguments, self.items

    def __setstate__(self, items: tuple[Item, ...]) -> None:
        self.follow(History(items))

    def copy(self) -> Self:
        """Return a new engine with the same game and items; later changes are not shared."""
        return copy(self)

    @property
    def items(self) -> tuple[Item, ...]:
        """The turns and facts that were pushed, oldest first."""
        return tuple(self._items)

    @property
    def history(self) -> History:
        """The turns and facts as a history."""
        return History(self.items)

    def push(self, item: Row) -> None:
        """Add a turn or a fact. It may be a line of text, such as `CRANE GY..G` or `/fact no Q`.

        If an error or an interrupt occurs, the engine is unchanged. Raises TypeError for any other
        object. A line that cannot be read raises the same errors as in `Game.as_history`.
        """
        self._push(as_item(self.game, item))

    def _push(self, item: Item) -> None:
        """Add a turn or a fact. What an engine knows of it is stored before, and replaced later."""
        self._items.append(item)

    def pop(self) -> None:
        """Remove the newest turn or fact. Raises IndexError if there is none."""
        if not self._items:
            raise IndexError("pop from an engine without items")
        self.keep(len(self._items) - 1)

    def keep(self, height: int) -> None:
        """Remove all items but the first `height`."""
        check_number("height", height, 0, whole=True)
        del self._items[height:]

    def _places(self, chosen: Iterable[int] | None) -> Sequence[int]:
        every = range(len(self._items))
        if chosen is None:
            return every
        check_type("chosen", chosen, Iterable, "places of items such as [0, 2]")
        places = list(chosen)
        if missing := [place for place in places if place not in every]:
            shown = f"no item has the place {missing[0]!r:.40}"
            raise IndexError(f"{shown}; there are {len(every)} items")
        return places

    def _history(self, places: Iterable[int]) -> History:
        return History(tuple(self._items[place] for place in places))

    def satisfiable(self, chosen: Sequence[int] | None = None, *, also: Constraint = TRUE) -> bool:
        """Return whether some secret fits all items, or only the chosen ones.

        `chosen` are places in `items` (0-based); `also` is a further constraint on the secret. The
        engine does not change. If the space is too large to decide the question, the answer is True
        unless a contradiction is found within some seconds.
        """
        return self._witness(self._places(chosen), also) is not None

    def candidates(self) -> "CandidateView":
        """Return the candidates in code order, as texts, beside which are the `codes`.

        It has `in`, and `len()` if counting is quick. The engine must not change meanwhile.
        """
        return CandidateView(self)

    @abstractmethod
    def in_code_order(self) -> Iterator[Code]:
        """Iterate over the candidates in code order; the engine must not change meanwhile."""

    def sample(self, size: int, rng: random.Random, *, end: float | None = None) -> Sample:
        """Return up to `size` different candidates, drawn with `rng`.

        Drawing stops at the moment `end` (seconds of `time.monotonic`). The sample is empty only if
        there is no candidate, or if it is an incomplete sample of a huge space.
        """
        check_number("size", size, 0, whole=True)
        check_type("rng", rng, random.Random)
        return self._sample(size, rng, math.inf if end is None else end)

    @abstractmethod
    def _sample(self, size: int, rng: random.Random, end: float) -> Sample: ...

    def unsat_core(self, chosen: Sequence[int], *, also: Constraint = TRUE) -> list[int] | None:
        """Return the places of chosen items that contradict each other, None if all may be right.

        `chosen` are places in `items`; some of the result may be no part of the contradiction.
        """
        return None if self.satisfiable(chosen, also=also) else list(chosen)

    def satisfiable_superset(self, chosen: Sequence[int]) -> list[int] | None:
        """Return places of items that may all be right: the chosen items, and more if possible.

        Another selection may have more items. Return None if the chosen items contradict each
        other. The game must have one board.
        """
        code = self._witness(self._places(chosen))
        if code is None:
            return None
        unforgivable, forgivable = meaning.violations(self.game, self.history, code)
        # As many turns as may lie stay, chosen ones first.
        lies = sorted(forgivable, key=lambda place: place not in chosen)
        broken = {*unforgivable, *lies[self.game.channel.lies.at_most :]}
        return [place for place in range(len(self._items)) if place not in broken]

    @abstractmethod
    def _witness(self, chosen: Sequence[int], also: Constraint = TRUE) -> Code | None:
        """Return a code that fits chosen items and another constraint, None if there is none."""

    def count(self, *, quickly: bool = False) -> Count:
        """Return how many candidates there are: exactly, within bounds, or unknown.

        With `quickly`, no candidates are listed or drawn for the count; it may then be unknown.
        """
        return UNKNOWN

    def boards(self) -> tuple[BoardState, ...]:
        """Return the boards, each with its engine. In a game of one board, that is this engine."""
        return (BoardState(self),)

    @property
    def listed(self) -> "ExplicitEngine | None":
        """The engine itself if it lists every secret of the game, else None.

        Only such an engine knows how likely each secret is.
        """
        return None

    def __contains__(self, secret: Hashable) -> bool:
        """Return whether a secret, given as a code, its text or its value, is a candidate."""
        code = tried(self.game.parse_secret, secret)
        return code is not None and self._is_right(code, self.history)

    def _is_right(self, code: Code, history: History, also: Constraint = TRUE) -> bool:
        is_secret = code in self.game.secrets and holds(also, code)
        return is_secret and meaning.fits(self.game, history, code)

    def follow(self, history: Iterable[Row]) -> None:
        """Make the items those of a history, by removing the items that differ and adding new ones.

        An item may be a line of text, as in `push`. A text of several lines is a whole history.
        """
        items = self.game.as_history(history).items
        both = zip(items, self._items, strict=False)
        shared = len([*takewhile(lambda pair: pair[0] == pair[1], both)])
        self.keep(shared)
        for item in items[shared:]:
            self._push(item)

    def known_secret(self) -> Code | None:
        """Return the secret if the answers settle it in a game of questions alone, else None.

        It is settled if it is the only candidate or, where answers may be wrong, if its probability
        is at least 95 %. Games that end with a winning guess settle nothing before.
        """
        if not self.game.only_questions:
            return None
        if self.count(quickly=True).exact == 1:
            return next(self.in_code_order())
        listing = self.listed
        if listing is None or not self.game.channel.weighs or not self.satisfiable():
            return None
        (secret, chance), *_ = listing.likeliest(1)
        return secret if chance >= 0.95 else None

    def first_conflict(self) -> int | None:
        """Return the place of the first item after which no candidate is left, None if some are."""
        if self.satisfiable():
            return None
        # Once a beginning has no candidate, no longer one has: binary search for the shortest.
        sizes = range(1, len(self._items))
        return bisect_left(sizes, True, key=lambda n: self.unsat_core(range(n)) is not None)


def check_literals(game: Game) -> None:
    """Raise TooLargeError for a game with too many literals (positions times symbols)."""
    if game.length * len(game.secrets.alphabet) > 100_000:
        raise TooLargeError(
            f"{game.length} positions x {len(game.secrets.alphabet)} symbols are too many for "
            "a model; the limit is 100,000 in all"
        )


def check_engine(engine: object, game: Game) -> None:
    """Raise TypeError if `engine` is not an engine, ValueError if it is of another game."""
    check_type("engine", engine, Engine, "an engine, as open_engine returns it")
    its_game = cast(Engine, engine).game
    known, asked = ((one.rule, one.secrets, one.guesses) for one in (its_game, game))
    if known != asked:
        titles = f"{its_game.title!r:.60}, not {game.title!r:.60}"
        raise ValueError(f"the engine is of another game: {titles}")


# Engines by name.


def chosen(game: Game, name: str) -> str:
    """Return the name of an engine. Raises UnknownNameError.

    `auto` is `symbolic` with a solver, or too many secrets to list; else `explicit`.
    """
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES)
    several = "secrets have several lengths" if len(game.secrets.lengths) > 1 else ""
    if reason := game.rule.no_constraint or several:
        if name in ("auto", "explicit") and game.play.solver is None:
            return "explicit"
        asked = f"the {name} engine" if game.play.solver is None else "a solver"
        raise PuzzlehuntError(f"{asked} cannot play here: {reason}")
    if name != "auto":
        return name
    listable = game.one_board.secrets.size <= MOST_LISTED and len(game.alphabet) <= MOST_SYMBOLS
    return "explicit" if listable and game.play.solver is None else "symbolic"


def open_engine(game: GameLike, name: str | None = None) -> Engine:
    """Return an engine for a game, with the turns and facts of the game's history.

    `game` is as in `candidates`. `name` is the name of the engine, by default the one in the game's
    `play` settings. A game of several boards gets an engine for each board. Raises
    UnknownNameError, and PuzzlehuntError for an engine that cannot play this or is not installed.

    >>> puzzlehunt.engines.open_engine("heart-2018")
    <ExplicitEngine of 'Cryptic Mastermind, a log of 2018': 27 items, 47 left>
    >>> puzzlehunt.engines.open_engine("16x6", "symbolic").satisfiable()
    True
    """
    game = as_game(game)
    if game.boards > 1:
        kind, more = "product", [partial(open_engine, name=name)]
    else:
        kind, more = chosen(game, name or game.play.engine), []
    # Imported by name, since some files need numpy or another package.
    file = import_module(f"puzzlehunt.engines.{kind}")
    engine: Engine = getattr(file, f"{kind.title()}Engine")(game, *more)
    engine.follow(game.history)
    return engine


def candidates(game: GameLike, rows: Rows | None = None) -> CandidateView:
    """Return the codes that are still possible in a game, in code order.

    `game` is a game, what `load` takes, or a session; `rows`, which may be lines such as `CRANE
    GY..G`, are added to its own, and one whose guess is on the board completes its row. The result
    can be iterated over and indexed (texts), counted with `len()`, and searched with `in` (a code
    or its text); it is empty if the rows contradict each other. Raises the errors of `load`,
    `Game.as_history` and `open_engine`, and RuleError with `legend: unknown`.

    >>> left = puzzlehunt.candidates("mastermind", ["RRGG 1b 1w", "RYBO 1b"])
    >>> len(left), "RBRP" in left, left[:3]
    (74, True, ['RGYB', 'RGYY', 'RGYP'])
    """
    return as_engine(game, rows).candidates()


def as_engine(game: GameLike, rows: Rows | None = None) -> Engine:
    """Return the engine of a game with its rows, to which `rows` are added, as `as_game` does.

    Without `rows`, an engine is returned unchanged, and that of a session is its own. Raises
    RuleError if nobody explained the marks; whoever has an engine knows what it leaves out.
    """
    engine = getattr(game, "engine", game)
    if rows is not None or not isinstance(engine, Engine):
        engine = open_engine(as_game(game, rows))
    if engine is not game:
        meaning.check_explained(engine.game)
    return engine
