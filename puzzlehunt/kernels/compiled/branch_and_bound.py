"""Branch and bound over a table of feedbacks; `strategies/search.py` calls it.

A *part* is a set of candidates with the attempts left. Its *value* is how many guesses its
candidates take together under the best play among the guesses looked into. A *floor* is how many a
part, or a guess with all its parts, takes at least. Values from a *bound* on may be inexact. One
function goes down the tree with its own stack, because numba cannot cache recursive functions.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import inlined, kernel
from puzzlehunt.kernels.compiled.grouping import group
from puzzlehunt.kernels.compiled.heap import sort_least
from puzzlehunt.kernels.compiled.popcounts import popcount

UNREACHED = 1 << 28
"""The cost in guesses of a candidate that the attempts left do not reach: more than all guesses
together. (`strategies/deep.py` counts in finer steps, so its cost is another number.)"""
SCALE = 1 << 12
"""How many steps make one guess in the prices of parts, by which guesses are put in order."""
UNLIMITED_ATTEMPTS = 63
"""Number of attempts left that stands for no limit: it does not become smaller."""
USELESS = UNREACHED << 16
"""The cost in guesses of a guess that tells nothing: more than any other guess costs."""
UNBOUND = 1 << 50
"""A bound of this or more (guesses) is no bound: no value has been found yet."""
TOO_DEEP = -1
"""Returned as a value where the stack has too few frames."""
_UNKNOWN, _NO_GUESS = np.int64(0), np.int64(-1)
"""A value that is not known, and the best guess then; of one type, to be compiled once."""

_MEASURED_AT_ONCE, _BOUNDED_AT_ONCE = 128, 256
"""Number of guesses whose parts' sizes, or whose sets of answers, fit the processor's cache."""
_FLOORS = 256
"""Number of floors that are told apart when the guesses with the lowest are chosen."""
_ESTIMATED = 16
"""Number of guesses that get an estimate, for each one that is then looked into."""
_GUESS_BITS, _VALUE_BITS = 18, 44
"""Number of bits that a guess, and that a value, takes in an entry of the memory."""
_GUESS_MASK, _VALUE_MASK = (1 << _GUESS_BITS) - 1, (1 << _VALUE_BITS) - 1
_WAYS = 4
"""Number of entries of the memory in which a given part may be kept."""

Setting = namedtuple(
    "Setting", "table as_guess winning feedbacks keys attempt_keys widths prices candidates_only"
)
"""The game that is searched, and how.

- `table` (secrets, guesses): feedbacks, one of `feedbacks` values; `winning` is the winning one
- `as_guess` (secrets,): the index of each secret among the guesses
- `keys` (secrets, 2), `attempt_keys` (attempts, 2): random numbers whose exclusive or names a part
  with the attempts left
- `widths` (secrets + 1,): how many guesses are looked into in a part of each size
- `prices` (secrets + 1,): what a part of each size is estimated to take, in steps
- `candidates_only`: whether only candidates may be guessed
"""

Memory = namedtuple("Memory", "entries")
"""What was found of parts, shared by threads: `entries` (entries, 4), numbers of 64 bits.

The four numbers of an entry are the part's first key; its second key mixed with the next two
numbers; the part's size and floor; its value, 0 if unknown, with its best guess. An entry that one
thread reads while another writes it does not agree with its mixed key, and counts as unknown.
"""

Stack = namedtuple(
    "Stack",
    "members ordered start size key part_floors unsettled shortlist partition_keys frames sizes "
    "size_floors rough_floors chosen estimates close_floors answers",
)
"""The arrays that one thread works in. The first ten have a row, called a frame, for each guess of
the path that is looked into; the others serve one frame at a time.

- `members`: the candidates of the frame's part; `ordered`: the same, sorted by answer to the guess
- `start`, `size`, `key`, `part_floors`: where each part that the guess makes begins in `ordered`,
  how many candidates it has, its two keys, its floor
- `unsettled`: the answers whose parts have no value yet, the largest part first
- `shortlist`: the guesses to look into; `partition_keys`: a hash of the partition by each
- `frames`: the numbers that are named below
- `sizes`, `size_floors`: which answers have occurred; the floor of a part of each size
- `rough_floors`, `close_floors`: the floor of each guess by the number, and the sizes, of its parts
- `chosen`, `estimates`: the guesses that get an estimate, and these; `answers` of the candidates
"""

# The numbers of a frame: the size of its part, the attempts left, the bound; the value of the best
# guess so far, and that guess; how many guesses to look into, and how many were begun. Of the guess
# that is looked into: its floor, which of its unsettled parts is next, how many these are. The
# floor of the frame's part, and the most parts that any guess makes of it.
(
    _COUNT, _ATTEMPTS, _BOUND, _BEST, _GUESS, _TRIES, _TRIED, _TOTAL, _PART, _PARTS, _FLOOR,
    _MOST_PARTS, _NUMBERS,
) = range(13)  # fmt: skip


def new_stack(secrets: int, guesses: int, feedbacks: int, depth: int) -> Any:
    """Return empty arrays for paths of up to `depth` guesses."""
    return Stack(
        members=np.empty((depth, secrets), np.int32),
        ordered=np.empty((depth, secrets), np.int32),
        start=np.empty((depth, feedbacks + 1), np.int64),
        size=np.empty((depth, feedbacks), np.int64),
        key=np.empty((depth, feedbacks, 2), np.uint64),
        part_floors=np.empty((depth, feedbacks), np.int64),
        unsettled=np.empty((depth, feedbacks), np.int64),
        shortlist=np.empty((depth, guesses), np.int64),
        partition_keys=np.empty((depth, guesses), np.uint64),
        frames=np.empty((depth, _NUMBERS), np.int64),
        sizes=np.empty(feedbacks, np.int64),
        size_floors=np.empty(secrets + 1, np.int64),
        rough_floors=np.empty(guesses, np.int64),
        chosen=np.empty(guesses, np.int64),
        estimates=np.empty(guesses, np.int64),
        close_floors=np.empty(guesses, np.int64),
        answers=np.empty(secrets, np.int32),
    )


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


@inlined
def _attempts_after_guess(attempts: Any) -> Any:
    """Return how many attempts are left after one more guess."""
    return attempts if attempts == UNLIMITED_ATTEMPTS else attempts - 1


@inlined
def _mixed(one: Any, other: Any) -> Any:
    """Return a hash of two numbers of 64 bits."""
    first = (one ^ (one >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    second = (other ^ (other >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)
    return first ^ (second >> np.uint64(7)) ^ (second << np.uint64(9))


@kernel
def _recall(memory: Any, first_key: Any, second_key: Any) -> Any:
    """Return what is remembered of a part: its floor, its value or 0, its best guess or -1."""
    entries = memory.entries
    at = np.int64(first_key & np.uint64(len(entries) - 1)) & ~(_WAYS - 1)
    for way in range(at, at + _WAYS):
        if entries[way, 0] == first_key:
            size_and_floor, value_and_guess = entries[way, 2], entries[way, 3]
            if entries[way, 1] == second_key ^ _mixed(size_and_floor, value_and_guess):
                value = np.int64(value_and_guess >> np.uint64(_GUESS_BITS))
                guess = np.int64(value_and_guess & np.uint64(_GUESS_MASK))
                return np.int64(size_and_floor & np.uint64(_VALUE_MASK)), value, guess
    return np.int64(0), np.int64(0), np.int64(-1)


@kernel
def _remember(
    memory: Any, first_key: Any, second_key: Any, size: Any, floor: Any, value: Any, guess: Any
) -> None:
    """Keep what was found of a part, instead of the smallest part among the entries it may take."""
    entries = memory.entries
    at: Any = np.int64(first_key & np.uint64(len(entries) - 1)) & ~(_WAYS - 1)
    place, smallest = at, np.int64(1 << 60)
    for way in range(at, at + _WAYS):
        if entries[way, 0] == first_key:
            place = way
            break
        size_there = np.int64(entries[way, 2] >> np.uint64(_VALUE_BITS))
        if size_there < smallest:
            place, smallest = way, size_there
    size_and_floor = np.uint64(floor) | (np.uint64(size) << np.uint64(_VALUE_BITS))
    value_and_guess = (np.uint64(value) << np.uint64(_GUESS_BITS)) | np.uint64(max(guess, 0))
    entries[place, 0] = first_key
    entries[place, 2] = size_and_floor
    entries[place, 3] = value_and_guess
    entries[place, 1] = second_key ^ _mixed(size_and_floor, value_and_guess)


@kernel
def fill_rough_floors(
    setting: Any, members: Any, count: Any, guesses: Any, rough_floors: Any
) -> Any:
    """Fill in the floor of each guess by how many parts it makes; return the most parts of any.

    Each of n candidates takes this guess and another one, and all but one in each of p parts take a
    third: 3n - p guesses, and one less if the guess is a candidate. With more than 64 feedbacks
    parts are not counted: floors are 0, and the most parts are as many as feedbacks.
    """
    table, most_parts = setting.table, 1
    if setting.feedbacks > 64:
        rough_floors[: len(guesses)] = 0
        return np.int64(setting.feedbacks)
    one, win = np.uint64(1), np.uint64(1) << np.uint64(setting.winning)
    masks = np.empty(_BOUNDED_AT_ONCE, np.uint64)
    number = len(guesses)
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
                    present[j] |= one << np.uint64(row[guesses[first + j]])
        for j in range(wide):
            parts = popcount(present[j])
            hit = 1 if present[j] & win else 0
            most_parts = max(most_parts, parts)
            useless = parts == 1 and hit == 0
            rough_floors[first + j] = USELESS if useless else 3 * count - hit - parts
    return np.int64(most_parts)


@kernel
def _promising(rough_floors: Any, guesses: Any, bound: Any, wanted: Any, chosen: Any) -> Any:
    """Choose the guesses that get an estimate; return how many, and the least floor of the others.

    If at least as many are `wanted` as there are guesses, all are chosen whose floor is below the
    bound. Else at least so many are chosen, whatever the bound: those with the lowest floors, and
    all others with the same floor as the last of them.
    """
    number = len(guesses)
    cut = min(bound, USELESS)
    if wanted < number:
        cut = USELESS
        lowest = rough_floors[:number].min()
        times = np.zeros(_FLOORS, np.int64)
        for j in range(number):
            times[min(rough_floors[j] - lowest, _FLOORS - 1)] += 1
        reached = 0
        for step in range(_FLOORS - 1):
            reached += times[step]
            if reached >= wanted:
                cut = lowest + step + 1
                break
    found, floor_of_others = 0, USELESS
    for j in range(number):
        if rough_floors[j] < cut:
            chosen[found] = guesses[j]
            found += 1
        else:
            floor_of_others = min(floor_of_others, rough_floors[j])
    return found, floor_of_others


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


@kernel
def _settled_by_candidate(setting: Any, members: Any, count: Any, attempts: Any, sizes: Any) -> Any:
    """Return value and guess of a part that the guess of a candidate settles, else 0 and -1.

    Such a guess separates all candidates, or all but two: no other guess does better.
    """
    table, as_guess = setting.table, setting.as_guess
    all_but_two = np.int64(-1)
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
        if parts == count - 1 and all_but_two < 0 and attempts >= 3:
            all_but_two = np.int64(g)
    if all_but_two >= 0:
        return np.int64(2 * count), all_but_two
    return np.int64(0), np.int64(-1)


@kernel
def _shortlist(stack: Any, depth: Any, guesses: Any, width: Any, bound: Any) -> Any:
    """Put the `width` guesses with the least estimates in order; drop those at or above the bound.

    Returns how many are kept. Which have the least estimates does not depend on the bound, so that
    the value of a part does not depend on the way to it.
    """
    estimates, close_floors = stack.estimates, stack.close_floors
    shortlist = stack.shortlist[depth]
    all_kept = width >= len(guesses)
    found = np.int64(0)
    for j in range(len(guesses)):
        if close_floors[j] < (min(bound, USELESS) if all_kept else USELESS):
            unreached = min(close_floors[j] // UNREACHED, 127)
            shortlist[found] = (((unreached << 36) + estimates[j]) << _GUESS_BITS) + j
            found += 1
    kept = 0
    for place in range(sort_least(shortlist, found, width)):
        j = shortlist[place] & _GUESS_MASK
        if close_floors[j] < bound:
            shortlist[kept] = guesses[j]
            kept += 1
    return kept


@kernel
def _split(setting: Any, stack: Any, memory: Any, depth: Any, guess: Any) -> Any:
    """Divide the part of a frame by a guess; return the guess's floor and the partition's key.

    The answers whose parts have no value yet are listed in `stack.unsettled`, largest part first.
    """
    frame = stack.frames[depth]
    count, attempts = frame[_COUNT], _attempts_after_guess(frame[_ATTEMPTS])
    members, ordered = stack.members[depth], stack.ordered[depth]
    start, size, key = stack.start[depth], stack.size[depth], stack.key[depth]
    part_floors, unsettled = stack.part_floors[depth], stack.unsettled[depth]
    table, winning, keys = setting.table, setting.winning, setting.keys
    answers = stack.answers
    for i in range(count):
        answers[i] = table[members[i], guess]
    group(answers, members, count, start, ordered)
    total = np.int64(count)
    partition_key = np.uint64(0)
    unsettled_parts = 0
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
        known_floor, value, _ = _recall(memory, key[part, 0], key[part, 1])
        if value:
            total += value
            continue
        part_floors[part] = max(known_floor, least_total(size[part], frame[_MOST_PARTS], attempts))
        total += part_floors[part]
        at = unsettled_parts
        while at > 0 and size[unsettled[at - 1]] < size[part]:
            unsettled[at] = unsettled[at - 1]
            at -= 1
        unsettled[at] = part
        unsettled_parts += 1
    frame[_PARTS] = unsettled_parts
    return total, partition_key


@kernel
def _enter(setting: Any, stack: Any, memory: Any, depth: Any, key: Any, guesses: Any) -> Any:
    """Begin with the part of a frame; return its value, or a floor at or beyond the bound.

    Returns 0 if neither is known at once; then the guesses to look into are put in order.
    """
    frame, members = stack.frames[depth], stack.members[depth]
    count, attempts, bound = frame[_COUNT], frame[_ATTEMPTS], frame[_BOUND]
    guess = np.int64(setting.as_guess[members[0]])
    frame[_GUESS] = guess
    if count == 1 or attempts == 1:
        return np.int64(count + (count - 1) * UNREACHED)
    if count == 2:
        return np.int64(3)
    known_floor, value, guess = _recall(memory, key[0], key[1])
    if value or known_floor >= bound:
        frame[_GUESS] = guess
        return max(value, known_floor)
    value, guess = _settled_by_candidate(setting, members, count, attempts, stack.sizes)
    if value:
        _remember(memory, key[0], key[1], count, value, value, guess)
        frame[_GUESS] = guess
        return value
    most_parts = min(
        frame[_MOST_PARTS], fill_rough_floors(setting, members, count, guesses, stack.rough_floors)
    )
    floor = max(known_floor, stack.rough_floors[: len(guesses)].min())
    width = setting.widths[count]
    if floor < bound:
        wanted = _ESTIMATED * width
        found, other_floor = _promising(stack.rough_floors, guesses, bound, wanted, stack.chosen)
        chosen = stack.chosen[:found]
        for size in range(count + 1):
            stack.size_floors[size] = least_total(size, most_parts, _attempts_after_guess(attempts))
        estimate_all(
            setting, members, count, chosen, stack.size_floors, stack.estimates, stack.close_floors
        )
        floor = max(floor, min(other_floor, stack.close_floors[:found].min()))
    if floor >= bound:
        _remember(memory, key[0], key[1], count, floor, _UNKNOWN, _NO_GUESS)
        return np.int64(floor)
    frame[_MOST_PARTS], frame[_FLOOR] = most_parts, floor
    frame[_TRIES] = _shortlist(stack, depth, chosen, width, bound)
    frame[_TRIED] = frame[_PART] = 0
    frame[_BEST] = bound
    frame[_GUESS] = -1
    return np.int64(0)


@kernel
def _probe(setting: Any, stack: Any, memory: Any, depth: Any, total: Any, all_guesses: Any) -> Any:
    """Return the floor of a guess after a one-ply look at each of its unsettled parts.

    `total` is its floor before. The smallest parts come first, because they take the least time;
    the look ends where the floor is no better than the best guess. What was found is remembered.
    """
    frame = stack.frames[depth]
    attempts = _attempts_after_guess(frame[_ATTEMPTS])
    for at in range(frame[_PARTS] - 1, -1, -1):
        part = stack.unsettled[depth, at]
        size, start = stack.size[depth, part], stack.start[depth, part]
        if stack.part_floors[depth, part] > least_total(size, frame[_MOST_PARTS], attempts):
            continue
        members, key = stack.ordered[depth, start : start + size], stack.key[depth, part]
        floor, guess = _settled_by_candidate(setting, members, size, attempts, stack.sizes)
        if floor:
            _remember(memory, key[0], key[1], size, floor, floor, guess)
        else:
            guesses = setting.as_guess[members] if setting.candidates_only else all_guesses
            fill_rough_floors(setting, members, size, guesses, stack.rough_floors)
            floor = max(stack.part_floors[depth, part], stack.rough_floors[: len(guesses)].min())
            _remember(memory, key[0], key[1], size, floor, _UNKNOWN, _NO_GUESS)
        total += floor - stack.part_floors[depth, part]
        stack.part_floors[depth, part] = floor
        if total >= frame[_BEST]:
            return total
    return total


@kernel
def _next_guess(setting: Any, stack: Any, memory: Any, depth: Any, all_guesses: Any) -> Any:
    """Go on to a frame's next guess whose parts must be looked into; return False without one."""
    frame = stack.frames[depth]
    partition_keys = stack.partition_keys[depth]
    while frame[_TRIED] < frame[_TRIES] and frame[_BEST] > frame[_FLOOR]:
        at = frame[_TRIED]
        guess = stack.shortlist[depth, at]
        total, partition_key = _split(setting, stack, memory, depth, guess)
        partition_keys[at] = partition_key
        frame[_TRIED] += 1
        if total >= frame[_BEST]:
            continue
        same_partition = False
        for before in range(at):
            same_partition |= partition_keys[before] == partition_key
        if same_partition:
            continue
        if frame[_PARTS] > 1 and frame[_BEST] < UNBOUND:
            total = _probe(setting, stack, memory, depth, total, all_guesses)
            if total >= frame[_BEST]:
                continue
        frame[_TOTAL] = total
        frame[_PART] = 0
        if frame[_PARTS]:
            return True
        frame[_BEST] = total
        frame[_GUESS] = guess
    return False


@kernel
def value_of(
    setting: Any, memory: Any, stack: Any, candidates: Any, attempts: Any, most_parts: Any,
    bound: Any, first_guesses: Any, all_guesses: Any,
) -> Any:  # fmt: skip
    """Return value and guess of a part; `bound` or more says only that the value is no less.

    `first_guesses` are the guesses to choose from in this part, `all_guesses` those in later parts;
    `most_parts` is the most parts that any guess makes.
    """
    frames = stack.frames
    depth = np.int64(0)  # a literal 0 is another type to numba, and all would be compiled twice
    count = len(candidates)
    frame_keys = np.zeros((len(frames), 2), np.uint64)
    key = frame_keys[0]
    for i in range(count):
        stack.members[0, i] = candidates[i]
        key[0] ^= setting.keys[candidates[i], 0]
        key[1] ^= setting.keys[candidates[i], 1]
    key[0] ^= setting.attempt_keys[attempts, 0]
    key[1] ^= setting.attempt_keys[attempts, 1]
    frames[0, _COUNT], frames[0, _ATTEMPTS] = count, attempts
    frames[0, _BOUND], frames[0, _MOST_PARTS] = bound, most_parts
    entered = False
    while True:
        frame = frames[depth]
        if not entered:
            if depth == 0:
                guesses = first_guesses
            elif setting.candidates_only:
                guesses = setting.as_guess[stack.members[depth, : frame[_COUNT]]]
            else:
                guesses = all_guesses
            value = _enter(setting, stack, memory, depth, frame_keys[depth], guesses)
            if not value:
                entered = True
                continue
        else:
            if frame[_PART] == 0 and not _next_guess(setting, stack, memory, depth, all_guesses):
                value = frame[_BEST]
                found = frame[_GUESS] >= 0
                exact = value if found else 0
                key = frame_keys[depth]
                _remember(memory, key[0], key[1], frame[_COUNT], value, exact, frame[_GUESS])
            else:
                if depth + 1 == len(frames):
                    return np.int64(TOO_DEEP), np.int64(-1)
                part = stack.unsettled[depth, frame[_PART]]
                size, start = stack.size[depth, part], stack.start[depth, part]
                for i in range(size):
                    stack.members[depth + 1, i] = stack.ordered[depth, start + i]
                frame_keys[depth + 1, 0] = stack.key[depth, part, 0]
                frame_keys[depth + 1, 1] = stack.key[depth, part, 1]
                next_frame = frames[depth + 1]
                next_frame[_COUNT] = size
                next_frame[_ATTEMPTS] = _attempts_after_guess(frame[_ATTEMPTS])
                next_frame[_BOUND] = frame[_BEST] - frame[_TOTAL] + stack.part_floors[depth, part]
                next_frame[_MOST_PARTS] = frame[_MOST_PARTS]
                depth += 1
                entered = False
                continue
        # The value of this frame is known; the frame above adds it to the total of its guess.
        if depth == 0:
            return value, frames[0, _GUESS]
        depth -= 1
        entered = True
        frame = frames[depth]
        frame[_TOTAL] += value - stack.part_floors[depth, stack.unsettled[depth, frame[_PART]]]
        frame[_PART] += 1
        if frame[_TOTAL] >= frame[_BEST]:
            frame[_PART] = 0
        elif frame[_PART] == frame[_PARTS]:
            frame[_PART] = 0
            frame[_BEST] = frame[_TOTAL]
            frame[_GUESS] = stack.shortlist[depth, frame[_TRIED] - 1]
