"""Hard: searches whole games of hard mode, where a guess decides which are allowed later.

A position is the candidates, the guesses that are still allowed, and the attempts left. What is
minimised is first how many secrets are not found in time, and then the guesses of all together.
Every value is that of a play that was found, and a larger budget never has a worse one: see
`kernels/compiled/search.py`, which searches, for the argument.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.kernels import reference_search
from puzzlehunt.kernels.packed_codes import Indices, PackedCodes, array_of, code_of, indices_in
from puzzlehunt.rules.base import Rule
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.hard_proof import HardProof
from puzzlehunt.strategies.search.hard_search import (
    HardSearch,
    QuickSearch,
    State,
    by_tiles,
    capped,
)
from puzzlehunt.strategies.search.proof import ProofLog
from puzzlehunt.strategies.search.whole_games import (
    SearchResult,
    equal_codes,
    unsupported_reason,
)
from puzzlehunt.strategies.symmetry import orbit_representatives

_LARGEST_TABLE, _LARGEST_FITS = 400_000_000, 150_000_000
"""Cap on the table of guesses and candidates, and on that of guesses and guesses (cells)."""
_LARGEST_QUICK_TABLE, _LARGEST_QUICK_FITS = 4_000_000, 4_000_000
"""The same where a person waits (cells)."""
_QUICK_WORK = 12_000_000
"""Cap on what one choice may take then (scores): about a second."""


def _trouble_with_later_guesses(rule: Rule, guesses: PackedCodes) -> str:
    """Return why it cannot be looked up which guesses hard mode allows, "" if it can.

    Where it is not by tiles, guesses are scored as if they were secrets, and so have to look alike.
    """
    if by_tiles(rule):
        return ""
    if type(rule).hard_mode_constraint is not Rule.hard_mode_constraint:
        return f"the hard mode of {rule.name}"
    if len(guesses) ** 2 > _LARGEST_FITS:
        return f"{len(guesses):,} guesses, whose answers to each other are too many"
    codes, most = np.sort(guesses.codes, axis=1), rule.repeats
    # Sorted, a symbol that occurs more than `most` times stands at both ends of most + 1 places.
    repeated = most < codes.shape[1] and (codes[:, most:] == codes[:, :-most]).any()
    if (codes >= rule.symbols).any() or repeated:
        return "guesses that no secret looks like"
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class CachedSearch:
    """A search, the position that it was made for, and the place of each secret, -1 for none."""

    position: Position
    places: Indices
    search: HardSearch

    def part(self, position: Position) -> State | None:
        """Return the part of a position; None if a candidate or a guess of it is unknown."""
        ours, guesses = self.position, position.pool.guesses
        same = ours.game.rule is position.game.rule
        if not same or not equal_codes(ours.secrets, position.secrets):
            return None
        if guesses is None or ours.pool.guesses is None:
            return None
        candidates = self.places[position.candidates]
        allowed = indices_in(ours.pool.guesses.codes, guesses.codes)
        known = (candidates >= 0).all() and (allowed >= 0).all()
        return self.search.part(position, candidates, allowed) if known else None


class Hard(Strategy):
    """Minimises first the candidates not found with the attempts left, then the guesses.

    With a `budget`, only that many guesses are looked into in each position; without one, all, and
    the value is proved to be the least. It is what `optimal` plays in hard mode.
    """

    name: ClassVar[str] = "optimal"
    optimal = True
    proves = True
    measure = GUESSES_ON_AVERAGE
    allows_for_channel = False
    needs_all_candidates = True

    def __init__(self, budget: int | None = None) -> None:
        self.budget = budget
        self._searched: CachedSearch | None = None
        self.proof_log = ProofLog()
        """What is known before a whole game is proved, and who is told how far that is."""

    def unsupported_reason(self, position: Position) -> str:
        guesses, rule = position.pool.guesses, position.game.rule
        if guesses is None:
            return "candidates alone as guesses"
        if trouble := unsupported_reason(position, len(guesses), _LARGEST_TABLE):
            return trouble
        return _trouble_with_later_guesses(rule, guesses)

    def quickly(self, position: Position) -> Suggestion | None:
        guesses, count = position.pool.guesses, len(position.candidates)
        if count == 1 or guesses is None or self.unsupported_reason(position):
            return None
        fits = 0 if by_tiles(position.game.rule) else len(guesses) ** 2
        if len(guesses) * count > _LARGEST_QUICK_TABLE or fits > _LARGEST_QUICK_FITS:
            return None
        search = QuickSearch(position, self.budget, _QUICK_WORK)
        with suppress(reference_search.TooMuchWorkError):
            whole = State(np.arange(count), np.arange(len(guesses)), capped(position.attempts))
            return self._rated(position, search.best(whole), guesses)
        return None

    def searches(self, position: Position) -> bool:
        return True

    def plans_ahead(self, position: Position) -> bool:
        return True

    def prepare(self, position: Position, opening: Code | None = None) -> None:
        if opening is None:
            self._best(position)
        elif (place := self._place_of(position, opening)) >= 0:
            searched, part = self._searching_for(position)
            if self._proves(position, part):
                self._proved(searched.search, part, [place], place)
            else:
                searched.search.with_guess(part, place)

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return the best guess alone: the others are only known to be no better."""
        if len(position.candidates) == 1:
            return [Strategy.rate(self, position, position.candidate(0))], True
        found, guesses = self._best(position)
        return [self._rated(position, found, guesses)], self.budget is None

    def choose(self, position: Position) -> PackedCodes:
        if len(position.candidates) == 1:
            return position.secrets[position.candidates]
        found, guesses = self._best(position)
        return guesses[np.array([found.guess])]

    def rate(self, position: Position, guess: Code) -> Suggestion:
        rated, place = Strategy.rate(self, position, guess), self._place_of(position, guess)
        if place < 0:
            return rated
        searched, part = self._searching_for(position)
        return searched.search.with_guess(part, place).rated(rated, len(part.candidates))

    def _rated(self, position: Position, found: SearchResult, guesses: PackedCodes) -> Suggestion:
        """Return the suggestion of a guess that was found."""
        rated = Strategy.rate(self, position, code_of(guesses.codes[found.guess]))
        return found.rated(rated, len(position.candidates))

    def _place_of(self, position: Position, guess: Code) -> int:
        """Return the place of a guess in the search, -1 where it is not allowed."""
        searched, part = self._searching_for(position)
        codes = searched.position.choices()[0].codes
        place = int(indices_in(codes, array_of([guess], codes.shape[1]))[0])
        return place if place in part.allowed else -1

    def _proves(self, position: Position, part: State) -> bool:
        """Return whether the play of a whole game is proved in a position."""
        whole = self.budget is None and position.nothing_known
        return whole and len(part.candidates) > 1 and part.attempts > 1

    def _proved(
        self, search: HardSearch, part: State, order: list[int], opening: int | None = None
    ) -> SearchResult:
        """Return the best first guess of some in order, or the given one; it is proved once."""
        key = (*part.key, opening)
        if key not in search.proved:
            search.proved[key] = HardProof(search, part, order, self.proof_log).run()
        return search.proved[key]

    def _best(self, position: Position) -> tuple[SearchResult, PackedCodes]:
        searched, part = self._searching_for(position)
        search, guesses = searched.search, searched.position.choices()[0]
        if not position.nothing_known:
            return search.best(part), guesses
        representatives = part.allowed[orbit_representatives(position, guesses.codes[part.allowed])]
        if self._proves(position, part):
            return self._proved(search, part, search.by_estimate(part, representatives)), guesses
        return search.first(part, representatives), guesses

    def _searching_for(self, position: Position) -> tuple[CachedSearch, State]:
        """Return a search that holds a position, made anew if need be, and its part in it."""
        part = None if self._searched is None else self._searched.part(position)
        if self._searched is None or part is None:
            if trouble := self.unsupported_reason(position):
                raise StrategyError(f"{self.name}: cannot search {trouble}; try --strategy deep")
            self._searched = None  # its table is freed before another is made
            places = np.full(len(position.secrets), -1)
            places[position.candidates] = np.arange(len(position.candidates))
            self._searched = CachedSearch(position, places, HardSearch(position, self.budget))
            part = self._searched.part(position)
        assert part is not None, "a search holds the position that it was made for"
        return self._searched, part
