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
from puzzlehunt.kernels.compiled.floors import (
    UNREACHED,
    USELESS,
    estimate_all,
    fill_rough_floors,
    least_by_parts,
    least_total,
    settled,
)
from puzzlehunt.kernels.compiled.grouping import group
from puzzlehunt.kernels.compiled.heap import sort_least
from puzzlehunt.kernels.compiled.memory import GUESS_BITS, GUESS_MASK, recall, remember

SCALE = 1 << 12
"""How many steps make one guess in the prices of parts, by which guesses are put in order."""
UNLIMITED_ATTEMPTS = 63
"""Number of attempts left that stands for no limit: it does not become smaller."""
UNBOUND = 1 << 50
"""A bound of this or more (guesses) is no bound: no value has been found yet."""
TOO_DEEP, STOPPED = -1, -2
"""Returned as a value where the stack has too few frames, and where the search was stopped."""
LOOK = 2
"""How a guess is asked for whose floor is enough."""
_UNKNOWN, _NO_GUESS = np.int64(0), np.int64(-1)
"""A value that is not known, and the best guess then; of one type, to be compiled once."""

_PAIRED = 256
_FLOORS = 256
"""Number of floors that are told apart when the guesses with the lowest are chosen."""
_ESTIMATED = 16
"""Number of guesses that get an estimate, for each one that is then looked into."""

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

Stack = namedtuple(
    "Stack",
    "members ordered start size key part_floors unsettled shortlist "
    "shortlist_floors places pairs partition_keys frames sizes size_floors rough_floors chosen "
    "estimates close_floors answers numbers stop",
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


def new_stack(secrets: int, guesses: int, feedbacks: int, depth: int, stop: Any) -> Any:
    """Return empty arrays for paths of up to `depth` guesses; `stop` is shared by all threads."""
    return Stack(
        members=np.empty((depth, secrets), np.int32),
        ordered=np.empty((depth, secrets), np.int32),
        start=np.empty((depth, feedbacks + 1), np.int64),
        size=np.empty((depth, feedbacks), np.int64),
        key=np.empty((depth, feedbacks, 2), np.uint64),
        part_floors=np.empty((depth, feedbacks), np.int64),
        unsettled=np.empty((depth, feedbacks), np.int64),
        shortlist=np.empty((depth, guesses), np.int64),
        shortlist_floors=np.empty((depth, guesses), np.int64),
        places=np.empty((depth, secrets), np.int32),
        pairs=np.empty((depth, min(secrets, _PAIRED), min(secrets, _PAIRED)), np.uint16),
        partition_keys=np.empty((depth, guesses), np.uint64),
        frames=np.empty((depth, _NUMBERS), np.int64),
        sizes=np.empty(feedbacks, np.int64),
        size_floors=np.empty(secrets + 1, np.int64),
        rough_floors=np.empty(guesses, np.int64),
        chosen=np.empty(guesses, np.int64),
        estimates=np.empty(guesses, np.int64),
        close_floors=np.empty(guesses, np.int64),
        answers=np.empty(secrets, np.int32),
        numbers=np.arange(secrets, dtype=np.int32),
        stop=stop,
    )


@inlined
def _attempts_after_guess(attempts: Any) -> Any:
    """Return how many attempts are left after one more guess."""
    return attempts if attempts == UNLIMITED_ATTEMPTS else attempts - 1


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
def _shortlist(stack: Any, depth: Any, guesses: Any, width: Any, bound: Any) -> Any:
    """Put the `width` guesses with the least estimates in order; drop those at or above the bound.

    Returns how many are kept. Which have the least estimates does not depend on the bound, so that
    the value of a part does not depend on the way to it.
    """
    estimates, close_floors = stack.estimates, stack.close_floors
    shortlist, shortlist_floors = stack.shortlist[depth], stack.shortlist_floors[depth]
    all_kept = width >= len(guesses)
    found = np.int64(0)
    for j in range(len(guesses)):
        if close_floors[j] < (min(bound, USELESS) if all_kept else USELESS):
            unreached = min(close_floors[j] // UNREACHED, 127)
            shortlist[found] = (((unreached << 36) + estimates[j]) << GUESS_BITS) + j
            found += 1
    kept = 0
    for place in range(sort_least(shortlist, found, width)):
        j = shortlist[place] & GUESS_MASK
        if close_floors[j] < bound:
            shortlist[kept] = guesses[j]
            shortlist_floors[kept] = close_floors[j]
            kept += 1
    return kept


@kernel
def _pair_up(setting: Any, stack: Any, depth: Any) -> None:
    """Note the answers of the candidates of a frame's part to each other, if these are few."""
    count, members, pairs = stack.frames[depth, _COUNT], stack.members[depth], stack.pairs[depth]
    if count <= len(pairs):
        for i in range(count):
            row = setting.table[members[i]]
            for j in range(count):
                pairs[i, j] = row[setting.as_guess[members[j]]]


@kernel
def _floors_of_parts(setting: Any, stack: Any, depth: Any) -> Any:
    """Fill in the floors of the parts of a guess by their sizes; return the sum for the guess."""
    frame = stack.frames[depth]
    count, attempts = frame[_COUNT], _attempts_after_guess(frame[_ATTEMPTS])
    start, size, part_floors = stack.start[depth], stack.size[depth], stack.part_floors[depth]
    total = np.int64(count)
    for part in range(setting.feedbacks):
        size[part] = start[part + 1] - start[part]
        part_floors[part] = 0
        if size[part] and part != setting.winning:
            if attempts == 1:
                part_floors[part] = size[part] + (size[part] - 1) * UNREACHED
            elif size[part] <= 2:
                part_floors[part] = 2 * size[part] - 1
            else:
                part_floors[part] = least_total(size[part], frame[_MOST_PARTS], attempts)
            total += part_floors[part]
    return total


@kernel
def _settle_parts(setting: Any, stack: Any, depth: Any, total: Any) -> Any:
    """Settle the parts of a guess that the guess of a candidate settles; return the guess's floor.

    The others are listed in `stack.unsettled`, the largest first. The look ends where the floor,
    which is `total` before, is no better than the best guess.
    """
    frame, places = stack.frames[depth], stack.places[depth]
    attempts = _attempts_after_guess(frame[_ATTEMPTS])
    start, size, part_floors = stack.start[depth], stack.size[depth], stack.part_floors[depth]
    unsettled, few = stack.unsettled[depth], frame[_COUNT] <= len(stack.pairs[depth])
    parts = 0
    for part in range(setting.feedbacks):
        if size[part] <= 2 or part == setting.winning or attempts == 1:
            continue
        before = part_floors[part]
        if few and before <= 2 * size[part]:
            here = places[start[part] : start[part + 1]]
            value, _ = settled(stack.pairs[depth], here, here, attempts, stack.sizes)
            part_floors[part] = value or 2 * size[part]
            total += part_floors[part] - before
            if total >= frame[_BEST]:
                return total
            if value:
                continue
        at = parts
        while at > 0 and size[unsettled[at - 1]] < size[part]:
            unsettled[at] = unsettled[at - 1]
            at -= 1
        unsettled[at] = part
        parts += 1
    frame[_PARTS] = parts
    return total


@kernel
def _recall_parts(setting: Any, stack: Any, memory: Any, depth: Any, total: Any) -> Any:
    """Look up the parts of a guess that are not settled; return the guess's floor, which rises.

    Those that have a value are taken out of `stack.unsettled`.
    """
    frame, keys = stack.frames[depth], setting.keys
    attempts = _attempts_after_guess(frame[_ATTEMPTS])
    part_floors, unsettled, key = stack.part_floors[depth], stack.unsettled[depth], stack.key[depth]
    ordered, start = stack.ordered[depth], stack.start[depth]
    kept = 0
    for at in range(frame[_PARTS]):
        part = unsettled[at]
        key[part, 0] = setting.attempt_keys[attempts, 0]
        key[part, 1] = setting.attempt_keys[attempts, 1]
        for i in range(start[part], start[part + 1]):
            key[part, 0] ^= keys[ordered[i], 0]
            key[part, 1] ^= keys[ordered[i], 1]
        known_floor, value, _ = recall(memory, key[part, 0], key[part, 1])
        before = part_floors[part]
        part_floors[part] = value or max(before, known_floor)
        total += part_floors[part] - before
        if total >= frame[_BEST]:
            return total
        if not value:
            unsettled[kept] = part
            kept += 1
    frame[_PARTS] = kept
    return total


@kernel
def _split(setting: Any, stack: Any, memory: Any, depth: Any, guess: Any) -> Any:
    """Divide the part of a frame by a guess; return the guess's floor and the partition's key.

    The answers whose parts have no value yet are listed in `stack.unsettled`, largest part first.
    The key is 0 where the floor is no better than the best guess.
    """
    frame = stack.frames[depth]
    count, members, ordered = frame[_COUNT], stack.members[depth], stack.ordered[depth]
    start, places, answers = stack.start[depth], stack.places[depth], stack.answers
    for i in range(count):
        answers[i] = setting.table[members[i], guess]
    group(answers, stack.numbers, count, start, places)
    total = _floors_of_parts(setting, stack, depth)
    if total < frame[_BEST]:
        total = _settle_parts(setting, stack, depth, total)
    if total >= frame[_BEST]:
        return total, np.uint64(0)
    for i in range(count):
        ordered[i] = members[places[i]]
    total = _recall_parts(setting, stack, memory, depth, total)
    if total >= frame[_BEST]:
        return total, np.uint64(0)
    partition_key = np.uint64(1)
    for part in range(setting.feedbacks):
        if stack.size[depth, part]:
            key = np.uint64(0)
            for i in range(start[part], start[part + 1]):
                key ^= setting.keys[ordered[i], 0]
            mixed = (key ^ (key >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
            partition_key += mixed ^ (mixed >> np.uint64(29))
            if part == setting.winning:
                partition_key += np.uint64(1)
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
    known_floor, value, guess = recall(memory, key[0], key[1])
    if value or known_floor >= bound:
        frame[_GUESS] = guess
        return max(value, known_floor)
    here = members[:count]
    as_guess = setting.as_guess[here]
    value, guess = settled(setting.table, here, as_guess, attempts, stack.sizes)
    if value:
        remember(memory, key[0], key[1], count, value, value, guess)
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
        remember(memory, key[0], key[1], count, floor, _UNKNOWN, _NO_GUESS)
        return np.int64(floor)
    frame[_MOST_PARTS], frame[_FLOOR] = most_parts, floor
    _pair_up(setting, stack, depth)
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
    few = frame[_COUNT] <= len(stack.pairs[depth])
    for at in range(frame[_PARTS] - 1, -1, -1):
        part = stack.unsettled[depth, at]
        size, start = stack.size[depth, part], stack.start[depth, part]
        before = stack.part_floors[depth, part]
        if before > max(2 * size, least_total(size, frame[_MOST_PARTS], attempts)):
            continue
        members, key = stack.ordered[depth, start : start + size], stack.key[depth, part]
        floor, guess = np.int64(0), np.int64(-1)
        if not few:
            as_guess = setting.as_guess[members]
            floor, guess = settled(setting.table, members, as_guess, attempts, stack.sizes)
        if floor:
            remember(memory, key[0], key[1], size, floor, floor, guess)
        else:
            guesses = setting.as_guess[members] if setting.candidates_only else all_guesses
            least, guess = least_by_parts(setting, members, guesses, max(before, 2 * size))
            floor = max(before, least)
            separated = least == 2 * size and attempts >= 3
            value = floor if separated else _UNKNOWN
            remember(memory, key[0], key[1], size, floor, value, guess)
        total += floor - before
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
        partition_keys[at] = 0
        if stack.shortlist_floors[depth, at] >= frame[_BEST]:
            frame[_TRIED] += 1
            continue
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
def _begin_alone(setting: Any, stack: Any, guess: Any) -> None:
    """Begin with the first frame's part, in which one guess alone is to be looked into."""
    frame = stack.frames[0]
    frame[_BEST] = frame[_BOUND]
    frame[_GUESS] = -1
    frame[_FLOOR] = frame[_TRIED] = frame[_PART] = 0
    frame[_TRIES] = 1
    stack.shortlist[0, 0] = guess
    stack.shortlist_floors[0, 0] = 0
    _pair_up(setting, stack, np.int64(0))


@kernel
def value_of(
    setting: Any, memory: Any, stack: Any, candidates: Any, attempts: Any, most_parts: Any,
    bound: Any, first_guesses: Any, second_guesses: Any, all_guesses: Any, alone: Any,
) -> Any:  # fmt: skip
    """Return value and guess of a part; `bound` or more says only that the value is no less.

    `first_guesses` are the guesses to choose from in this part, `second_guesses` those in its
    parts, `all_guesses` those in later parts; `most_parts` is the most parts that any guess makes.
    With `alone` there is one first guess, and its value is asked for instead of the part's; if that
    is LOOK, a floor is enough, for which nothing is searched. Returns STOPPED once `stack.stop` is
    not 0.
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
    if alone:
        _begin_alone(setting, stack, first_guesses[0])
        entered = True
        if alone == LOOK:
            begun = _next_guess(setting, stack, memory, depth, all_guesses)
            return frames[0, _TOTAL] if begun else frames[0, _BEST], frames[0, _GUESS]
    while True:
        if stack.stop[0]:
            return np.int64(STOPPED), np.int64(-1)
        frame = frames[depth]
        if not entered:
            if depth == 0:
                guesses = first_guesses
            elif setting.candidates_only:
                guesses = setting.as_guess[stack.members[depth, : frame[_COUNT]]]
            elif depth == 1:
                guesses = second_guesses
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
                if depth or not alone:
                    key = frame_keys[depth]
                    remember(memory, key[0], key[1], frame[_COUNT], value, exact, frame[_GUESS])
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
