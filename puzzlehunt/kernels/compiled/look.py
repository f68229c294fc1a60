"""A look at the parts of a guess under all second guesses: its floor before anything is searched.

Words are those of `branch_and_bound.py`.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import kernel
from puzzlehunt.kernels.compiled.floors import (
    MOST_COUNTED,
    count_answers,
    least_by_parts,
    least_total,
    settled,
)
from puzzlehunt.kernels.compiled.grouping import group
from puzzlehunt.kernels.compiled.memory import recall, remember

_AT_ONCE = 256
"""Number of guesses whose sets of answers fit the processor's cache."""
_FEW = 32
"""Most candidates of a part that are asked first whether one of them separates it."""


@kernel
def _floor_of_part(
    setting: Any, most_told: Any, members: Any, as_guess: Any, attempts: Any, seen: Any
) -> Any:
    """Return the floor of a part by the parts that any guess makes of it; see `floor_by_look`."""
    count, number, told = len(members), len(most_told), np.int64(0)
    enough = np.int64(count + 1)
    if count <= _FEW:
        floor, _ = settled(setting.table, members, as_guess, attempts, seen)
        if floor:
            return floor
        enough = np.int64(count)
    if setting.candidates_only:
        return least_by_parts(setting, members, as_guess, 3 * count - enough)[0]
    few_masks, masks = np.empty(_AT_ONCE, np.uint32), np.empty(_AT_ONCE, np.uint64)
    counts = np.empty(_AT_ONCE, np.int64)
    for first in range(0, number, _AT_ONCE):
        if told >= min(enough, most_told[first]):
            break
        wide = min(_AT_ONCE, number - first)
        feedbacks = min(setting.feedbacks, most_told[first] + 1)
        count_answers(
            setting, feedbacks, members, most_told, first, masks, few_masks, counts[:wide]
        )
        for j in range(wide):
            told = max(told, (counts[j] >> 1) + (counts[j] & 1))
    return 3 * count - told


@kernel
def floor_by_look(
    setting: Any, memory: Any, most_told: Any, as_guess: Any, members: Any, answers: Any,
    attempts: Any, most_parts: Any, bound: Any,
) -> Any:  # fmt: skip
    """Return the floor of a guess after a look at each of its parts under all second guesses.

    `answers` (members,) are those to the guess; `attempts` are left after it. The table of the
    setting has the second guesses in order of `most_told` (guesses,), the largest first: how many
    parts a guess makes of all members, and one more for a hit. It makes no more of fewer, so that
    of a large part few guesses are looked at. Large parts, which so raise the floor most for the
    time, come first; the look ends where the floor reaches the bound. `as_guess` are the places of
    the secrets among the guesses in that order. What was found of parts is remembered.
    """
    count, total = len(members), np.int64(len(members))
    start, ordered = np.empty(setting.feedbacks + 1, np.int64), np.empty(count, np.int32)
    group(answers, members, count, start, ordered)
    size = start[1:] - start[:-1]
    size[setting.winning] = 0
    for part in range(setting.feedbacks):
        total += least_total(size[part], most_parts, attempts)
    if attempts == 1 or setting.feedbacks > MOST_COUNTED:
        return total
    seen = np.empty(setting.feedbacks, np.int64)
    for part in np.argsort(-size):
        if total >= bound or size[part] <= 2:
            break
        before = least_total(size[part], most_parts, attempts)
        here = ordered[start[part] : start[part + 1]]
        key = setting.attempt_keys[attempts].copy()
        for member in here:
            key ^= setting.keys[member]
        known_floor, value, _ = recall(memory, key[0], key[1])
        floor = max(known_floor, value)
        if not floor:
            floor = _floor_of_part(setting, most_told, here, as_guess[here], attempts, seen)
            floor = max(floor, before)
            remember(memory, key[0], key[1], size[part], floor, np.int64(0), np.int64(-1))
        total += max(np.int64(0), floor - before)
    return total
