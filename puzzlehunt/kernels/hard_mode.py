"""Search of whole games in hard mode by numpy, for a few candidates and no loaded kernels.

The search of `compiled/hard_mode.py`, which says what is searched: the same values and the same
guesses, by functions that call themselves. It serves where a person waits, who would wait for the
compiled one to load; so its work has a cap. The tests
hold the compiled one against it.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import CodeArray, Indices

MOST_ATTEMPTS = 40
"""Attempts left where a game has no limit, and at most."""
NO_BOUND = 1 << 60
"""More than any value."""
SCALE = 1 << 10
"""The estimate of one guess."""
UNSOLVED_COST = 1 << 28
"""The cost in guesses of a candidate that is not found in time."""
ALL_GUESSES_ATTEMPTS = 3
"""With so many attempts left, or fewer, all guesses are tried for the safe value."""
_WORK_OF_A_POSITION = 3_000
"""Scores (a guess against a candidate) that take as long as a position takes besides."""

Numbers = npt.NDArray[np.int64]


class TooMuchWorkError(Exception):
    """The cap on work was reached before a guess was looked into."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a search is about, as in `compiled/hard_mode.py`, which tells of each field."""

    table: Table
    guess_of: Indices
    winning: int
    feedbacks: int
    codes: CodeArray
    occurrences: CodeArray
    digits: CodeArray
    fits: Table
    cost_to_go: Numbers
    width: int
    safe_width: int
    all_up_to: int


@dataclass(frozen=True, slots=True)
class _Look:
    """The guesses of a position that tell something, and in which order they are tried.

    - `guesses` (N,), `floors` (N,): the guesses, and what the candidates take by each at least
    - `order` (N,): places in these, the least estimate first
    - `lows`: what 0, 1, ... candidates take at least behind a guess; `floor`: the least floor
    - `most_parts`: the most parts without the winning one that a guess makes
    """

    guesses: Indices
    floors: Numbers
    order: Indices
    lows: Numbers
    floor: int
    most_parts: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A position: candidates (places), allowed guesses (places), and attempts left."""

    members: Indices
    allowed: Indices
    attempts: int
    most_parts: int

    @property
    def key(self) -> tuple[bytes, bytes, int]:
        return self.members.tobytes(), self.allowed.tobytes(), self.attempts


class Search:
    """A search of one setting, which remembers what it found as long as it exists."""

    _SAFE: ClassVar[bool] = False
    _WIDE: ClassVar[bool] = True

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._memory: dict[tuple[Any, bool], tuple[int, int, int]] = {}
        self._lows: dict[tuple[int, int], Numbers] = {}
        self._work_left = 0
        self._root: _Part | None = None
        self._best_of_root = NO_BOUND, -1

    def solve(
        self, members: Indices, allowed: Indices, attempts: int, work: int
    ) -> tuple[int, int]:
        """Return the value of a position, and the best guess.

        After so much `work` (scores, and more for each position) they are the best so far. Raises
        TooMuchWorkError where no guess was looked into by then.
        """
        self._work_left = work
        self._root = _Part(members, allowed, attempts, self.setting.feedbacks)
        self._best_of_root = NO_BOUND, -1
        try:
            return self._value(self._root, self._WIDE, NO_BOUND)
        except TooMuchWorkError:
            if self._best_of_root[1] < 0:
                raise
            return self._best_of_root

    def _value(self, part: _Part, wanted: bool, bound: int) -> tuple[int, int]:
        """Return value and best guess; a value of `bound` or more is only no less."""
        count = len(part.members)
        if count <= 2 or part.attempts == 1:
            lost = (count - 1) * UNSOLVED_COST if part.attempts == 1 else count - 1
            return count + lost, int(self.setting.guess_of[part.members[0]])
        key = part.key
        floor, value, guess = self._memory.get((key, wanted), (0, 0, -1))
        if value or floor >= bound:
            return value or floor, guess
        look = self._look(part)
        if look.floor >= bound:
            return look.floor, -1
        _, safe, guess = self._memory.get((key, self._SAFE), (0, 0, -1))
        if not safe and wanted == self._WIDE and self.setting.width >= len(self.setting.table):
            safe, guess = NO_BOUND, -1
        elif not safe:
            safe, guess = self._safe(part, look)
            self._memory[key, self._SAFE] = safe, safe, guess
        if wanted == self._SAFE:
            return safe, guess
        value, guess = self._wide(part, look, safe, guess, bound)
        found = value < bound
        self._memory[key, self._WIDE] = (value, value, guess) if found else (bound, 0, -1)
        return (value, guess) if found else (bound, -1)

    def _safe(self, part: _Part, look: _Look) -> tuple[int, int]:
        """Return the safe value of a position and its guess: the first that loses nothing."""
        best, best_guess = NO_BOUND, -1
        few = part.attempts <= ALL_GUESSES_ATTEMPTS
        for place in look.order[: None if few else self.setting.safe_width].tolist():
            if look.floor >= best or best < UNSOLVED_COST:
                break
            if look.floors[place] < best:
                value = self._guess_value(part, look, place, self._SAFE, best)
                if value < best:
                    best, best_guess = value, int(look.guesses[place])
                    self._note_of_root(part, best, best_guess)
        return best, best_guess

    def _wide(
        self, part: _Part, look: _Look, best: int, best_guess: int, bound: int
    ) -> tuple[int, int]:
        """Return the value of a position with a budget and its guess, from the safe ones on."""
        setting, safe_guess = self.setting, best_guess
        width = len(look.order) if len(part.members) <= setting.all_up_to else setting.width
        for tried, place in enumerate(look.order.tolist()):
            limit, guess = min(best, bound), int(look.guesses[place])
            if look.floor >= limit:
                break
            if (tried < width or guess == safe_guess) and look.floors[place] < limit:
                value = self._guess_value(part, look, place, self._WIDE, limit)
                if value < limit:
                    best, best_guess = value, guess
                    self._note_of_root(part, best, best_guess)
        return best, best_guess

    def _note_of_root(self, part: _Part, value: int, guess: int) -> None:
        if part is self._root:
            self._best_of_root = value, guess

    def _guess_value(self, part: _Part, look: _Look, place: int, wanted: bool, limit: int) -> int:
        """Return the value of a guess; `limit` or more says only that it is no less."""
        total = int(look.floors[place])
        if part.attempts <= 2:
            return total
        guess = int(look.guesses[place])
        answers = self.setting.table[guess, part.members]
        present, sizes = np.unique(answers, return_counts=True)
        open_parts = (sizes > 2) & (present != self.setting.winning)
        for at in np.argsort(-sizes, kind="stable").tolist():
            if not open_parts[at]:
                continue
            if total >= limit:
                break
            low, answer = int(look.lows[sizes[at]]), int(present[at])
            allowed = self.allowed_after(guess, answer, look.guesses)
            members = part.members[answers == answer]
            child = _Part(members, allowed, part.attempts - 1, look.most_parts)
            bound = limit - total + low if wanted == self._WIDE else NO_BOUND
            total += self._value(child, wanted, bound)[0] - low
        return total

    def _look(self, part: _Part) -> _Look:
        """Return the guesses that tell something, with their floors and in order of estimates."""
        setting, count, after = self.setting, len(part.members), part.attempts - 1
        self._work_left -= len(part.allowed) * count + _WORK_OF_A_POSITION
        if self._work_left < 0:
            raise TooMuchWorkError
        lows, cost_to_go = self._least(part.most_parts, after), setting.cost_to_go[after]
        answers = np.sort(setting.table[part.allowed[:, None], part.members], axis=1)
        begins = np.ones(answers.shape, dtype=np.bool_)
        np.not_equal(answers[:, 1:], answers[:, :-1], out=begins[:, 1:])
        parts = begins.sum(axis=1)
        tells = parts > 1
        if not tells.any():
            return _Look(part.allowed[:0], lows[:0], parts[:0], lows, NO_BOUND, 1)
        starts = np.flatnonzero(begins)
        sizes = np.diff(starts, append=answers.size)
        sizes[answers.ravel()[starts] == setting.winning] = 0
        rows = np.cumsum(parts) - parts
        floors = (count + np.add.reduceat(lows[sizes], rows))[tells]
        estimates = np.add.reduceat(cost_to_go[sizes], rows)[tells]
        others = np.add.reduceat(sizes > 0, rows, dtype=np.int64)[tells]
        return _Look(
            guesses=part.allowed[tells],
            floors=floors,
            order=np.argsort(estimates, kind="stable"),
            lows=lows,
            floor=int(floors.min()),
            most_parts=max(1, int(others.max())),
        )

    def _least(self, parts: int, attempts: int) -> Numbers:
        """Return what 0, 1, ... candidates take at least if no guess makes more than `parts` parts.

        The k-th guess finds at most parts^(k - 1) candidates.
        """
        if (known := self._lows.get((parts, attempts))) is not None:
            return known
        most = len(self.setting.guess_of)
        counts = np.arange(most + 1)
        lows, found, more = counts.copy(), 0, 1
        for left in range(attempts, 0, -1):
            found += more
            lows += np.maximum(counts - found, 0) * (UNSOLVED_COST if left == 1 else 1)
            more = min(most, more * max(1, parts))
        self._lows[parts, attempts] = lows
        return lows

    def allowed_after(self, guess: int, answer: int, before: Indices) -> Indices:
        """Return the guesses of `before` that hard mode allows after a guess and its answer."""
        setting = self.setting
        if len(setting.fits):
            return np.asarray(before[setting.fits[guess, before] == answer])
        code, digits = setting.codes[guess], setting.digits[answer]
        told = (digits > 0) & (code < setting.occurrences.shape[1])
        kept = np.flatnonzero(told & (digits == 2))
        letters, needed = np.unique(code[told], return_counts=True)
        right = (setting.codes[before[:, None], kept] == code[kept]).all(axis=1)
        right &= (setting.occurrences[before[:, None], letters] >= needed).all(axis=1)
        return np.asarray(before[right])
