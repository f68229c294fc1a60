"""Lower bounds that need no search: of a part by its size, of a guess by its parts.

Words are those of `branch_and_bound.py`, which calls this.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from puzzlehunt.kernels import hard_mode
from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.partitions import popcount
from puzzlehunt.kernels.compiled.transposition_table import probe, store

UNSOLVED_COST = hard_mode.UNSOLVED_COST
"""The cost in guesses of a candidate that the attempts left do not reach: more than all guesses
together. (`strategies/search/deep.py` counts in finer steps, so its cost is another number.)"""
UNINFORMATIVE = UNSOLVED_COST << 16
"""The cost in guesses of a guess that tells nothing: more than any other guess costs."""
_MEASURED_AT_ONCE, AT_ONCE = 128, 256
"""Number of guesses whose parts' sizes, or whose sets of answers, fit the processor's cache."""
MOST_COUNTED = 256
"""Most feedbacks of a rule whose parts are counted by bits."""

Masks = namedtuple("Masks", "masks few_masks answers part_count_bounds")
"""The arrays that `fill_part_count_bounds` works in.

- `masks`, `few_masks`: the answers that guesses get, one bit each; `answers`: those of one secret
- `part_count_bounds` (guesses,): the floor of each guess by the number of its parts
"""

Estimates = namedtuple(
    "Estimates",
    "sizes price floor parts more_price more_floor size_floors estimates part_size_bounds",
)
"""The arrays that `estimate_all` works in.

- `sizes` (guesses at once, feedbacks), zeros before and after, `price`, `floor`, `parts`: of the
  guesses that are measured; `more_price`, `more_floor`: what the last candidate of a part adds
- `size_floors` (secrets + 1,): the floor of a part of each size
- `estimates`, `part_size_bounds` (guesses,): the estimate of each guess, and its floor by the sizes
  of its parts
"""


def new_masks(guesses: int, answer_type: Any) -> Any:
    """Return empty arrays for so many guesses; `answer_type` is that of the table."""
    return Masks(
        masks=np.empty(AT_ONCE, np.uint64),
        few_masks=np.empty(AT_ONCE, np.uint32),
        answers=np.empty(AT_ONCE, answer_type),
        part_count_bounds=np.empty(guesses, np.int64),
    )


def new_estimates(secrets: int, guesses: int, feedbacks: int) -> Any:
    """Return arrays for parts of up to so many secrets."""
    return Estimates(
        sizes=np.zeros((_MEASURED_AT_ONCE, feedbacks), np.int32),
        price=np.empty(_MEASURED_AT_ONCE, np.int64),
        floor=np.empty(_MEASURED_AT_ONCE, np.int64),
        parts=np.empty(_MEASURED_AT_ONCE, np.int64),
        more_price=np.empty(secrets + 1, np.int64),
        more_floor=np.empty(secrets + 1, np.int64),
        size_floors=np.empty(secrets + 1, np.int64),
        estimates=np.empty(guesses, np.int64),
        part_size_bounds=np.empty(guesses, np.int64),
    )


@makes_no_array
def tree_size_bound(count: Any, parts: Any, attempts: Any) -> Any:
    """Return the floor of `count` candidates where no guess makes more than `parts` parts.

    With the winning answer among the parts, k guesses together find at most parts^(k - 1)
    candidates. `attempts` guesses are left; each candidate that they cannot find costs
    UNSOLVED_COST.
    """
    total = count + 0
    reached = 1
    for _ in range(1, attempts):
        if count <= reached:
            return total
        total += count - reached
        reached *= parts
    return total + max(0, count - reached) * UNSOLVED_COST


@inlined
def _mark_answers(
    table: Any, space: Any, members: Any, count: Any, guesses: Any, column: Any, first: Any,
    wide: Any, word: Any, few: Any,
) -> None:  # fmt: skip
    """Set one bit for each answer that the guesses from place `first` on get.

    Bits are those of `few_masks`, or of `masks`, which has words of 64 bits: of several words a
    guess, these are its masks for one `word`. That no bit of the few is further up than 31 is said
    to the compiler, which else would not take eight guesses at once: 0.06 ns a score, not 0.3.
    """
    masks, few_masks = space.masks, space.few_masks
    for j in range(wide):
        masks[j] = 0
        few_masks[j] = 0
    for i in range(count):
        answers = table[members[i], max(column, 0) + first : max(column, 0) + first + wide]
        if column < 0:
            answers = space.answers[:wide]
            for j in range(wide):
                answers[j] = table[members[i], guesses[first + j]]
        if few:
            for j in range(wide):
                few_masks[j] |= np.uint32(np.uint32(1) << (answers[j] & np.uint32(31)))
        else:
            for j in range(wide):
                bit = np.uint64(1) << (np.uint64(answers[j]) & np.uint64(63))
                masks[j] |= bit if answers[j] >> 6 == word else np.uint64(0)


@inlined
def count_answers(
    table: Any, winning: Any, feedbacks: Any, space: Any, members: Any, count: Any, guesses: Any,
    column: Any, first: Any, wide: Any,
) -> None:  # fmt: skip
    """Fill in twice how many answers the guesses from place `first` on get, and one more for a hit.

    A hit is a winning answer. The answers are less than `feedbacks`. They are counted where
    `part_count_bounds` will be. The guesses are columns of the table: those that are listed, or, if
    `column` is not -1, consecutive ones that begin there, which is far quicker.
    """
    counts, masks, few_masks = space.part_count_bounds, space.masks, space.few_masks
    few, win = feedbacks <= 32, np.uint64(winning & 63)
    for j in range(wide):
        counts[first + j] = 0
    for word in range((feedbacks + 63) // 64):
        _mark_answers(table, space, members, count, guesses, column, first, wide, word, few)
        has_win = np.int64(winning // 64 == word)
        for j in range(wide):
            mask = np.uint64(few_masks[j]) if few else masks[j]
            hit = np.int64((mask >> win) & np.uint64(1)) * has_win
            counts[first + j] += 2 * popcount(mask) + hit


@makes_no_array
def fill_part_count_bounds(
    table: Any, winning: Any, feedbacks: Any, space: Any, members: Any, count: Any, guesses: Any,
    column: Any, enough: Any,
) -> Any:  # fmt: skip
    """Fill in the floor of each guess by how many parts it makes.

    Returns the most parts of any, the least floor, and the first guess that has it. A floor of
    `enough` or less is as good as the least, and ends the look. `column` is that of the first of
    consecutive guesses, else -1.

    Each of n candidates takes this guess and another one, and all but one in each of p parts take a
    third: 3n - p guesses, and one less if the guess is a candidate. With more than 256 feedbacks
    parts are not counted: floors are 0, and the most parts are as many as feedbacks.
    """
    part_count_bounds = space.part_count_bounds
    number, most_parts, best = len(guesses), np.int64(1), np.int64(-1)
    least: Any = UNINFORMATIVE
    counted = feedbacks <= MOST_COUNTED
    if not counted:
        most_parts, least = np.int64(feedbacks), np.int64(0)
        for j in range(number):
            part_count_bounds[j] = 0
    for first in range(0, number if counted else 0, AT_ONCE):
        wide = min(AT_ONCE, number - first)
        floors = part_count_bounds[first : first + wide]
        count_answers(
            table, winning, feedbacks, space, members, count, guesses, column, first, wide
        )
        least_here = UNINFORMATIVE
        for j in range(wide):
            parts, hit = floors[j] >> 1, floors[j] & 1
            most_parts = max(most_parts, parts)
            floors[j] = UNINFORMATIVE if parts == 1 and hit == 0 else 3 * count - parts - hit
            least_here = min(least_here, floors[j])
        if least_here < least:
            least, at = least_here, 0
            while floors[at] > least:
                at += 1
            best = np.int64(guesses[first + at])
        if least <= enough:
            break
    return most_parts, least, best


@inner
def separating_candidate(
    table: Any, members: Any, begin: Any, end: Any, guess_of: Any, attempts: Any, seen: Any
) -> Any:
    """Return value and guess of a part that the guess of a candidate settles, else 0 and -1.

    Such a guess separates all candidates, or all but two: no other guess does better. `table` has
    the answers of secrets (rows) to guesses; members[begin:end] are the part's candidates among
    the secrets, and `guess_of` gives the place of each secret among the guesses. `seen` has room
    for all answers.
    """
    count, all_but_two = end - begin, np.int64(-1)
    for i in range(begin, end):
        guess = guess_of[members[i]]
        for answer in range(len(seen)):
            seen[answer] = 0
        parts = 0
        for j in range(begin, end):
            answer = table[members[j], guess]
            parts += seen[answer] == 0
            seen[answer] = 1
            if parts + end - j < count:
                break
        if parts == count:
            return np.int64(2 * count - 1), np.int64(guess)
        if parts == count - 1 and all_but_two < 0 and attempts >= 3:
            all_but_two = np.int64(guess)
    if all_but_two >= 0:
        return np.int64(2 * count), all_but_two
    return np.int64(0), np.int64(-1)


@makes_no_array
def estimate_all(
    table: Any, winning: Any, prices: Any, space: Any, members: Any, count: Any, guesses: Any,
    column: Any,
) -> Any:  # fmt: skip
    """Fill in the estimate of each guess, and its floor by the sizes of its parts.

    Returns the least floor.

    The estimate is twice the sum of the prices of the parts (in steps), plus one for a guess that
    is no candidate. The floor is `count` plus the sum of `size_floors` over the parts; USELESS for
    a guess that tells nothing. `column` is that of the first of consecutive guesses, else -1.
    """
    sizes, price, floor, parts = space.sizes, space.price, space.floor, space.parts
    more_price, more_floor, size_floors = space.more_price, space.more_floor, space.size_floors
    estimates, part_size_bounds = space.estimates, space.part_size_bounds
    number, least = len(guesses), UNINFORMATIVE
    for size in range(1, count + 1):
        more_price[size] = prices[size] - prices[size - 1]
        more_floor[size] = size_floors[size] - size_floors[size - 1]
    for first in range(0, number, _MEASURED_AT_ONCE):
        wide = min(_MEASURED_AT_ONCE, number - first)
        for j in range(wide):
            price[j] = floor[j] = parts[j] = 0
        for i in range(count):
            row = table[members[i]]
            for j in range(wide):
                part = row[column + first + j] if column >= 0 else row[guesses[first + j]]
                size = sizes[j, part] + 1
                sizes[j, part] = size
                price[j] += more_price[size]
                floor[j] += more_floor[size]
                parts[j] += size == 1
        for j in range(wide):
            hit = sizes[j, winning]
            useless = parts[j] == 1 and hit == 0
            close_floor = UNINFORMATIVE if useless else count + floor[j] - hit * more_floor[1]
            least = min(least, close_floor)
            estimates[first + j] = (price[j] - hit * more_price[1]) * 2 + 1 - hit
            part_size_bounds[first + j] = close_floor
            for part in range(sizes.shape[1]):
                sizes[j, part] = 0
    return least


_FEW = 32
"""Most candidates of a part that are asked first whether one of them separates it."""


@inlined
def _floor_of_part(
    setting: Any, space: Any, most_told: Any, ordered: Any, begin: Any, end: Any, guess_of: Any,
    attempts: Any, seen: Any, own_guesses: Any,
) -> Any:  # fmt: skip
    """Return the floor of a part by the parts that any guess makes of it; see `one_ply_bound`."""
    count, number, told = end - begin, len(most_told), np.int64(0)
    members, enough, floor = ordered[begin:end], count + 1, np.int64(0)
    if count <= _FEW:
        enough = count
        floor, _ = separating_candidate(
            setting.table, ordered, begin, end, guess_of, attempts, seen
        )
    if floor:
        return floor
    if setting.candidates_only:
        for i in range(count):
            own_guesses[i] = guess_of[members[i]]
        _, least, _ = fill_part_count_bounds(
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
            told = max(told, (space.part_count_bounds[j] >> 1) + (space.part_count_bounds[j] & 1))
    return 3 * count - told


@makes_no_array
def one_ply_bound(
    setting: Any, memory: Any, space: Any, seen: Any, own_guesses: Any, most_told: Any,
    guess_of: Any, ordered: Any, starts: Any, parts: Any, attempts: Any, most_parts: Any,
    bound: Any,
) -> Any:  # fmt: skip
    """Return the floor of a guess after a look at each of its parts under all second guesses.

    The candidates are `ordered` by their answers to the guess, those of each answer from its place
    in `starts` on. `parts` are the answers that do not win, the one with the most candidates first:
    large parts raise the floor most for the time, and the look ends where it reaches the bound.
    `attempts` are left after the guess. The table of the setting has the second guesses in order of
    `most_told` (guesses,), the largest first: how many parts a guess makes of all candidates, and
    one more for a hit. It makes no more of fewer, so that of a large part few guesses are looked
    at. `guess_of` are the places of the secrets among the guesses in that order. What was found of
    parts is remembered. `space`, `seen` (feedbacks,) and `own_guesses` (secrets,) are work space.
    """
    total = np.int64(len(ordered))
    for part in parts:
        total += tree_size_bound(starts[part + 1] - starts[part], most_parts, attempts)
    if attempts == 1 or setting.feedbacks > MOST_COUNTED:
        return total
    for part in parts:
        begin, end = starts[part], starts[part + 1]
        if total >= bound or end - begin <= 2:
            break
        before = tree_size_bound(end - begin, most_parts, attempts)
        first, second = setting.attempt_keys[attempts, 0], setting.attempt_keys[attempts, 1]
        for i in range(begin, end):
            first ^= setting.keys[ordered[i], 0]
            second ^= setting.keys[ordered[i], 1]
        known_floor, value, _ = probe(memory, first, second)
        floor = max(known_floor, value)
        if not floor:
            floor = _floor_of_part(
                setting, space, most_told, ordered, begin, end, guess_of, attempts, seen,
                own_guesses,
            )  # fmt: skip
            floor = max(floor, before)
            store(memory, first, second, end - begin, floor, np.int64(0), np.int64(-1))
        total += max(np.int64(0), floor - before)
    return total
