"""Branch and bound over a table of feedbacks; `strategies/search.py` calls it.

A *part* is a set of candidates with the attempts left, and its value the guesses that all of them
take together under the best play that is looked for. A *bound* is a value from which on nobody
asks for the exact one. One function goes down the tree with a stack of its own, because numba
cannot keep functions that call themselves in its cache.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import inlined, kernel
from puzzlehunt.kernels.compiled.grouping import group
from puzzlehunt.kernels.compiled.heap import sorted_least
from puzzlehunt.kernels.compiled.popcounts import popcount

UNREACHED = 1 << 28
"""The cost in guesses of a candidate that the attempts left do not reach: more than all guesses
together. (`strategies/deep.py` counts in finer steps, so its cost is another number.)"""
SCALE = 1 << 12
"""Steps of one guess in the prices of parts, by which guesses are put in order."""
UNLIMITED_ATTEMPTS = 63
"""Attempts left where there is no limit; they do not become fewer."""
USELESS = UNREACHED << 16
"""The cost in guesses of a guess that tells nothing: more than any other guess costs."""
UNBOUND = 1 << 50
"""A bound from here on (guesses) is none: no value has been found yet."""
TOO_DEEP = -1
"""Returned as a value where the stack has too few frames."""

_MEASURED_AT_ONCE, _BOUNDED_AT_ONCE = 128, 256
"""Guesses whose sizes of parts, or whose sets of answers, are held in the processor's cache."""
_FLOORS = 256
"""Different floors (guesses) that are told apart when the most promising guesses are chosen."""
_ESTIMATED = 16
"""Guesses that get an estimate, for each one that is looked into: those with the most parts."""
_GUESS_BITS, _VALUE_BITS = 18, 44
"""Bits of a guess's number and of a value in an entry of the memory."""
_GUESS_MASK, _VALUE_MASK = (1 << _GUESS_BITS) - 1, (1 << _VALUE_BITS) - 1
_WAYS = 4
"""Entries of the memory in which a part may stand."""

Setting = namedtuple(
    "Setting", "table as_guess winning feedbacks keys attempt_keys widths prices candidates_only"
)
"""The game that is searched, and how.

- `table` (secrets, guesses): feedbacks, one of `feedbacks` values; `winning` is the winning one
- `as_guess` (secrets,): the place of each secret among the guesses
- `keys` (secrets, 2), `attempt_keys` (attempts, 2): random numbers whose exclusive or names a part
  with the attempts left
- `widths` (secrets + 1,): how many guesses are looked into in a part of each size
- `prices` (secrets + 1,): what a part of each size is estimated to take, in steps
- `candidates_only`: whether only candidates may be guessed
"""

Memory = namedtuple("Memory", "entries")
"""What was found of parts, shared by threads: (M, 4) numbers of 64 bits.

An entry is the part's first key; its second key mixed with the next two numbers; the size of the
part and the least that it can take; its value, 0 if unknown, and its best guess. What one thread
reads while another writes does not fit the mixed key, and so is taken for unknown.
"""

Stack = namedtuple(
    "Stack",
    "members ordered start size key low place order partition_keys frames sizes lows floors "
    "chosen estimates totals answers",
)
"""The arrays that one thread works in. Those with `depth` rows have a row, called a frame, for each
guess of the path that is looked into."""

# Indices of the numbers of a frame: size of its part, attempts left, bound, value of the best guess
# so far, that guess, how many guesses to look into and how many were begun; of the guess that is
# looked into: the least it takes, which of its parts is next, how many parts have no value yet; the
# least that any guess takes; the most parts that a guess makes.
(
    _COUNT, _ATTEMPTS, _BOUND, _BEST, _GUESS, _TRIES, _TRIED, _TOTAL, _PART, _PARTS, _FLOOR, _MOST,
    _NUMBERS,
) = range(13)  # fmt: skip


def new_stack(secrets: int, guesses: int, feedbacks: int, depth: int) -> Any:
    """Return empty arrays for paths of up to `depth` guesses."""
    return Stack(
        members=np.empty((depth, secrets), np.int32),
        ordered=np.empty((depth, secrets), np.int32),
        start=np.empty((depth, feedbacks + 1), np.int64),
        size=np.empty((depth, feedbacks), np.int64),
        key=np.empty((depth, feedbacks, 2), np.uint64),
        low=np.empty((depth, feedbacks), np.int64),
        place=np.empty((depth, feedbacks), np.int64),
        order=np.empty((depth, guesses), np.int64),
        partition_keys=np.empty((depth, guesses), np.uint64),
        frames=np.empty((depth, _NUMBERS), np.int64),
        sizes=np.empty(feedbacks, np.int64),
        lows=np.empty(secrets + 1, np.int64),
        floors=np.empty(guesses, np.int64),
        chosen=np.empty(guesses, np.int64),
        estimates=np.empty(guesses, np.int64),
        totals=np.empty(guesses, np.int64),
        answers=np.empty(secrets, np.int32),
    )


@kernel
def least_total(count: Any, parts: Any, attempts: Any) -> Any:
    """Return the least that `count` candidates take where no guess makes more than `parts` parts.

    At most parts^(k - 1) candidates can be found by the k-th guess of their game. `attempts` is how
    many guesses are left; each candidate beyond their reach costs UNREACHED.
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
def _after(attempts: Any) -> Any:
    """Return how many attempts are attempts after one more."""
    return attempts if attempts == UNLIMITED_ATTEMPTS else attempts - 1


@inlined
def _mixed(low: Any, data: Any) -> Any:
    """Return a hash of two numbers of 64 bits."""
    first = (low ^ (low >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    second = (data ^ (data >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)
    return first ^ (second >> np.uint64(7)) ^ (second << np.uint64(9))


@kernel
def _recall(memory: Any, first: Any, second: Any) -> Any:
    """Return what is remembered of a part: the least it takes, its value or 0, its guess or -1."""
    entries = memory.entries
    at = np.int64(first & np.uint64(len(entries) - 1)) & ~(_WAYS - 1)
    for way in range(at, at + _WAYS):
        if entries[way, 0] == first:
            low, data = entries[way, 2], entries[way, 3]
            if entries[way, 1] == second ^ _mixed(low, data):
                value = np.int64(data >> np.uint64(_GUESS_BITS))
                guess = np.int64(data & np.uint64(_GUESS_MASK))
                return np.int64(low & np.uint64(_VALUE_MASK)), value, guess
    return np.int64(0), np.int64(0), np.int64(-1)


@kernel
def _remember(
    memory: Any, first: Any, second: Any, size: Any, low: Any, value: Any, guess: Any
) -> None:
    """Keep what was found of a part; it overwrites the smallest of the parts in its place."""
    entries = memory.entries
    at: Any = np.int64(first & np.uint64(len(entries) - 1)) & ~(_WAYS - 1)
    place, smallest = at, np.int64(1 << 60)
    for way in range(at, at + _WAYS):
        if entries[way, 0] == first:
            place = way
            break
        held = np.int64(entries[way, 2] >> np.uint64(_VALUE_BITS))
        if held < smallest:
            place, smallest = way, held
    below = np.uint64(low) | (np.uint64(size) << np.uint64(_VALUE_BITS))
    data = (np.uint64(value) << np.uint64(_GUESS_BITS)) | np.uint64(max(guess, 0))
    entries[place, 0] = first
    entries[place, 2] = below
    entries[place, 3] = data
    entries[place, 1] = second ^ _mixed(below, data)


@kernel
def floors(setting: Any, members: Any, count: Any, tried: Any, floor: Any) -> Any:
    """Fill in the least that each guess takes, by how many parts it makes; return the most parts.

    Of n candidates in p parts, all but one of each part take a third guess: 3n - p, and one less
    for a guess that is a candidate. A rule of more than 64 feedbacks is not looked at: the least is
    0, and the most parts are all feedbacks.
    """
    table, most = setting.table, 1
    if setting.feedbacks > 64:
        floor[: len(tried)] = 0
        return np.int64(setting.feedbacks)
    one, win = np.uint64(1), np.uint64(1) << np.uint64(setting.winning)
    masks = np.empty(_BOUNDED_AT_ONCE, np.uint64)
    number = len(tried)
    contiguous = number == table.shape[1]
    for first in range(0, number, _BOUNDED_AT_ONCE):
        wide = min(_BOUNDED_AT_ONCE, number - first)
        present = masks[:wide]
        present[:] = 0
        for i in range(count):
            if contiguous:
                row = table[members[i], first : first + wide]
                for j in range(wide):
                    present[j] |= one << np.uint64(row[j])
            else:
                row = table[members[i]]
                for j in range(wide):
                    present[j] |= one << np.uint64(row[tried[first + j]])
        for j in range(wide):
            parts = popcount(present[j])
            hit = 1 if present[j] & win else 0
            most = max(most, parts)
            floor[first + j] = USELESS if parts == 1 and hit == 0 else 3 * count - hit - parts
    return np.int64(most)


@kernel
def _promising(floor: Any, tried: Any, bound: Any, most: Any, chosen: Any) -> Any:
    """Choose the guesses that get an estimate; return how many, and the least floor of the others.

    If `most` is no limit, those are all whose floor is below the bound. Else they are at least
    `most` guesses, those with the lowest floors and all their equals, whatever the bound is.
    """
    number = len(tried)
    cut = min(bound, USELESS)
    if most < number:
        cut = USELESS
        lowest = floor[:number].min()
        times = np.zeros(_FLOORS, np.int64)
        for j in range(number):
            times[min(floor[j] - lowest, _FLOORS - 1)] += 1
        reached = 0
        for step in range(_FLOORS - 1):
            reached += times[step]
            if reached >= most:
                cut = lowest + step + 1
                break
    found, others = 0, USELESS
    for j in range(number):
        if floor[j] < cut:
            chosen[found] = tried[j]
            found += 1
        else:
            others = min(others, floor[j])
    return found, others


@kernel
def estimate_all(
    setting: Any, members: Any, count: Any, tried: Any, lows: Any, estimates: Any, totals: Any
) -> None:
    """Fill in the estimate of each guess, and in `totals` the least that it takes.

    The estimate is twice the sum of the prices of its parts (in steps), plus one for a guess that
    is no candidate. The least is `count` plus the sum of `lows`, by size, over its parts; USELESS
    for a guess that tells nothing.
    """
    table, winning, prices = setting.table, setting.winning, setting.prices
    sizes = np.zeros((_MEASURED_AT_ONCE, setting.feedbacks), np.int32)
    price = np.empty(_MEASURED_AT_ONCE, np.int64)
    total = np.empty(_MEASURED_AT_ONCE, np.int64)
    parts = np.empty(_MEASURED_AT_ONCE, np.int64)
    number = len(tried)
    contiguous = number == table.shape[1]
    steps = np.empty(count + 1, np.int64)
    floors = np.empty(count + 1, np.int64)
    for size in range(1, count + 1):
        steps[size] = prices[size] - prices[size - 1]
        floors[size] = lows[size] - lows[size - 1]
    for first in range(0, number, _MEASURED_AT_ONCE):
        wide = min(_MEASURED_AT_ONCE, number - first)
        price[:] = 0
        total[:] = 0
        parts[:] = 0
        for i in range(count):
            row = table[members[i]]
            for j in range(wide):
                part = row[first + j] if contiguous else row[tried[first + j]]
                size = sizes[j, part] + 1
                sizes[j, part] = size
                price[j] += steps[size]
                total[j] += floors[size]
                parts[j] += size == 1
        for j in range(wide):
            hit = sizes[j, winning]
            estimates[first + j] = (price[j] - hit * steps[1]) * 2 + 1 - hit
            useless = parts[j] == 1 and hit == 0
            totals[first + j] = USELESS if useless else count + total[j] - hit * floors[1]
        sizes[:wide] = 0


@kernel
def _among_candidates(setting: Any, members: Any, count: Any, attempts: Any, sizes: Any) -> Any:
    """Return value and guess of a part that a candidate settles at once, else 0 and -1.

    Such a candidate separates all candidates, or all but two: no other guess does better.
    """
    table, as_guess = setting.table, setting.as_guess
    second = np.int64(-1)
    for i in range(count):
        g = as_guess[members[i]]
        sizes[:] = 0
        parts = 0
        for j in range(count):
            part = table[members[j], g]
            parts += sizes[part] == 0
            sizes[part] = 1
            if parts + count - j < count:
                break
        if parts == count:
            return np.int64(2 * count - 1), np.int64(g)
        if parts == count - 1 and second < 0 and attempts >= 3:
            second = np.int64(g)
    if second >= 0:
        return np.int64(2 * count), second
    return np.int64(0), np.int64(-1)


@kernel
def _shortlist(stack: Any, depth: Any, tried: Any, most: Any, bound: Any) -> Any:
    """Put the `most` guesses with the least estimates in order, without those from the bound on.

    Returns how many they are. Which guesses have the least estimates does not depend on the bound,
    so that the value of a part does not depend on the way to it.
    """
    estimates, totals, order = stack.estimates, stack.totals, stack.order[depth]
    every = most >= len(tried)
    found = 0
    for j in range(len(tried)):
        if totals[j] < (min(bound, USELESS) if every else USELESS):
            lost = min(totals[j] // UNREACHED, 127)
            order[found] = (((lost << 36) + estimates[j]) << _GUESS_BITS) + j
            found += 1
    kept = 0
    for place in range(sorted_least(order, found, most)):
        j = order[place] & _GUESS_MASK
        if totals[j] < bound:
            order[kept] = tried[j]
            kept += 1
    return kept


@kernel
def _split(setting: Any, stack: Any, memory: Any, depth: Any, guess: Any) -> Any:
    """Divide the part of a frame by a guess; return the least it takes and the partition's key.

    The parts whose value is not known yet are listed in `stack.place`, the largest first.
    """
    numbers = stack.frames[depth]
    count, attempts = numbers[_COUNT], _after(numbers[_ATTEMPTS])
    members, ordered = stack.members[depth], stack.ordered[depth]
    start, size, key = stack.start[depth], stack.size[depth], stack.key[depth]
    low, place = stack.low[depth], stack.place[depth]
    table, winning, keys = setting.table, setting.winning, setting.keys
    answers = stack.answers
    for i in range(count):
        answers[i] = table[members[i], guess]
    group(answers, members, count, start, ordered)
    total = np.int64(count)
    partition_key = np.uint64(0)
    unsettled = 0
    for part in range(setting.feedbacks):
        size[part] = start[part + 1] - start[part]
        if size[part] == 0:
            continue
        key[part, 0] = key[part, 1] = 0
        for i in range(start[part], start[part + 1]):
            key[part, 0] ^= keys[ordered[i], 0]
            key[part, 1] ^= keys[ordered[i], 1]
        mixed = (key[part, 0] ^ (key[part, 0] >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
        partition_key += mixed ^ (mixed >> np.uint64(29))
        if part == winning:
            partition_key += np.uint64(1)
            continue
        if size[part] == 1 or attempts == 1:
            total += size[part] + (size[part] - 1) * UNREACHED
            continue
        if size[part] == 2:
            total += 3
            continue
        key[part, 0] ^= setting.attempt_keys[attempts, 0]
        key[part, 1] ^= setting.attempt_keys[attempts, 1]
        below, value, _ = _recall(memory, key[part, 0], key[part, 1])
        if value:
            total += value
            continue
        low[part] = max(below, least_total(size[part], numbers[_MOST], attempts))
        total += low[part]
        at = unsettled
        while at > 0 and size[place[at - 1]] < size[part]:
            place[at] = place[at - 1]
            at -= 1
        place[at] = part
        unsettled += 1
    numbers[_PARTS] = unsettled
    return total, partition_key


@kernel
def _enter(setting: Any, stack: Any, memory: Any, depth: Any, key: Any, tried: Any) -> Any:
    """Begin with the part of a frame; return its value or a value at the bound, 0 if unknown.

    Where it is unknown, the guesses to look into are put in order.
    """
    numbers, members = stack.frames[depth], stack.members[depth]
    count, attempts, bound = numbers[_COUNT], numbers[_ATTEMPTS], numbers[_BOUND]
    guess = np.int64(setting.as_guess[members[0]])
    numbers[_GUESS] = guess
    if count == 1 or attempts == 1:
        return np.int64(count + (count - 1) * UNREACHED)
    if count == 2:
        return np.int64(3)
    below, value, guess = _recall(memory, key[0], key[1])
    if value or below >= bound:
        numbers[_GUESS] = guess
        return max(value, below)
    value, guess = _among_candidates(setting, members, count, attempts, stack.sizes)
    if value:
        _remember(memory, key[0], key[1], count, value, value, guess)
        numbers[_GUESS] = guess
        return value
    most = min(numbers[_MOST], floors(setting, members, count, tried, stack.floors))
    floor = max(below, stack.floors[: len(tried)].min())
    width = setting.widths[count]
    if floor < bound:
        found, others = _promising(stack.floors, tried, bound, _ESTIMATED * width, stack.chosen)
        chosen = stack.chosen[:found]
        for size in range(count + 1):
            stack.lows[size] = least_total(size, most, _after(attempts))
        estimate_all(setting, members, count, chosen, stack.lows, stack.estimates, stack.totals)
        floor = max(floor, min(others, stack.totals[:found].min()))
    if floor >= bound:
        _remember(memory, key[0], key[1], count, floor, 0, -1)
        return np.int64(floor)
    numbers[_MOST], numbers[_FLOOR] = most, floor
    numbers[_TRIES] = _shortlist(stack, depth, chosen, width, bound)
    numbers[_TRIED] = numbers[_PART] = 0
    numbers[_BEST] = bound
    numbers[_GUESS] = -1
    return np.int64(0)


@kernel
def _probe(setting: Any, stack: Any, memory: Any, depth: Any, total: Any, every: Any) -> Any:
    """Return the least that a guess takes, after a one-ply look at each part of unknown value.

    The smallest parts come first, because they take the least time. It ends where the bound is
    reached. What was found of the parts is remembered.
    """
    numbers = stack.frames[depth]
    attempts = _after(numbers[_ATTEMPTS])
    for at in range(numbers[_PARTS] - 1, -1, -1):
        part = stack.place[depth, at]
        size, start = stack.size[depth, part], stack.start[depth, part]
        if stack.low[depth, part] > least_total(size, numbers[_MOST], attempts):
            continue
        members, key = stack.ordered[depth, start : start + size], stack.key[depth, part]
        floor, guess = _among_candidates(setting, members, size, attempts, stack.sizes)
        if floor:
            _remember(memory, key[0], key[1], size, floor, floor, guess)
        else:
            tried = setting.as_guess[members] if setting.candidates_only else every
            floors(setting, members, size, tried, stack.floors)
            floor = max(stack.low[depth, part], stack.floors[: len(tried)].min())
            _remember(memory, key[0], key[1], size, floor, 0, -1)
        total += floor - stack.low[depth, part]
        stack.low[depth, part] = floor
        if total >= numbers[_BEST]:
            return total
    return total


@kernel
def _next_guess(setting: Any, stack: Any, memory: Any, depth: Any, every: Any) -> Any:
    """Go on to a frame's next guess whose parts must be looked into; return False without one."""
    numbers = stack.frames[depth]
    partition_keys = stack.partition_keys[depth]
    while numbers[_TRIED] < numbers[_TRIES] and numbers[_BEST] > numbers[_FLOOR]:
        at = numbers[_TRIED]
        guess = stack.order[depth, at]
        total, partition_key = _split(setting, stack, memory, depth, guess)
        partition_keys[at] = partition_key
        numbers[_TRIED] += 1
        if total >= numbers[_BEST]:
            continue
        again = False
        for before in range(at):
            again |= partition_keys[before] == partition_key
        if again:
            continue
        if numbers[_PARTS] > 1 and numbers[_BEST] < UNBOUND:
            total = _probe(setting, stack, memory, depth, total, every)
            if total >= numbers[_BEST]:
                continue
        numbers[_TOTAL] = total
        numbers[_PART] = 0
        if numbers[_PARTS]:
            return True
        numbers[_BEST] = total
        numbers[_GUESS] = guess
    return False


@kernel
def value_of(
    setting: Any, memory: Any, stack: Any, candidates: Any, attempts: Any, most: Any, bound: Any,
    first_tried: Any, every: Any,
) -> Any:  # fmt: skip
    """Return value and guess of a part; a value from `bound` on says only that it is no less.

    `first_tried` are the guesses to choose from in this part, `every` those in later parts; `most`
    is the most parts that any guess makes.
    """
    numbers = stack.frames
    depth = np.int64(0)  # a literal 0 is another type to numba, and all would be compiled twice
    count = len(candidates)
    stack.members[0, :count] = candidates
    key = np.zeros(2, np.uint64)
    for i in range(count):
        key[0] ^= setting.keys[candidates[i], 0]
        key[1] ^= setting.keys[candidates[i], 1]
    key[0] ^= setting.attempt_keys[attempts, 0]
    key[1] ^= setting.attempt_keys[attempts, 1]
    frame_keys = np.empty((len(numbers), 2), np.uint64)
    frame_keys[0] = key
    numbers[0, _COUNT], numbers[0, _ATTEMPTS] = count, attempts
    numbers[0, _BOUND], numbers[0, _MOST] = bound, most
    entered = False
    while True:
        frame = numbers[depth]
        if not entered:
            if depth == 0:
                tried = first_tried
            elif setting.candidates_only:
                tried = setting.as_guess[stack.members[depth, : frame[_COUNT]]]
            else:
                tried = every
            value = _enter(setting, stack, memory, depth, frame_keys[depth], tried)
            if not value:
                entered = True
                continue
        else:
            if frame[_PART] == 0 and not _next_guess(setting, stack, memory, depth, every):
                value = frame[_BEST]
                found = frame[_GUESS] >= 0
                exact = value if found else 0
                _remember(
                    memory, frame_keys[depth, 0], frame_keys[depth, 1], frame[_COUNT], value, exact,
                    frame[_GUESS],
                )  # fmt: skip
            else:
                if depth + 1 == len(numbers):
                    return np.int64(TOO_DEEP), np.int64(-1)
                part = stack.place[depth, frame[_PART]]
                size, start = stack.size[depth, part], stack.start[depth, part]
                stack.members[depth + 1, :size] = stack.ordered[depth, start : start + size]
                frame_keys[depth + 1] = stack.key[depth, part]
                below = numbers[depth + 1]
                below[_COUNT], below[_ATTEMPTS] = size, _after(frame[_ATTEMPTS])
                below[_BOUND] = frame[_BEST] - frame[_TOTAL] + stack.low[depth, part]
                below[_MOST] = frame[_MOST]
                depth += 1
                entered = False
                continue
        # The value of this frame is known; the frame above adds it to the total of its guess.
        if depth == 0:
            return value, numbers[0, _GUESS]
        depth -= 1
        entered = True
        frame = numbers[depth]
        frame[_TOTAL] += value - stack.low[depth, stack.place[depth, frame[_PART]]]
        frame[_PART] += 1
        if frame[_TOTAL] >= frame[_BEST]:
            frame[_PART] = 0
        elif frame[_PART] == frame[_PARTS]:
            frame[_PART] = 0
            frame[_BEST] = frame[_TOTAL]
            frame[_GUESS] = stack.order[depth, frame[_TRIED] - 1]
