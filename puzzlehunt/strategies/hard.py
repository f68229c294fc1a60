"""Hard: searches whole games of hard mode, where a guess decides which are allowed later.

A position is the candidates, the guesses that are still allowed, and the attempts left. What is
minimised is first how many secrets are not found in time, and then the guesses of all together.
Every value is that of a play that was found, and a larger budget never has a worse one: see
`kernels/compiled/hard_mode.py`, which searches, for the argument.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels import hard_mode
from puzzlehunt.kernels.codes import Places, Rows, array_of, code_of, places_in
from puzzlehunt.kernels.tables import Table, table_blocks, unsigned_type
from puzzlehunt.rules.base import Rule, TileRule
from puzzlehunt.strategies.base import GUESSES_ON_AVERAGE, Strategy, Suggestion
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search import MOST_GUESSES, NO_BOUND, prices

_ALL_UP_TO = 12
"""Most candidates of a position in which all guesses are looked into, whatever the budget."""
_SAFE_WIDTH = 40
"""Guesses that are tried for a safe play, with more than three attempts left."""
_OPENINGS, _OPENING_BUDGET = 30, 2
"""First guesses that are compared, by a search with the least budget that is of use."""
_BUDGET_OF_AN_OPENING = 10
"""For each so many guesses of the budget, one more first guess is searched with all of it."""
_MOSTLY_FOUND = (1, 4, 15, 60)
"""Candidates that are mostly found with 1, 2, ... attempts left."""
_PENALTIES = (50, 10, 3, 1)
"""Guesses that the estimate adds for each candidate more than those, by attempts left."""
_LARGEST_TABLE, _LARGEST_FITS = 400_000_000, 150_000_000
"""Cap on the table of guesses and candidates, and on that of guesses and guesses (cells)."""
_LARGEST_QUICK_TABLE, _LARGEST_QUICK_FITS = 4_000_000, 4_000_000
"""The same where a person waits (cells)."""
_QUICK_WORK = 12_000_000
"""Cap on what one choice may take then (scores): about a second."""
_TABLE_BLOCK = 1 << 22
"""Size of a block of a table, which is held twice while it is made (cells)."""
_MOST_FEEDBACKS = 10_000
"""Cap on the feedbacks of a rule: every frame of a search has arrays of that length (memory)."""
_PARTS_REMEMBERED = 1 << 21
"""Positions whose values are remembered (32 bytes each)."""


@dataclass(frozen=True, slots=True)
class Found:
    """A guess (its place), and what all candidates take by it; `lost` are not found in time."""

    guess: int
    total: int
    lost: int


class HardSearch:
    """A search of hard mode for one game, with a budget of guesses; None looks into all.

    `table` (guesses, candidates) holds the feedbacks, `as_guess` the place of each candidate among
    the guesses. What was found is remembered as long as the search exists.
    """

    def __init__(self, position: Position, budget: int | None) -> None:
        from puzzlehunt.kernels.compiled import hard_mode as kernels
        from puzzlehunt.kernels.compiled import memory

        self._kernels = kernels
        self.budget = budget
        self._game = _arrays(position)
        self._memory = memory.Memory(np.zeros((_PARTS_REMEMBERED, 4), dtype=np.uint64))
        self._stacks: SimpleQueue[Any] = SimpleQueue()
        self.setting, self._first = self._setting(budget), self._setting(_OPENING_BUDGET)

    def _setting(self, budget: int | None) -> Any:
        """Return the kernels' `Setting` for a budget. Safe values have one key for all budgets."""
        secrets, guesses = len(self._game["as_guess"]), len(self._game["table"])
        attempts = hard_mode.MOST_ATTEMPTS + 1
        rng = np.random.default_rng(0)

        def keys(*shape: int) -> npt.NDArray[np.uint64]:
            return rng.integers(0, 1 << 64, shape, dtype=np.uint64)

        secret_keys, guess_keys = keys(secrets, 2), keys(guesses, 2)
        attempt_keys = keys(attempts, 2, 2)
        rng = np.random.default_rng((1, budget or 0))
        attempt_keys[:, 1] = keys(attempts, 2)
        return self._kernels.Setting(
            **self._game,
            secret_keys=secret_keys,
            guess_keys=guess_keys,
            attempt_keys=attempt_keys,
            prices=_prices(secrets),
            width=guesses if budget is None else max(1, budget),
            safe_width=_SAFE_WIDTH,
            all_up_to=_ALL_UP_TO,
        )

    def best(self, candidates: Places, allowed: Places, attempts: int | None) -> Found:
        """Return the best guess that was found in a position."""
        return _found(*self._value(self.setting, candidates, allowed, _capped(attempts)))

    def first(self, candidates: Places, allowed: Places, attempts: int | None) -> Found:
        """Return the best first guess: the best by a small budget are searched with all of it."""
        capped = _capped(attempts)
        if capped == 1 or len(candidates) <= _ALL_UP_TO or self.budget is None:
            return self.best(candidates, allowed, attempts)
        order = self._by_estimate(candidates, allowed, capped)[:_OPENINGS]

        def small_value(guess: int) -> int:
            return self._guess_value(self._first, candidates, allowed, capped, guess, NO_BOUND)

        order.sort(key=small_value)
        best = NO_BOUND, -1
        for guess in order[: 1 + self.budget // _BUDGET_OF_AN_OPENING]:
            value = self._guess_value(self.setting, candidates, allowed, capped, guess, best[0])
            best = min(best, (value, guess), key=lambda each: each[0])
        return _found(*best)

    def with_guess(
        self, candidates: Places, allowed: Places, attempts: int | None, guess: int
    ) -> Found:
        """Return what the candidates take with a given guess; threads search its parts."""
        capped = _capped(attempts)
        value = self._guess_value(self.setting, candidates, allowed, capped, guess, NO_BOUND)
        return _found(value, guess)

    def _by_estimate(self, candidates: Places, allowed: Places, attempts: int) -> list[int]:
        """Return the allowed guesses that tell something, the best estimate first."""
        stack = self._stack()
        order: Places = self._kernels.in_order(
            self.setting, stack, candidates.astype(np.int32), allowed.astype(np.int32), attempts
        )
        self._stacks.put(stack)
        return [int(guess) for guess in order]

    def _guess_value(
        self, setting: Any, candidates: Places, allowed: Places, attempts: int, guess: int,
        bound: int,
    ) -> int:  # fmt: skip
        """Return the value of a guess; `bound` or more says only that it is no less."""
        from concurrent.futures import ThreadPoolExecutor

        from puzzlehunt.kernels.compiled.threads import threads

        answers = self._game["table"][guess, candidates]
        if attempts == 1:
            return len(candidates) + (len(candidates) - 1) * hard_mode.UNREACHED
        present, sizes = np.unique(answers, return_counts=True)
        order = [a for _, a in sorted(zip(-sizes, present.tolist(), strict=True))]
        parts = [(a, candidates[answers == a]) for a in order if a != self.setting.winning]
        lows = sum(2 * len(part) - 1 for _, part in parts)
        total, lock = [len(candidates) + lows], Lock()

        def search(item: tuple[int, Places]) -> None:
            answer, part = item
            if (slack := bound - total[0]) <= 0:
                return
            low = 2 * len(part) - 1
            kept = self._kernels.allowed_after(setting, guess, answer, allowed.astype(np.int32))
            value, _ = self._value(setting, part, kept, attempts - 1, slack + low)
            with lock:
                total[0] += value - low

        with ThreadPoolExecutor(threads()) as pool:
            list(pool.map(search, parts))
        return total[0]

    def _stack(self) -> Any:
        try:
            return self._stacks.get_nowait()
        except Empty:
            guesses, secrets = self._game["table"].shape
            depth, length = hard_mode.MOST_ATTEMPTS + 1, self._game["codes"].shape[1]
            feedbacks = self._game["feedbacks"]
            return self._kernels.new_stack(secrets, guesses, feedbacks, length, depth)

    def _value(
        self, setting: Any, candidates: Places, allowed: Places, attempts: int,
        bound: int = NO_BOUND,
    ) -> tuple[int, int]:  # fmt: skip
        stack = self._stack()
        value, guess = self._kernels.value_of(
            setting, self._memory, stack, candidates.astype(np.int32), allowed.astype(np.int32),
            attempts, bound,
        )  # fmt: skip
        self._stacks.put(stack)
        return int(value), int(guess)


class QuickSearch:
    """A search without loaded kernels, for where a person waits: the same values, if it ends.

    `work` caps what one choice may take: see `kernels/hard_mode.py`.
    """

    def __init__(self, position: Position, budget: int | None, work: int) -> None:
        game = _arrays(position)
        secrets, guesses = len(game["as_guess"]), len(game["table"])
        self._work = work
        self._search = hard_mode.Search(
            hard_mode.Setting(
                **game,
                prices=_prices(secrets),
                width=guesses if budget is None else max(1, budget),
                safe_width=_SAFE_WIDTH,
                all_up_to=_ALL_UP_TO,
            )
        )

    def best(self, candidates: Places, allowed: Places, attempts: int | None) -> Found:
        """Return the best guess that was found. Raises TooMuchWorkError."""
        return _found(*self._search.value_of(candidates, allowed, _capped(attempts), self._work))


def _capped(attempts: int | None) -> int:
    most = hard_mode.MOST_ATTEMPTS
    return most if attempts is None else min(attempts, most)


def _found(value: int, guess: int) -> Found:
    lost, total = divmod(value, hard_mode.UNREACHED)
    return Found(guess, total, lost)


def _prices(size: int) -> npt.NDArray[np.int64]:
    """Return what parts of 0 to `size` candidates are estimated to take, by the attempts left."""
    count = np.arange(size + 1)
    rows = [prices(size, hard_mode.SCALE)] * (hard_mode.MOST_ATTEMPTS + 2)
    for left, (enough, guesses) in enumerate(zip(_MOSTLY_FOUND, _PENALTIES, strict=True), start=1):
        rows[left] = rows[left] + np.maximum(count - enough, 0) * guesses * hard_mode.SCALE
    return np.stack(rows)


def _by_tiles(rule: Rule) -> bool:
    """Return whether hard mode demands that tiles be kept and symbols used, and no more."""
    return isinstance(rule, TileRule) and rule.hard_mode_by_tiles


def _trouble_with_later_guesses(rule: Rule, guesses: Rows) -> str:
    """Return why it cannot be looked up which guesses hard mode allows, "" if it can.

    Where it is not by tiles, guesses are scored as if they were secrets, and so have to look alike.
    """
    if _by_tiles(rule):
        return ""
    if type(rule).hard_mode_constraint is not Rule.hard_mode_constraint:
        return f"the hard mode of {rule.name}"
    if len(guesses) ** 2 > _LARGEST_FITS:
        return f"{len(guesses):,} guesses"
    codes, most = np.sort(guesses.codes, axis=1), rule.repeats
    # Sorted, a symbol that occurs more than `most` times stands at both ends of most + 1 places.
    repeated = most < codes.shape[1] and (codes[:, most:] == codes[:, :-most]).any()
    if (codes >= rule.symbols).any() or repeated:
        return "guesses that no secret looks like"
    return ""


def _arrays(position: Position) -> dict[str, Any]:
    """Return those fields of the kernels' `Setting` that follow from the game."""
    rule = position.game.rule
    guesses, as_guess = position.choices()
    codes, length = guesses.codes, position.game.length
    symbols = range(len(position.game.alphabet))
    dtype = unsigned_type(len(rule.feedbacks))
    fits: Table = np.zeros((0, 0), dtype=dtype)
    occurrences, digits = np.zeros((0, 0), dtype=np.uint8), np.zeros((0, 0), dtype=np.uint8)
    if _by_tiles(rule):
        occurrences = np.stack([(codes == s).sum(axis=1, dtype=np.uint8) for s in symbols], axis=1)
        digits = np.array(list(rule.feedbacks), dtype=np.uint8).reshape(-1, length)
    else:
        fits = _table(rule, guesses, guesses)
    return {
        "table": _table(rule, guesses, position.secrets[position.candidates]),
        "as_guess": as_guess,
        "winning": rule.feedbacks.index(rule.winning),
        "feedbacks": len(rule.feedbacks),
        "codes": np.ascontiguousarray(codes),
        "occurrences": occurrences,
        "digits": digits,
        "fits": fits,
    }


def _table(rule: Rule, guesses: Rows, secrets: Rows) -> Table:
    """Return (guesses, secrets): the feedbacks, as places in `rule.feedbacks`."""
    table: Table = np.empty((len(guesses), len(secrets)), unsigned_type(len(rule.feedbacks)))
    for block in table_blocks(len(guesses), len(secrets), _TABLE_BLOCK):
        table[block] = rule.table(guesses[block], secrets)
    return table


@dataclass(frozen=True, slots=True, eq=False)
class _Searched:
    """A search, the position that it was made for, and the place of each secret, -1 for none."""

    position: Position
    places: Places
    search: HardSearch

    def part(self, position: Position) -> tuple[Places, Places] | None:
        """Return the candidates and the allowed guesses of a position; None if one is unknown."""
        ours, guesses = self.position, position.pool.guesses
        same = ours.game.rule is position.game.rule and ours.secrets is position.secrets
        if not same or guesses is None or ours.pool.guesses is None:
            return None
        candidates = self.places[position.candidates]
        allowed = places_in(ours.pool.guesses.codes, guesses.codes)
        known = (candidates >= 0).all() and (allowed >= 0).all()
        return (candidates, allowed) if known else None


class Hard(Strategy):
    """Minimises first the candidates not found with the attempts left, then the guesses.

    With a `budget`, only that many guesses are looked into in each position; without one, all.
    """

    name: ClassVar[str] = "hard"
    measure = GUESSES_ON_AVERAGE
    allows_for_channel = False
    needs_all_candidates = True

    def __init__(self, budget: int | None) -> None:
        self.budget = budget
        self._searched: _Searched | None = None

    def trouble(self, position: Position) -> str:
        guesses, rule = position.pool.guesses, position.game.rule
        if guesses is None:
            return "candidates alone as guesses"
        if position.weights is not None or position.observation is not None:
            return "candidates that are not equally likely, or rows that may be wrong"
        if len(guesses) * len(position.candidates) > _LARGEST_TABLE or len(guesses) > MOST_GUESSES:
            return f"{len(guesses):,} guesses and {len(position.candidates):,} candidates"
        if len(rule.feedbacks) > _MOST_FEEDBACKS:
            return f"{len(rule.feedbacks):,} answers, which are too many"
        if (position.choices()[1] < 0).any():
            return "a candidate that may not be guessed"
        return _trouble_with_later_guesses(rule, guesses)

    def quickly(self, position: Position) -> Suggestion | None:
        guesses, count = position.pool.guesses, len(position.candidates)
        if count == 1 or guesses is None or self.trouble(position):
            return None
        fits = 0 if _by_tiles(position.game.rule) else len(guesses) ** 2
        if len(guesses) * count > _LARGEST_QUICK_TABLE or fits > _LARGEST_QUICK_FITS:
            return None
        search = QuickSearch(position, self.budget, _QUICK_WORK)
        with suppress(hard_mode.TooMuchWorkError):
            found = search.best(np.arange(count), np.arange(len(guesses)), position.attempts)
            return self._rated(position, found, guesses)
        return None

    def searches(self, position: Position) -> bool:
        return True

    def plans_ahead(self, position: Position) -> bool:
        return True

    def prepare(self, position: Position, opening: Code | None = None) -> None:
        if opening is None:
            self._best(position)
        elif (place := self._place_of(position, opening)) >= 0:
            searched, candidates, allowed = self._searching_for(position)
            searched.search.with_guess(candidates, allowed, position.attempts, place)

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return the best guess alone: the others are only known to be no better."""
        if len(position.candidates) == 1:
            return [Strategy.rate(self, position, position.candidate(0))], True
        found, guesses = self._best(position)
        return [self._rated(position, found, guesses)], self.budget is None

    def choose(self, position: Position) -> Rows:
        if len(position.candidates) == 1:
            return position.secrets[position.candidates]
        found, guesses = self._best(position)
        return guesses[np.array([found.guess])]

    def rate(self, position: Position, guess: Code) -> Suggestion:
        rated, place = Strategy.rate(self, position, guess), self._place_of(position, guess)
        if place < 0:
            return rated
        searched, candidates, allowed = self._searching_for(position)
        found = searched.search.with_guess(candidates, allowed, position.attempts, place)
        return _with_average(rated, found, len(candidates))

    def _rated(self, position: Position, found: Found, guesses: Rows) -> Suggestion:
        """Return the suggestion of a guess that was found."""
        rated = Strategy.rate(self, position, code_of(guesses.codes[found.guess]))
        return _with_average(rated, found, len(position.candidates))

    def _place_of(self, position: Position, guess: Code) -> int:
        """Return the place of a guess in the search, -1 where it is not allowed."""
        searched, _, allowed = self._searching_for(position)
        codes = searched.position.choices()[0].codes
        place = int(places_in(codes, array_of([guess], codes.shape[1]))[0])
        return place if place in allowed else -1

    def _best(self, position: Position) -> tuple[Found, Rows]:
        searched, candidates, allowed = self._searching_for(position)
        find = searched.search.first if position.nothing_known else searched.search.best
        found = find(candidates, allowed, position.attempts)
        return found, searched.position.choices()[0]

    def _searching_for(self, position: Position) -> tuple[_Searched, Places, Places]:
        """Return a search that holds a position, made anew if need be, and what is left in it."""
        part = None if self._searched is None else self._searched.part(position)
        if self._searched is None or part is None:
            self._searched = None  # its table is freed before another is made
            places = np.full(len(position.secrets), -1)
            places[position.candidates] = np.arange(len(position.candidates))
            self._searched = _Searched(position, places, HardSearch(position, self.budget))
            part = self._searched.part(position)
        assert part is not None, "a search holds the position that it was made for"
        return self._searched, part[0], part[1]


def _with_average(rated: Suggestion, found: Found, count: int) -> Suggestion:
    """Return a suggestion with its value: guesses on average, this one included."""
    return replace(rated, value=None if found.lost else round(found.total / count, 4))
