"""Optimal: searches the whole game; with a budget, the best play among the likeliest guesses."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.kernels.codes import Bytes, Places, Rows, array_of, code_of, places_in
from puzzlehunt.kernels.tables import Table, table_blocks, unsigned
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search import MOST_GUESSES, Choice, Search

_LARGEST_TABLE, _LARGEST_QUICK_TABLE = 1_300_000_000, 4_000_000
"""Feedbacks of all guesses and candidates, each a byte or two; fewer while a person waits."""
_MOST_FEEDBACKS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A search, of what it is one, and the place in its table of each secret, -1 for none."""

    position: Position
    places: Places
    rows: Rows
    search: Search

    def serves(self, position: Position) -> bool:
        """Return whether the search knows all candidates of a position."""
        ours = self.position
        same = (
            ours.game.rule is position.game.rule
            and _equal(ours.secrets, position.secrets)
            and _equal(ours.pool.guesses, position.pool.guesses)
        )
        return same and bool((self.places[position.candidates] >= 0).all())


class Optimal(Strategy):
    """Minimises the guesses that all candidates take together; first, how many are out of reach.

    Without a budget the value is proved to be the least. With one, so many guesses are looked into
    in each position. What was found is remembered as long as the strategy is used.
    """

    name: ClassVar[str] = "optimal"
    measure = "guesses on average"
    through_channel = False
    whole = True

    def __init__(self, budget: int | None = None) -> None:
        self.budget = budget
        self._known: _Known | None = None

    def trouble(self, position: Position) -> str:
        guesses = position.pool.guesses
        wide = len(position.candidates) if guesses is None else len(guesses)
        if position.game.hard:
            return "hard mode, where guesses depend on the rows"
        if position.weights is not None or position.observation is not None:
            return "candidates that are not equally likely, or rows that may be wrong"
        waits = position.budget.seconds is not None
        most = _LARGEST_QUICK_TABLE if waits else _LARGEST_TABLE
        if wide * len(position.candidates) > most or wide > MOST_GUESSES:
            what = f"{wide:,} guesses and {len(position.candidates):,} candidates"
            return f"{what} while a person waits" if waits else f"{what}, which are too many"
        if len(position.game.rule.feedbacks) > _MOST_FEEDBACKS:
            return f"{len(position.game.rule.feedbacks):,} answers, which are too many"
        if (position.choices()[1] < 0).any():
            return "a candidate that may not be guessed"
        return ""

    def plans(self, position: Position) -> bool:
        return True

    def prepare(self, position: Position, opening: Code | None = None) -> None:
        if opening is None:
            self._best(position)
        else:
            self._with(position, opening)

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return the best guess alone: of the others it is only known that they are no better."""
        if len(position.candidates) == 1:
            return [Strategy.rate(self, position, position.candidate(0))], True
        choice, known = self._best(position)
        rated = super().rate(position, code_of(known.rows.codes[choice.guess]))
        return [_told(rated, choice, len(position.candidates))], self.budget is None

    def choose(self, position: Position) -> Rows:
        if len(position.candidates) == 1:
            return position.secrets[position.candidates]
        choice, known = self._best(position)
        return known.rows[np.array([choice.guess])]

    def rate(self, position: Position, guess: Code) -> Suggestion:
        choice = self._with(position, guess)
        rated = super().rate(position, guess)
        return rated if choice is None else _told(rated, choice, len(position.candidates))

    def _best(self, position: Position) -> tuple[Choice, _Known]:
        known = self._knowing(position)
        candidates = known.places[position.candidates]
        return known.search.best(candidates, position.attempts, _made(position)), known

    def _with(self, position: Position, guess: Code) -> Choice | None:
        """Return what a guess is worth, None where it is none of those that are searched."""
        known = self._knowing(position)
        asked = array_of([guess], position.game.length)
        place = int(places_in(known.rows.codes, asked)[0])
        if place < 0:
            return None
        candidates = known.places[position.candidates]
        return known.search.with_guess(candidates, position.attempts, place, _made(position))

    def _knowing(self, position: Position) -> _Known:
        """Return a search that knows the candidates of a position. Raises StrategyError."""
        if self._known is None or not self._known.serves(position):
            if trouble := self.trouble(position):
                raise StrategyError(f"{self.name}: cannot search {trouble}; try --strategy deep")
            self._known = self._searching(position)
        return self._known

    def _searching(self, position: Position) -> _Known:
        game, rule = position.game, position.game.rule
        rows, as_guess = position.choices()
        search = Search(
            rows.codes,
            _answers(position, rows),
            as_guess,
            rule.feedbacks.index(rule.winning),
            len(rule.feedbacks),
            self.budget,
            0 if position.used is None else len(game.alphabet),
            position.pool.guesses is None,
        )
        places = np.full(len(position.secrets), -1)
        places[position.candidates] = np.arange(len(position.candidates))
        return _Known(position, places, rows, search)


def _equal(ours: Rows | None, theirs: Rows | None) -> bool:
    """Return whether these are the same codes in the same order."""
    if ours is None or theirs is None or ours is theirs:
        return ours is theirs
    return np.array_equal(ours.codes, theirs.codes)


def _answers(position: Position, rows: Rows) -> Table:
    """Return (S, G) what each candidate answers to each guess, as places in the feedbacks."""
    rule, secrets = position.game.rule, position.secrets[position.candidates]
    kind = unsigned(len(rule.feedbacks))
    table: Table = np.empty((len(secrets), len(rows)), dtype=kind)
    for block in table_blocks(len(secrets), len(rows)):
        table[block] = rule.table(rows, secrets[block]).T
    return table


def _made(position: Position) -> tuple[Bytes, ...] | None:
    """Return the guesses so far where they are all that is known, None where more is."""
    if position.used is None:
        return () if position.fresh else None
    return tuple(array_of(position.made, position.game.length))


def _told(rated: Suggestion, choice: Choice, count: int) -> Suggestion:
    """Return a suggestion with its value: guesses on average, this one included."""
    return replace(rated, value=None if choice.unreached else round(choice.value / count, 4))
