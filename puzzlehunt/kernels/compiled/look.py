"""A look at the parts of a guess under all second guesses: its floor before anything is searched.

Words are those of `branch_and_bound.py`.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import inlined, makes_no_array
from puzzlehunt.kernels.compiled.floors import (
    AT_ONCE,
    MOST_COUNTED,
    count_answers,
    fill_rough_floors,
    least_total,
    settled,
)
from puzzlehunt.kernels.compiled.memory import recall, remember

_FEW = 32
"""Most candidates of a part that are asked first whether one of them separates it."""


@inlined
def _floor_of_part(
    setting: Any, space: Any, most_told: Any, ordered: Any, begin: Any, end: Any, as_guess: Any,
    attempts: Any, seen: Any, own_guesses: Any,
) -> Any:  # fmt: skip
    """Return the floor of a part by the parts that any guess makes of it; see `floor_by_look`."""
    count, number, told = end - begin, len(most_told), np.int64(0)
    members, enough, floor = ordered[begin:end], count + 1, np.int64(0)
    if count <= _FEW:
        enough = count
        floor, _ = settled(setting.table, ordered, begin, end, as_guess, attempts, seen)
    if floor:
        return floor
    if setting.candidates_only:
        for i in range(count):
            own_guesses[i] = as_guess[members[i]]
        _, least, _ = fill_rough_floors(
            setting.table, setting.winning, setting.feedbacks, space, members, count,
            own_guesses[:count], np.int64(-1), 3 * count - enough,
        )  # fmt: skip
        return least
    for first in range(0, number, AT_ONCE):
        if told >= min(enough, most_told[first]):
            break
        wide, feedbacks = min(AT_ONCE, number - first), min(setting.feedbacks, most_told[first] + 1)
        count_answers(
            setting.table, setting.winning, feedbacks, space, members, count, most_told,
            np.int64(0), first, wide,
        )  # fmt: skip
        for j in range(first, first + wide):
            told = max(told, (space.rough_floors[j] >> 1) + (space.rough_floors[j] & 1))
    return 3 * count - told


@makes_no_array
def floor_by_look(
    setting: Any, memory: Any, space: Any, seen: Any, own_guesses: Any, most_told: Any,
    as_guess: Any, ordered: Any, starts: Any, parts: Any, attempts: Any, most_parts: Any,
    bound: Any,
) -> Any:  # fmt: skip
    """Return the floor of a guess after a look at each of its parts under all second guesses.

    The candidates are `ordered` by their answers to the guess, those of each answer from its place
    in `starts` on. `parts` are the answers that do not win, the one with the most candidates first:
    large parts raise the floor most for the time, and the look ends where it reaches the bound.
    `attempts` are left after the guess. The table of the setting has the second guesses in order of
    `most_told` (guesses,), the largest first: how many parts a guess makes of all candidates, and
    one more for a hit. It makes no more of fewer, so that of a large part few guesses are looked
    at. `as_guess` are the places of the secrets among the guesses in that order. What was found of
    parts is remembered. `space`, `seen` (feedbacks,) and `own_guesses` (secrets,) are work space.
    """
    total = np.int64(len(ordered))
    for part in parts:
        total += least_total(starts[part + 1] - starts[part], most_parts, attempts)
    if attempts == 1 or setting.feedbacks > MOST_COUNTED:
        return total
    for part in parts:
        begin, end = starts[part], starts[part + 1]
        if total >= bound or end - begin <= 2:
            break
        before = least_total(end - begin, most_parts, attempts)
        first, second = setting.attempt_keys[attempts, 0], setting.attempt_keys[attempts, 1]
        for i in range(begin, end):
            first ^= setting.keys[ordered[i], 0]
            second ^= setting.keys[ordered[i], 1]
        known_floor, value, _ = recall(memory, first, second)
        floor = max(known_floor, value)
        if not floor:
            floor = _floor_of_part(
                setting, space, most_told, ordered, begin, end, as_guess, attempts, seen,
                own_guesses,
            )  # fmt: skip
            floor = max(floor, before)
            remember(memory, first, second, end - begin, floor, np.int64(0), np.int64(-1))
        total += max(np.int64(0), floor - before)
    return total
