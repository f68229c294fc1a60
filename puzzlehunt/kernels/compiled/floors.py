"""What a guess, or a part of the candidates, takes at least: bounds that need no search.

Words are those of `branch_and_bound.py`, which calls this.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from puzzlehunt.kernels import hard_mode
from puzzlehunt.kernels.compiled.decorators import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.popcounts import popcount

UNREACHED = hard_mode.UNREACHED
"""The cost in guesses of a candidate that the attempts left do not reach: more than all guesses
together. (`strategies/search/deep.py` counts in finer steps, so its cost is another number.)"""
USELESS = UNREACHED << 16
"""The cost in guesses of a guess that tells nothing: more than any other guess costs."""
_MEASURED_AT_ONCE, AT_ONCE = 128, 256
"""Number of guesses whose parts' sizes, or whose sets of answers, fit the processor's cache."""
MOST_COUNTED = 256
"""Most feedbacks of a rule whose parts are counted by bits."""

Masks = namedtuple("Masks", "masks few_masks answers rough_floors")
"""The arrays that `fill_rough_floors` works in.

- `masks`, `few_masks`: the answers that guesses get, one bit each; `answers`: those of one secret
- `rough_floors` (guesses,): the floor of each guess by the number of its parts
"""

Estimates = namedtuple(
    "Estimates", "sizes price floor parts more_price more_floor size_floors estimates close_floors"
)
"""The arrays that `estimate_all` works in.

- `sizes` (guesses at once, feedbacks), zeros before and after, `price`, `floor`, `parts`: of the
  guesses that are measured; `more_price`, `more_floor`: what the last candidate of a part adds
- `size_floors` (secrets + 1,): the floor of a part of each size
- `estimates`, `close_floors` (guesses,): the estimate of each guess, and its floor by the sizes of
  its parts
"""


def new_masks(guesses: int, answer_type: Any) -> Any:
    """Return empty arrays for so many guesses; `answer_type` is that of the table."""
    return Masks(
        masks=np.empty(AT_ONCE, np.uint64),
        few_masks=np.empty(AT_ONCE, np.uint32),
        answers=np.empty(AT_ONCE, answer_type),
        rough_floors=np.empty(guesses, np.int64),
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
        close_floors=np.empty(guesses, np.int64),
    )


@makes_no_array
def least_total(count: Any, parts: Any, attempts: Any) -> Any:
    """Return the floor of `count` candidates where no guess makes more than `parts` parts.

    With the winning answer among the parts, k guesses together find at most parts^(k - 1)
    candidates. `attempts` guesses are left; each candidate that they cannot find costs UNREACHED.
    """
    total = count + 0
    reached = 1
    for _ in range(1, attempts):
        if count <= reached:
            return total
        total += count - reached
        reached *= parts
    return total + max(0, count - reached) * UNREACHED


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
    `rough_floors` will be. The guesses are columns of the table: those that are listed, or, if
    `column` is not -1, consecutive ones that begin there, which is far quicker.
    """
    counts, masks, few_masks = space.rough_floors, space.masks, space.few_masks
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
def fill_rough_floors(
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
    rough_floors = space.rough_floors
    number, most_parts, best = len(guesses), np.int64(1), np.int64(-1)
    least: Any = USELESS
    counted = feedbacks <= MOST_COUNTED
    if not counted:
        most_parts, least = np.int64(feedbacks), np.int64(0)
        for j in range(number):
            rough_floors[j] = 0
    for first in range(0, number if counted else 0, AT_ONCE):
        wide = min(AT_ONCE, number - first)
        floors = rough_floors[first : first + wide]
        count_answers(
            table, winning, feedbacks, space, members, count, guesses, column, first, wide
        )
        least_here = USELESS
        for j in range(wide):
            parts, hit = floors[j] >> 1, floors[j] & 1
            most_parts = max(most_parts, parts)
            floors[j] = USELESS if parts == 1 and hit == 0 else 3 * count - parts - hit
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
def settled(
    table: Any, members: Any, begin: Any, end: Any, as_guess: Any, attempts: Any, seen: Any
) -> Any:
    """Return value and guess of a part that the guess of a candidate settles, else 0 and -1.

    Such a guess separates all candidates, or all but two: no other guess does better. `table` has
    the answers of secrets (rows) to guesses; members[begin:end] are the part's candidates among
    the secrets, and `as_guess` gives the place of each secret among the guesses. `seen` has room
    for all answers.
    """
    count, all_but_two = end - begin, np.int64(-1)
    for i in range(begin, end):
        guess = as_guess[members[i]]
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
    estimates, close_floors = space.estimates, space.close_floors
    number, least = len(guesses), USELESS
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
            close_floor = USELESS if useless else count + floor[j] - hit * more_floor[1]
            least = min(least, close_floor)
            estimates[first + j] = (price[j] - hit * more_price[1]) * 2 + 1 - hit
            close_floors[first + j] = close_floor
            for part in range(sizes.shape[1]):
                sizes[j, part] = 0
    return least
