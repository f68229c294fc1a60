"""Branch and bound over a table of feedbacks; `strategies/search/branch_and_bound.py` calls it.

A *part* is a set of candidates with the attempts left. Its *value* is how many guesses its
candidates take together under the best play among the guesses looked into. A *floor* is how many a
part, or a guess with all its parts, takes at least. Values from a *bound* on may be inexact. One
function goes down the tree with its own stack, because numba cannot cache recursive functions.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.bounds import (
    UNINFORMATIVE,
    UNSOLVED_COST,
    estimate_all,
    fill_part_count_bounds,
    separating_candidate,
    tree_size_bound,
)
from puzzlehunt.kernels.compiled.heap import sort_least
from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.partitions import group
from puzzlehunt.kernels.compiled.search_arrays import (
    ATTEMPTS,
    BEST,
    BOUND,
    COUNT,
    FLOOR,
    FLOOR_BINS,
    GUESS,
    MOST_PARTS,
    PART,
    PARTS,
    TOTAL,
    TRIED,
    TRIES,
    USED,
    Frame,
)
from puzzlehunt.kernels.compiled.transposition_table import GUESS_BITS, GUESS_MASK, probe, store

SCALE = 1 << 12
"""How many steps make one guess in the prices of parts, by which guesses are put in order."""
UNLIMITED_ATTEMPTS = 63
"""Number of attempts left that stands for no limit: it does not become smaller."""
UNBOUND = 1 << 50
"""A bound of this or more (guesses) is no bound: no value has been found yet."""
TOO_DEEP, STOPPED = -1, -2
"""Returned as a value where the stack has too few frames, and where the search was stopped."""
OF_PART, OF_GUESS, FLOOR_OF_GUESS = 0, 1, 2
"""What is asked for: the value of a part, of one guess in it, or only a floor of that guess."""
_NO_GUESS = np.int64(-1)
"""The best guess where none is known; a variable, so that nothing is compiled for a literal."""
_NONE_ENOUGH, _NO_COLUMN = np.int64(-1), np.int64(-1)
"""No floor ends a look, and guesses are no consecutive columns."""

_ESTIMATED = 16
"""Number of guesses that get an estimate, for each one that is then looked into."""


@inlined
def _attempts_after_guess(attempts: Any) -> Any:
    """Return how many attempts are left after one more guess."""
    return attempts if attempts == UNLIMITED_ATTEMPTS else attempts - 1


@inlined
def _promising(
    part_count_bounds: Any,
    guesses: Any,
    lowest: Any,
    bound: Any,
    wanted: Any,
    times: Any,
    chosen: Any,
) -> Any:
    """Choose the guesses that get an estimate; return how many, and the least floor of the others.

    If at least as many are `wanted` as there are guesses, all are chosen whose floor is below the
    bound. Else at least so many are chosen, whatever the bound: those with the lowest floors, and
    all others with the same floor as the last of them. `lowest` is the lowest floor.
    """
    number = len(guesses)
    cut = min(bound, UNINFORMATIVE)
    if wanted < number:
        cut = UNINFORMATIVE
        for step in range(FLOOR_BINS):
            times[step] = 0
        for j in range(number):
            times[min(part_count_bounds[j] - lowest, FLOOR_BINS - 1)] += 1
        reached = 0
        for step in range(FLOOR_BINS - 1):
            reached += times[step]
            if reached >= wanted:
                cut = lowest + step + 1
                break
    found, floor_of_others = 0, UNINFORMATIVE
    for j in range(number):
        if part_count_bounds[j] < cut:
            chosen[found] = guesses[j]
            found += 1
        else:
            floor_of_others = min(floor_of_others, part_count_bounds[j])
    return found, floor_of_others


@inlined
def _shortlist(frame: Any, space: Any, guesses: Any, width: Any, bound: Any) -> Any:
    """Put the `width` guesses with the least estimates in order; drop those at or above the bound.

    Returns how many are kept. Which have the least estimates does not depend on the bound, so that
    the value of a part does not depend on the way to it.
    """
    estimates, part_size_bounds = space.estimates, space.part_size_bounds
    shortlist, shortlist_floors = frame.shortlist, frame.shortlist_floors
    limit = min(bound, UNINFORMATIVE) if width >= len(guesses) else UNINFORMATIVE
    found = np.int64(0)
    for j in range(len(guesses)):
        if part_size_bounds[j] < limit:
            unreached = min(part_size_bounds[j] // UNSOLVED_COST, 127)
            shortlist[found] = (((unreached << 36) + estimates[j]) << GUESS_BITS) + j
            found += 1
    kept = 0
    for place in range(sort_least(shortlist, found, width)):
        j = shortlist[place] & GUESS_MASK
        if part_size_bounds[j] < bound:
            shortlist[kept] = guesses[j]
            shortlist_floors[kept] = part_size_bounds[j]
            kept += 1
    return kept


@inlined
def _pair_up(setting: Any, frame: Any) -> None:
    """Note the answers of the candidates of a frame's part to each other, if these are few."""
    count, members, pairs = frame.numbers[COUNT], frame.members, frame.pairs
    if count <= len(pairs):
        for i in range(count):
            row = setting.table[members[i]]
            for j in range(count):
                pairs[i, j] = row[setting.guess_of[members[j]]]


@inlined
def _floors_of_parts(setting: Any, frame: Any) -> Any:
    """Fill in the floors of the parts of a guess by their sizes; return the sum for the guess."""
    numbers, start, part_floors = frame.numbers, frame.start, frame.part_floors
    attempts = _attempts_after_guess(numbers[ATTEMPTS])
    total = numbers[COUNT]
    for part in range(setting.feedbacks):
        size, floor = start[part + 1] - start[part], np.int64(0)
        if size and part != setting.winning:
            if attempts == 1:
                floor = size + (size - 1) * UNSOLVED_COST
            elif size <= 2:
                floor = 2 * size - 1
            else:
                floor = tree_size_bound(size, numbers[MOST_PARTS], attempts)
        frame.size[part], part_floors[part] = size, floor
        total += floor
    return total


@inlined
def _settle_parts(setting: Any, scratch: Any, frame: Any, total: Any) -> Any:
    """Settle the parts of a guess that the guess of a candidate settles; return the guess's floor.

    The others are listed in `unsettled`, the largest first. The look ends where the floor, which is
    `total` before, is no better than the best guess.
    """
    numbers, start, size, unsettled = frame.numbers, frame.start, frame.size, frame.unsettled
    attempts = _attempts_after_guess(numbers[ATTEMPTS])
    few = numbers[COUNT] <= len(frame.pairs)
    parts = 0
    for part in range(setting.feedbacks):
        if size[part] <= 2 or part == setting.winning or attempts == 1:
            continue
        before = frame.part_floors[part]
        if few and before <= 2 * size[part]:
            value, _ = separating_candidate(
                frame.pairs, frame.places, start[part], start[part + 1], scratch.all_numbers,
                attempts, scratch.seen,
            )  # fmt: skip
            floor = value or 2 * size[part]
            frame.part_floors[part] = floor
            total += floor - before
            if total >= numbers[BEST]:
                break
            if value:
                continue
        at = parts
        while at > 0 and size[unsettled[at - 1]] < size[part]:
            unsettled[at] = unsettled[at - 1]
            at -= 1
        unsettled[at] = part
        parts += 1
    numbers[PARTS] = parts
    return total


@inlined
def _recall_parts(setting: Any, frame: Any, memory: Any, total: Any) -> Any:
    """Look up the parts of a guess that are not settled; return the guess's floor, which rises.

    Those that have a value are taken out of `unsettled`.
    """
    numbers, unsettled, ordered = frame.numbers, frame.unsettled, frame.ordered
    attempts = _attempts_after_guess(numbers[ATTEMPTS])
    kept = 0
    for at in range(numbers[PARTS]):
        part = unsettled[at]
        first = setting.attempt_keys[attempts, 0]
        second = setting.attempt_keys[attempts, 1]
        for i in range(frame.start[part], frame.start[part + 1]):
            first ^= setting.keys[ordered[i], 0]
            second ^= setting.keys[ordered[i], 1]
        frame.key[part, 0], frame.key[part, 1] = first, second
        known_floor, value, _ = probe(memory, first, second)
        before = frame.part_floors[part]
        floor = value or max(before, known_floor)
        frame.part_floors[part] = floor
        total += floor - before
        if total >= numbers[BEST]:
            break
        if not value:
            unsettled[kept] = part
            kept += 1
    numbers[PARTS] = kept
    return total


@inner
def _partition_by(setting: Any, memory: Any, scratch: Any, frame: Any, guess: Any) -> Any:
    """Divide the part of a frame by a guess; return the guess's floor and the partition's key.

    The answers whose parts have no value yet are listed in `unsettled`, largest part first. The key
    is 0 where the floor is no better than the best guess.
    """
    numbers, members, ordered = frame.numbers, frame.members, frame.ordered
    answers, start, places, count = scratch.answers, frame.start, frame.places, numbers[COUNT]
    for i in range(count):
        answers[i] = setting.table[members[i], guess]
    group(answers, scratch.all_numbers, count, start, places)
    total, partition_key = _floors_of_parts(setting, frame), np.uint64(0)
    if total < numbers[BEST]:
        total = _settle_parts(setting, scratch, frame, total)
    if total < numbers[BEST]:
        for i in range(count):
            ordered[i] = members[places[i]]
        total = _recall_parts(setting, frame, memory, total)
    if total < numbers[BEST]:
        partition_key = np.uint64(1)
        for part in range(setting.feedbacks):
            if frame.size[part]:
                key = np.uint64(0)
                for i in range(start[part], start[part + 1]):
                    key ^= setting.keys[ordered[i], 0]
                mixed = (key ^ (key >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
                partition_key += mixed ^ (mixed >> np.uint64(29))
                if part == setting.winning:
                    partition_key += np.uint64(1)
    return total, partition_key


@inner
def _enter(
    setting: Any, memory: Any, scratch: Any, masks: Any, space: Any, frame: Any, guesses: Any,
    column: Any,
) -> Any:  # fmt: skip
    """Begin with the part of a frame; return its value, or a floor at or beyond the bound.

    Returns 0 if neither is known at once; then the guesses to look into are put in order. `column`
    is that of the first of consecutive guesses, else -1.
    """
    numbers, members, key = frame.numbers, frame.members, frame.own_key
    count, attempts, bound = numbers[COUNT], numbers[ATTEMPTS], numbers[BOUND]
    numbers[GUESS] = setting.guess_of[members[0]]
    if count == 1 or attempts == 1:
        return count + (count - 1) * UNSOLVED_COST
    if count == 2:
        return np.int64(3)
    known_floor, value, guess = probe(memory, key[0], key[1])
    if value or known_floor >= bound:
        numbers[GUESS] = guess
        return max(value, known_floor)
    floor, found, width = value, 0, setting.widths[count]
    value, guess = separating_candidate(
        setting.table, members, np.int64(0), count, setting.guess_of, attempts, scratch.seen
    )
    if value:
        floor = value
        numbers[GUESS] = guess
    else:
        guess = _NO_GUESS
        most_parts, lowest, _ = fill_part_count_bounds(
            setting.table,
            setting.winning,
            setting.feedbacks,
            masks,
            members,
            count,
            guesses,
            column,
            _NONE_ENOUGH,
        )
        most_parts = min(numbers[MOST_PARTS], most_parts)
        floor = max(known_floor, lowest)
        if floor < bound:
            found, other_floor = _promising(
                masks.part_count_bounds, guesses, lowest, bound, _ESTIMATED * width, scratch.times,
                scratch.chosen,
            )  # fmt: skip
            later = _attempts_after_guess(attempts)
            for size in range(count + 1):
                space.size_floors[size] = tree_size_bound(size, most_parts, later)
            chosen = scratch.chosen[:found]
            least = estimate_all(
                setting.table, setting.winning, setting.cost_to_go, space, members, count, chosen,
                column if found == len(guesses) else _NO_COLUMN,
            )  # fmt: skip
            floor = max(floor, min(other_floor, least))
    if value or floor >= bound:
        store(memory, key[0], key[1], count, floor, value, guess)
        return floor
    numbers[MOST_PARTS], numbers[FLOOR] = most_parts, floor
    numbers[TRIES] = _shortlist(frame, space, scratch.chosen[:found], width, bound)
    numbers[TRIED] = numbers[PART] = 0
    numbers[BEST], numbers[GUESS] = bound, -1
    return np.int64(0)


@inlined
def _probe(
    setting: Any, memory: Any, scratch: Any, masks: Any, frame: Any, total: Any, all_guesses: Any
) -> Any:
    """Return the floor of a guess after a one-ply look at each of its unsettled parts.

    `total` is its floor before. The smallest parts come first, because they take the least time;
    the look ends where the floor is no better than the best guess. What was found is remembered.
    """
    numbers, part_floors = frame.numbers, frame.part_floors
    attempts = _attempts_after_guess(numbers[ATTEMPTS])
    few = numbers[COUNT] <= len(frame.pairs)
    used_symbol_count = max(
        numbers[USED], setting.used_symbol_count[frame.shortlist[numbers[TRIED] - 1]]
    )
    first_column, after_last = (
        setting.blocks[used_symbol_count, 0],
        setting.blocks[used_symbol_count, 1],
    )
    for at in range(numbers[PARTS] - 1, -1, -1):
        part = frame.unsettled[at]
        size, start, before = frame.size[part], frame.start[part], part_floors[part]
        if before > max(2 * size, tree_size_bound(size, numbers[MOST_PARTS], attempts)):
            continue
        value, guess = np.int64(0), np.int64(-1)
        if not few:
            value, guess = separating_candidate(
                setting.table, frame.ordered, start, start + size, setting.guess_of, attempts,
                scratch.seen,
            )  # fmt: skip
        floor = value
        if not value:
            guesses, column = all_guesses[first_column:after_last], first_column
            members = frame.ordered[start : start + size]
            if setting.candidates_only:
                column = _NO_COLUMN
                guesses = scratch.own_guesses[:size]
                for i in range(size):
                    guesses[i] = setting.guess_of[members[i]]
            _, least, guess = fill_part_count_bounds(
                setting.table,
                setting.winning,
                setting.feedbacks,
                masks,
                members,
                size,
                guesses,
                column,
                max(before, 2 * size),
            )
            floor = max(before, least)
            if least == 2 * size and attempts >= 3:
                value = floor
        store(memory, frame.key[part, 0], frame.key[part, 1], size, floor, value, guess)
        total += floor - before
        part_floors[part] = floor
        if total >= numbers[BEST]:
            break
    return total


@inlined
def _advance(
    setting: Any, memory: Any, scratch: Any, masks: Any, frame: Any, all_guesses: Any
) -> Any:
    """Go on to a frame's next guess; return whether its parts must be looked into."""
    numbers, partition_keys = frame.numbers, frame.partition_keys
    at = numbers[TRIED]
    guess = frame.shortlist[at]
    numbers[TRIED] += 1
    partition_keys[at] = 0
    if at == 0:
        _pair_up(setting, frame)
    if frame.shortlist_floors[at] >= numbers[BEST]:
        return False
    total, partition_key = _partition_by(setting, memory, scratch, frame, guess)
    partition_keys[at] = partition_key
    if total >= numbers[BEST]:
        return False
    for before in range(at):
        if partition_keys[before] == partition_key:
            return False
    if numbers[PARTS] > 1 and numbers[BEST] < UNBOUND:
        total = _probe(setting, memory, scratch, masks, frame, total, all_guesses)
        if total >= numbers[BEST]:
            return False
    numbers[TOTAL] = total
    if numbers[PARTS]:
        return True
    numbers[BEST], numbers[GUESS] = total, guess
    return False


@makes_no_array
def solve(
    setting: Any, memory: Any, scratch: Any, masks: Any, space: Any, all_numbers: Any,
    own_keys: Any, all_members: Any, all_ordered: Any, all_places: Any, starts: Any, sizes: Any,
    keys: Any, all_floors: Any, all_unsettled: Any, shortlists: Any, all_shortlist_floors: Any,
    all_partition_keys: Any, all_pairs: Any, candidates: Any, attempts: Any, most_parts: Any,
    used_symbol_count: Any, bound: Any, first_guesses: Any, second_guesses: Any, all_guesses: Any,
    asked: Any,
) -> Any:  # fmt: skip
    """Return value and guess of a part; `bound` or more says only that the value is no less.

    `first_guesses` are the guesses to choose from in this part, `second_guesses` those in its
    parts. In later parts, and in these too if no second guesses are given, it is a block of
    `all_guesses`, which are the table's columns. `most_parts` is the most parts that any guess
    makes, `used_symbol_count` how many of the first symbols hold all those guessed before. What is
    `asked` for is OF_PART, OF_GUESS or FLOOR_OF_GUESS, for which nothing is searched; with the
    last two there is one first guess. Returns STOPPED once `scratch.stop` is not 0.
    """
    depth, count = np.int64(0), len(candidates)
    first, second = setting.attempt_keys[attempts, 0], setting.attempt_keys[attempts, 1]
    for i in range(count):
        all_members[0, i] = candidates[i]
        first ^= setting.keys[candidates[i], 0]
        second ^= setting.keys[candidates[i], 1]
    own_keys[0, 0], own_keys[0, 1] = first, second
    numbers = all_numbers[0]
    numbers[COUNT], numbers[ATTEMPTS] = count, attempts
    numbers[BOUND], numbers[MOST_PARTS], numbers[USED] = bound, most_parts, used_symbol_count
    entered = asked != OF_PART
    if entered:
        numbers[BEST], numbers[GUESS] = bound, -1
        numbers[FLOOR] = numbers[TRIED] = numbers[PART] = 0
        numbers[TRIES] = 1
        shortlists[0, 0], all_shortlist_floors[0, 0] = first_guesses[0], 0
    while True:
        if scratch.stop[0]:
            return np.int64(STOPPED), np.int64(-1)
        frame = Frame(
            all_numbers[depth],
            own_keys[depth],
            all_members[depth],
            all_ordered[depth],
            all_places[depth],
            starts[depth],
            sizes[depth],
            keys[depth],
            all_floors[depth],
            all_unsettled[depth],
            shortlists[depth],
            all_shortlist_floors[depth],
            all_partition_keys[depth],
            all_pairs[depth],
        )
        numbers, value = frame.numbers, np.int64(0)
        if not entered:
            guesses, column = first_guesses, _NO_COLUMN
            if depth and setting.candidates_only:
                guesses = scratch.own_guesses[: numbers[COUNT]]
                for i in range(numbers[COUNT]):
                    guesses[i] = setting.guess_of[frame.members[i]]
            elif depth == 1 and len(second_guesses):
                guesses = second_guesses
            elif depth:
                column = setting.blocks[numbers[USED], 0]
                guesses = all_guesses[column : setting.blocks[numbers[USED], 1]]
            elif len(guesses) == setting.blocks[-1, 1]:
                column = np.int64(0)
            value = _enter(setting, memory, scratch, masks, space, frame, guesses, column)
            entered = True
            if not value:
                continue
        elif numbers[PART] == 0:
            if numbers[TRIED] < numbers[TRIES] and numbers[BEST] > numbers[FLOOR]:
                if not _advance(setting, memory, scratch, masks, frame, all_guesses):
                    continue
                if asked == FLOOR_OF_GUESS:
                    return numbers[TOTAL], numbers[GUESS]
            else:
                value = numbers[BEST]
                if depth or asked == OF_PART:
                    exact = value if numbers[GUESS] >= 0 else 0
                    store(
                        memory, frame.own_key[0], frame.own_key[1], numbers[COUNT], value, exact,
                        numbers[GUESS],
                    )  # fmt: skip
        if not value:  # the value of the next part is sought
            if depth + 1 == len(all_numbers):
                return np.int64(TOO_DEEP), np.int64(-1)
            part = frame.unsettled[numbers[PART]]
            size, start = frame.size[part], frame.start[part]
            later = all_numbers[depth + 1]
            later[COUNT], later[ATTEMPTS] = size, _attempts_after_guess(numbers[ATTEMPTS])
            later[BOUND] = numbers[BEST] - numbers[TOTAL] + frame.part_floors[part]
            later[MOST_PARTS] = numbers[MOST_PARTS]
            guess = frame.shortlist[numbers[TRIED] - 1]
            later[USED] = max(numbers[USED], setting.used_symbol_count[guess])
            depth += 1
            for i in range(size):
                all_members[depth, i] = frame.ordered[start + i]
            own_keys[depth, 0] = frame.key[part, 0]
            own_keys[depth, 1] = frame.key[part, 1]
            entered = False
            continue
        # The value of this frame is known; the frame above adds it to the total of its guess.
        if depth == 0:
            return value, numbers[GUESS]
        depth -= 1
        numbers = all_numbers[depth]
        part = all_unsettled[depth, numbers[PART]]
        numbers[TOTAL] += value - all_floors[depth, part]
        numbers[PART] += 1
        if numbers[TOTAL] >= numbers[BEST]:
            numbers[PART] = 0
        elif numbers[PART] == numbers[PARTS]:
            numbers[PART] = 0
            numbers[BEST] = numbers[TOTAL]
            numbers[GUESS] = shortlists[depth, numbers[TRIED] - 1]
