"""What a guess, or a part of the candidates, takes at least: bounds that need no search.

Words are those of `branch_and_bound.py`, which calls this.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import kernel
from puzzlehunt.kernels.compiled.popcounts import popcount

UNREACHED = 1 << 28
"""The cost in guesses of a candidate that the attempts left do not reach: more than all guesses
together. (`strategies/deep.py` counts in finer steps, so its cost is another number.)"""
USELESS = UNREACHED << 16
"""The cost in guesses of a guess that tells nothing: more than any other guess costs."""
_MEASURED_AT_ONCE, _AT_ONCE = 128, 256
"""Number of guesses whose parts' sizes, or whose sets of answers, fit the processor's cache."""
MOST_COUNTED = 256
"""Most feedbacks of a rule whose parts are counted by bits."""


@kernel
def least_total(count: Any, parts: Any, attempts: Any) -> Any:
    """Return the floor of `count` candidates where no guess makes more than `parts` parts.

    The k-th guess can find at most parts^(k - 1) candidates. `attempts` is how many guesses are
    left; each candidate that they cannot find costs UNREACHED.
    """
    total = count + 0
    reached = 1
    for _ in range(1, attempts):
        if count <= reached:
            return total
        total += count - reached
        reached *= parts
    return total + max(0, count - reached) * UNREACHED


@kernel
def _mark_answers(
    table: Any, members: Any, guesses: Any, first: Any, word: Any, masks: Any
) -> None:
    """Set one bit in `masks` for each answer that the guesses from place `first` on get.

    They are words of 64 bits; of several words a guess, these are its masks for one `word`.
    """
    one, last_bit = np.uint64(1), np.uint64(63)
    masks[:] = 0
    for i in range(len(members)):
        row = table[members[i]]
        if len(guesses) == len(row):
            answers = row[first : first + len(masks)]
            for j in range(len(masks)):
                bit = one << (np.uint64(answers[j]) & last_bit)
                masks[j] |= bit if answers[j] >> 6 == word else np.uint64(0)
        else:
            for j in range(len(masks)):
                answer = row[guesses[first + j]]
                bit = one << (np.uint64(answer) & last_bit)
                masks[j] |= bit if answer >> 6 == word else np.uint64(0)


@kernel
def _mark_few_answers(table: Any, members: Any, first: Any, masks: Any) -> None:
    """Do the same in masks of 32 bits, for guesses that follow each other in the table.

    That no bit is further up than 31 is said to the compiler, which else would not take eight
    guesses at once: 0.06 ns a score instead of 0.3.
    """
    one, last_bit, wide = np.uint32(1), np.uint32(31), len(masks)
    masks[:] = 0
    for i in range(len(members)):
        row = table[members[i], first : first + wide]
        for j in range(wide):
            masks[j] |= np.uint32(one << (row[j] & last_bit))


@kernel
def count_answers(
    setting: Any, feedbacks: Any, members: Any, guesses: Any, first: Any, masks: Any,
    few_masks: Any, counts: Any,
) -> None:  # fmt: skip
    """Fill in twice how many answers the guesses from place `first` on get, and one more for a hit.

    A hit is a winning answer. The answers are less than `feedbacks`. `masks` and `few_masks` are
    work space.
    """
    wide, win, one = len(counts), np.uint64(setting.winning & 63), np.uint64(1)
    if feedbacks <= 32 and len(guesses) == setting.table.shape[1]:
        _mark_few_answers(setting.table, members, first, few_masks[:wide])
        for j in range(wide):
            mask = np.uint64(few_masks[j])
            counts[j] = 2 * popcount(mask) + np.int64((mask >> win) & one)
        return
    counts[:] = 0
    for word in range((feedbacks + 63) // 64):
        _mark_answers(setting.table, members, guesses, first, word, masks[:wide])
        has_win = np.int64(setting.winning // 64 == word)
        for j in range(wide):
            counts[j] += 2 * popcount(masks[j]) + np.int64((masks[j] >> win) & one) * has_win


@kernel
def fill_rough_floors(
    setting: Any, members: Any, count: Any, guesses: Any, rough_floors: Any
) -> Any:
    """Fill in the floor of each guess by how many parts it makes; return the most parts of any.

    Each of n candidates takes this guess and another one, and all but one in each of p parts take a
    third: 3n - p guesses, and one less if the guess is a candidate. With more than 256 feedbacks
    parts are not counted: floors are 0, and the most parts are as many as feedbacks.
    """
    number, most_parts = len(guesses), np.int64(1)
    if setting.feedbacks > MOST_COUNTED:
        rough_floors[:number] = 0
        return np.int64(setting.feedbacks)
    few_masks, masks = np.empty(_AT_ONCE, np.uint32), np.empty(_AT_ONCE, np.uint64)
    for first in range(0, number, _AT_ONCE):
        wide = min(_AT_ONCE, number - first)
        floors = rough_floors[first : first + wide]
        here = members[:count]
        count_answers(setting, setting.feedbacks, here, guesses, first, masks, few_masks, floors)
        for j in range(wide):
            parts, hit = floors[j] >> 1, floors[j] & 1
            most_parts = max(most_parts, parts)
            floors[j] = USELESS if parts == 1 and hit == 0 else 3 * count - parts - hit
    return most_parts


@kernel
def least_by_parts(setting: Any, members: Any, guesses: Any, enough: Any) -> Any:
    """Return the least of what `fill_rough_floors` fills in, and the first guess that has it.

    `enough` or less is as good as the least.
    """
    count, number = len(members), len(guesses)
    least, guess = np.int64(3 * count), np.int64(-1)
    if setting.feedbacks > MOST_COUNTED:
        return np.int64(0), guess
    few_masks, masks = np.empty(_AT_ONCE, np.uint32), np.empty(_AT_ONCE, np.uint64)
    counts = np.empty(_AT_ONCE, np.int64)
    for first in range(0, number, _AT_ONCE):
        wide = min(_AT_ONCE, number - first)
        count_answers(
            setting, setting.feedbacks, members, guesses, first, masks, few_masks, counts[:wide]
        )
        for j in range(wide):
            floor = 3 * count - (counts[j] >> 1) - (counts[j] & 1)
            if floor < least:
                least, guess = floor, np.int64(guesses[first + j])
        if least <= enough:
            break
    return least, guess


@kernel
def settled(table: Any, members: Any, as_guess: Any, attempts: Any, seen: Any) -> Any:
    """Return value and guess of a part that the guess of a candidate settles, else 0 and -1.

    Such a guess separates all candidates, or all but two: no other guess does better. `table` has
    the answers of secrets (rows) to guesses; `members` are the part's candidates among the secrets,
    and `as_guess` the same among the guesses. `seen` has room for all answers.
    """
    count, all_but_two = len(members), np.int64(-1)
    for i in range(count):
        guess = as_guess[i]
        seen[:] = 0
        parts = 0
        for j in range(count):
            answer = table[members[j], guess]
            parts += seen[answer] == 0
            seen[answer] = 1
            if parts + count - j < count:
                break
        if parts == count:
            return np.int64(2 * count - 1), np.int64(guess)
        if parts == count - 1 and all_but_two < 0 and attempts >= 3:
            all_but_two = np.int64(guess)
    if all_but_two >= 0:
        return np.int64(2 * count), all_but_two
    return np.int64(0), np.int64(-1)


@kernel
def estimate_all(
    setting: Any, members: Any, count: Any, guesses: Any, size_floors: Any, estimates: Any,
    close_floors: Any,
) -> None:  # fmt: skip
    """Fill in the estimate of each guess, and its floor by the sizes of its parts.

    The estimate is twice the sum of the prices of the parts (in steps), plus one for a guess that
    is no candidate. The floor is `count` plus the sum of `size_floors` (sizes,) over the parts;
    USELESS for a guess that tells nothing.
    """
    table, winning, prices = setting.table, setting.winning, setting.prices
    sizes = np.zeros((_MEASURED_AT_ONCE, setting.feedbacks), np.int32)
    price = np.empty(_MEASURED_AT_ONCE, np.int64)
    floor = np.empty(_MEASURED_AT_ONCE, np.int64)
    parts = np.empty(_MEASURED_AT_ONCE, np.int64)
    number = len(guesses)
    contiguous = number == table.shape[1]
    more_price = np.empty(count + 1, np.int64)
    more_floor = np.empty(count + 1, np.int64)
    for size in range(1, count + 1):
        more_price[size] = prices[size] - prices[size - 1]
        more_floor[size] = size_floors[size] - size_floors[size - 1]
    for first in range(0, number, _MEASURED_AT_ONCE):
        wide = min(_MEASURED_AT_ONCE, number - first)
        price[:] = 0
        floor[:] = 0
        parts[:] = 0
        for i in range(count):
            row = table[members[i]]
            for j in range(wide):
                part = row[first + j] if contiguous else row[guesses[first + j]]
                size = sizes[j, part] + 1
                sizes[j, part] = size
                price[j] += more_price[size]
                floor[j] += more_floor[size]
                parts[j] += size == 1
        for j in range(wide):
            hit = sizes[j, winning]
            estimates[first + j] = (price[j] - hit * more_price[1]) * 2 + 1 - hit
            useless = parts[j] == 1 and hit == 0
            close_floors[first + j] = USELESS if useless else count + floor[j] - hit * more_floor[1]
        sizes[:wide] = 0
