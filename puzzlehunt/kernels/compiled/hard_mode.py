"""Search of whole games in hard mode, where a guess decides which guesses are allowed later.

A position is candidates, guesses still allowed, and attempts left. Its value is the guesses that
all candidates take together, and `UNSOLVED_COST` more for each that is not found in time. Every
value is that of a play that was found:

- the *safe* value, which depends on no budget: guesses are tried by their estimate, each of their
  parts having its safe value, until one loses nothing; where all lose, the one that loses least
- the value with a budget: the best of the `width` guesses with the smallest estimates, and of the
  guess with the safe value, each of their parts having its value with that budget. With
  `all_up_to` candidates or fewer, all guesses are looked at; if the budget is all guesses, no safe
  value is needed

An estimate depends on the sizes of parts and the attempts left alone. So by induction over
positions no value is above the safe value, and none with a larger budget above one with a smaller.

Positions wait on a stack of frames: functions that call themselves cannot be taken from numba's
cache. [`kernels/hard_mode.py`](../hard_mode.py) is the same search without compiled loops.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.heap import sort_least
from puzzlehunt.kernels.compiled.jit import inner, kernel, makes_no_array
from puzzlehunt.kernels.compiled.transposition_table import probe, store
from puzzlehunt.kernels.hard_mode import (
    ALL_GUESSES_ATTEMPTS,
    NO_BOUND,
    SCALE,
    UNSOLVED_COST,
)

_PLACE_BITS = 20
"""Number of bits for the place of a guess, in a number that begins with its estimate."""
_PLACE = (1 << _PLACE_BITS) - 1
_SAFE, _WIDE = np.int64(0), np.int64(1)
_FIRST, _UNKNOWN = np.int64(0), np.int64(0)
"""The place of the first position of a path, and no value: a literal 0 is another type to numba."""

Setting = namedtuple(
    "Setting",
    "table guess_of winning feedbacks codes occurrences digits fits secret_keys guess_keys "
    "attempt_keys cost_to_go width safe_width all_up_to unlike used_symbol_count",
)
"""What a search is about; it never changes.

- `table` (guesses, secrets): the feedbacks, of which there are `feedbacks`; `winning` wins
- `guess_of` (secrets,): the place of each secret among the guesses
- `codes` (guesses, length), `occurrences` (guesses, symbols): the guesses, and how often each
  symbol occurs in each; `digits` (feedbacks, length): of each tile, 2 for a symbol to be kept in
  place, 1 for one to be used. Or else `fits` (guesses, guesses): the feedback to each guess if
  another were the secret, which then has to be the one that was given; (0, 0) with tiles
- `secret_keys` (secrets, 2), `guess_keys` (guesses, 2), `attempt_keys` (attempts, 2, 2): random
- `cost_to_go` (attempts, sizes): what parts are estimated to take after a guess, with attempts left
- `width`: the budget; `safe_width`: how many guesses are tried for a safe value, where many
  attempts are left; `all_up_to`: candidates
- `unlike` (symbols + 1, guesses): whether a guess is tried where the first k symbols hold all that
  were guessed; `used_symbol_count` (guesses,): how many of the first symbols hold those of a guess
"""

Stack = namedtuple(
    "Stack",
    "members allowed order floors grouped starts parts lows keys state sizes answers tiles stop",
)
"""Room for the positions of one path. `state` (depth, fields): see `_COUNT` and the others. `tiles`
(3, length) serves `_allow`; a search ends once `stop` (1,) is not 0."""
STOPPED = -2
"""Returned as a value where a search was stopped."""

_COUNT, _ALLOWED, _ATTEMPTS, _WANTED, _MODE, _NEXT, _LIMIT, _BEST, _GUESS, _SAFE_GUESS, _BOUND, \
    _TOTAL, _TRIED, _PART, _PARTS, _MOST_PARTS, _FLOOR, _ORDERED, _EXTENT = range(19)  # fmt: skip


def new_stack(
    secrets: int, guesses: int, feedbacks: int, length: int, depth: int, stop: Any
) -> Any:
    """Return room for paths of `depth` guesses."""
    return Stack(
        members=np.zeros((depth, secrets), dtype=np.int32),
        allowed=np.zeros((depth, guesses), dtype=np.int32),
        order=np.zeros((depth, guesses), dtype=np.int64),
        floors=np.zeros((depth, guesses), dtype=np.int64),
        grouped=np.zeros((depth, secrets), dtype=np.int32),
        starts=np.zeros((depth, feedbacks + 1), dtype=np.int32),
        parts=np.zeros((depth, feedbacks), dtype=np.int32),
        lows=np.zeros((depth, secrets + 1), dtype=np.int64),
        keys=np.zeros((depth, 2), dtype=np.uint64),
        state=np.zeros((depth, 19), dtype=np.int64),
        sizes=np.zeros(feedbacks, dtype=np.int64),
        answers=np.zeros(secrets, dtype=np.int64),
        tiles=np.zeros((3, length), dtype=np.int64),
        stop=stop,
    )


@inner
def _fill_lows(lows: Any, most: Any, parts: Any, attempts: Any) -> None:
    """Fill in the least values of 0 to `most` candidates where a guess has `parts` parts at most.

    Parts that win do not count. The k-th guess finds at most parts^(k - 1) candidates.
    """
    for count in range(most + 1):
        total, found, more = count + 0, 0, 1
        for left in range(attempts, 0, -1):
            found += more
            if found >= count:
                break
            total += (count - found) * (UNSOLVED_COST if left == 1 else 1)
            more *= max(1, parts)
        lows[count] = total


@inner
def _allow(setting: Any, guess: Any, answer: Any, before: Any, allowed: Any, tiles: Any) -> Any:
    """Fill in the guesses of `before` that hard mode allows after an answer; return how many."""
    count = 0
    if len(setting.fits):
        row = setting.fits[guess]
        for i in range(len(before)):
            if row[before[i]] == answer:
                allowed[count] = before[i]
                count += 1
        return count
    codes, occurrences = setting.codes, setting.occurrences
    length, symbols = codes.shape[1], occurrences.shape[1]
    places, letters, needed = tiles[0], tiles[1], tiles[2]
    kept = used = 0
    for place in range(length):
        digit, symbol = setting.digits[answer, place], np.int64(codes[guess, place])
        if digit == 0 or symbol >= symbols:
            continue
        if digit == 2:
            places[kept] = place
            kept += 1
        at = 0
        while at < used and letters[at] != symbol:
            at += 1
        if at == used:
            letters[at], needed[at] = symbol, 0
            used += 1
        needed[at] += 1
    for i in range(len(before)):
        g, right = before[i], True
        for j in range(kept):
            if codes[g, places[j]] != codes[guess, places[j]]:
                right = False
                break
        if right:
            for j in range(used):
                if occurrences[g, letters[j]] < needed[j]:
                    right = False
                    break
        if right:
            allowed[count] = g
            count += 1
    return count


@inner
def _look(setting: Any, stack: Any, d: Any) -> Any:
    """Order the allowed guesses of a position that tell something, by their estimates.

    Fills in `order` (estimate and place of each guess, of alike ones the first), `floors` (what
    each takes at least); sets how many they are, how many parts they make at most, and returns the
    least floor.
    """
    state = stack.state[d]
    count, allowed, attempts = state[_COUNT], state[_ALLOWED], state[_ATTEMPTS]
    members, lows, cost_to_go = stack.members[d], stack.lows[d], setting.cost_to_go[attempts - 1]
    sizes, answers, table = stack.sizes, stack.answers, setting.table
    _fill_lows(lows, count, state[_MOST_PARTS], attempts - 1)
    winning, kept, most_parts, least = setting.winning, np.int64(0), 1, NO_BOUND
    unlike, ordered = setting.unlike[state[_EXTENT]], np.int64(0)
    for i in range(allowed):
        g = stack.allowed[d, i]
        parts = 0
        for m in range(count):
            answer = np.int64(table[g, members[m]])
            if sizes[answer] == 0:
                answers[parts] = answer
                parts += 1
            sizes[answer] += 1
        floor, estimate, others = count + 0, count * SCALE, parts + 0
        for p in range(parts):
            answer = answers[p]
            size = sizes[answer]
            sizes[answer] = 0
            if answer == winning:
                others -= 1
            else:
                floor += lows[size]
                estimate += cost_to_go[size]
        if parts > 1:
            stack.allowed[d, kept] = g
            stack.floors[d, kept] = floor
            if unlike[g]:
                stack.order[d, ordered] = (estimate << _PLACE_BITS) | kept
                ordered += 1
            kept += 1
            least = min(least, floor)
            most_parts = max(most_parts, others)
    sort_least(stack.order[d], ordered, ordered)
    state[_ALLOWED], state[_ORDERED], state[_MOST_PARTS] = kept, ordered, most_parts
    return least


@inner
def _partition_by(setting: Any, stack: Any, d: Any, guess: Any) -> None:
    """Group the candidates of a position by their answers to a guess, the largest parts first.

    Parts of fewer than three candidates, and the one that wins, are left out of `parts`.
    """
    state, starts, sizes = stack.state[d], stack.starts[d], stack.sizes
    count, members, answers = state[_COUNT], stack.members[d], stack.answers
    row = setting.table[guess]
    for m in range(count):
        answers[m] = row[members[m]]
        sizes[answers[m]] += 1
    at = parts = 0
    for answer in range(setting.feedbacks):
        starts[answer] = at
        size = sizes[answer]
        at += size
        sizes[answer] = starts[answer]
        if size > 2 and answer != setting.winning:
            place = parts
            while place > 0:
                before = stack.parts[d, place - 1]
                if starts[before + 1] - starts[before] >= size:
                    break
                stack.parts[d, place] = before
                place -= 1
            stack.parts[d, place] = answer
            parts += 1
        starts[answer + 1] = at
    for m in range(count):
        stack.grouped[d, sizes[answers[m]]] = members[m]
        sizes[answers[m]] += 1
    for answer in range(setting.feedbacks):
        sizes[answer] = 0
    state[_PART], state[_PARTS] = 0, parts


@inner
def _fill_key(setting: Any, stack: Any, d: Any) -> None:
    """Fill in the key of a position: the exclusive or of those of all that it consists of."""
    state = stack.state[d]
    first = second = np.uint64(0)
    for m in range(state[_COUNT]):
        first ^= setting.secret_keys[stack.members[d, m], 0]
        second ^= setting.secret_keys[stack.members[d, m], 1]
    for i in range(state[_ALLOWED]):
        first ^= setting.guess_keys[stack.allowed[d, i], 0]
        second ^= setting.guess_keys[stack.allowed[d, i], 1]
    stack.keys[d, 0], stack.keys[d, 1] = first, second


@inner
def _known(setting: Any, memory: Any, stack: Any, d: Any, mode: Any) -> Any:
    """Return what is remembered of a position: its floor, its value or 0, its best guess."""
    key = setting.attempt_keys[stack.state[d, _ATTEMPTS], mode]
    return probe(memory, stack.keys[d, 0] ^ key[0], stack.keys[d, 1] ^ key[1])


@inner
def _note(setting: Any, memory: Any, stack: Any, d: Any, floor: Any, value: Any) -> None:
    """Remember what was found of a position."""
    state = stack.state[d]
    key = setting.attempt_keys[state[_ATTEMPTS], state[_MODE]]
    store(
        memory, stack.keys[d, 0] ^ key[0], stack.keys[d, 1] ^ key[1], state[_COUNT], floor, value,
        state[_GUESS],
    )  # fmt: skip


@inner
def _begin(setting: Any, memory: Any, stack: Any, d: Any) -> Any:
    """Begin a position; return its value or floor if that is known or enough already, else -1."""
    state = stack.state[d]
    count = state[_COUNT]
    state[_GUESS] = -1
    if count <= 2 or state[_ATTEMPTS] == 1:
        state[_GUESS] = setting.guess_of[stack.members[d, 0]]
        if state[_ATTEMPTS] == 1:
            return count + (count - 1) * UNSOLVED_COST
        return 2 * count - 1
    _fill_key(setting, stack, d)
    floor, value, guess = _known(setting, memory, stack, d, state[_WANTED])
    if value:
        state[_GUESS] = guess
        return value
    if floor >= state[_BOUND]:
        return floor
    state[_FLOOR] = _look(setting, stack, d)
    if state[_FLOOR] >= state[_BOUND]:
        return state[_FLOOR]
    state[_NEXT], state[_MODE], state[_BEST] = 0, _SAFE, NO_BOUND
    if state[_WANTED] == _WIDE:
        floor, value, guess = _known(setting, memory, stack, d, _SAFE)
        if value:
            state[_BEST], state[_GUESS] = value, guess
        if value or setting.width >= len(setting.table):
            _widen(setting, stack, d)
    if state[_MODE] == _SAFE:
        narrow = state[_ATTEMPTS] > ALL_GUESSES_ATTEMPTS
        state[_LIMIT] = state[_ORDERED]
        if narrow:
            state[_LIMIT] = min(state[_ORDERED], setting.safe_width)
    return -1


@inner
def _widen(setting: Any, stack: Any, d: Any) -> None:
    """Go on from the safe value of a position to its value with a budget."""
    state = stack.state[d]
    state[_MODE], state[_NEXT], state[_SAFE_GUESS] = _WIDE, 0, state[_GUESS]
    state[_LIMIT] = state[_ORDERED]
    if state[_COUNT] > setting.all_up_to:
        state[_LIMIT] = min(state[_ORDERED], setting.width)


@inner
def _bound_of(state: Any) -> Any:
    """Return what a guess has to stay below to be of use in a position."""
    return min(state[_BEST], state[_BOUND]) if state[_MODE] == _WIDE else state[_BEST]


@inner
def _advance(setting: Any, stack: Any, d: Any) -> Any:
    """Split a position by the next guess that may be better; return whether there is one."""
    state = stack.state[d]
    bound = _bound_of(state)
    if state[_FLOOR] >= bound:
        return False
    if state[_MODE] == _SAFE and state[_BEST] < UNSOLVED_COST:
        return False
    while state[_NEXT] < state[_ORDERED]:
        at = stack.order[d, state[_NEXT]] & _PLACE
        guess = stack.allowed[d, at]
        inside = state[_NEXT] < state[_LIMIT]
        if not inside and state[_MODE] == _SAFE:
            return False
        if not inside and state[_SAFE_GUESS] < 0:
            return False
        state[_NEXT] += 1
        if guess == state[_SAFE_GUESS] and state[_MODE] == _WIDE:
            state[_SAFE_GUESS] = -1
        elif not inside:
            continue
        if stack.floors[d, at] < bound:
            state[_TRIED], state[_TOTAL] = guess, stack.floors[d, at]
            _partition_by(setting, stack, d, guess)
            return True
    return False


@inner
def _next_part(setting: Any, stack: Any, d: Any) -> Any:
    """Put the next part of the guess on the stack; return whether there is one to search."""
    state, child = stack.state[d], stack.state[d + 1]
    bound = _bound_of(state)
    if state[_ATTEMPTS] <= 2 or state[_PART] == state[_PARTS] or state[_TOTAL] >= bound:
        return False
    answer = np.int64(stack.parts[d, state[_PART]])
    start, stop = stack.starts[d, answer], stack.starts[d, answer + 1]
    for m in range(stop - start):
        stack.members[d + 1, m] = stack.grouped[d, start + m]
    before = stack.allowed[d, : state[_ALLOWED]]
    child[_COUNT], child[_ATTEMPTS] = stop - start, state[_ATTEMPTS] - 1
    child[_ALLOWED] = _allow(
        setting, state[_TRIED], answer, before, stack.allowed[d + 1], stack.tiles
    )
    child[_WANTED], child[_MOST_PARTS] = state[_MODE], state[_MOST_PARTS]
    child[_EXTENT] = max(state[_EXTENT], setting.used_symbol_count[state[_TRIED]])
    child[_BOUND] = NO_BOUND
    if state[_MODE] == _WIDE:
        child[_BOUND] = bound - state[_TOTAL] + stack.lows[d, stop - start]
    return True


@inner
def _end(setting: Any, memory: Any, stack: Any, d: Any) -> Any:
    """End a position when no guess is left; return its value, -1 where it is searched further."""
    state = stack.state[d]
    if state[_MODE] == _SAFE:
        _note(setting, memory, stack, d, state[_BEST], state[_BEST])
        if state[_WANTED] == _WIDE:
            _widen(setting, stack, d)
            return -1
        return state[_BEST]
    if state[_BEST] < state[_BOUND]:
        _note(setting, memory, stack, d, state[_BEST], state[_BEST])
        return state[_BEST]
    _note(setting, memory, stack, d, state[_BOUND], _UNKNOWN)
    return state[_BOUND]


@inner
def _fill_first(stack: Any, members: Any, allowed: Any) -> None:
    """Put candidates and allowed guesses into the first position."""
    for m in range(len(members)):
        stack.members[0, m] = members[m]
    for i in range(len(allowed)):
        stack.allowed[0, i] = allowed[i]


@makes_no_array
def solve(
    setting: Any, memory: Any, stack: Any, members: Any, allowed: Any, attempts: Any,
    used_symbol_count: Any, bound: Any,
) -> Any:  # fmt: skip
    """Return value and best guess of a position; a value of `bound` or more is only no less.

    The first `used_symbol_count` symbols hold all that were guessed before. Returns STOPPED once
    `stack.stop` is not 0.
    """
    state = stack.state
    _fill_first(stack, members, allowed)
    state[0, _COUNT], state[0, _ALLOWED], state[0, _ATTEMPTS] = len(members), len(allowed), attempts
    state[0, _WANTED], state[0, _BOUND] = _WIDE, bound
    state[0, _MOST_PARTS], state[0, _EXTENT] = setting.feedbacks, used_symbol_count
    d, value = _FIRST, _begin(setting, memory, stack, _FIRST)
    while True:
        if stack.stop[0]:
            return np.int64(STOPPED), np.int64(-1)
        if value >= 0:  # the position at `d` is done: its parent goes on with the next part
            if d == 0:
                return value, state[0, _GUESS]
            size = state[d, _COUNT]
            d -= 1
            state[d, _TOTAL] += value - stack.lows[d, size]
            state[d, _PART] += 1
            value = -1
        else:
            while value < 0 and not _advance(setting, stack, d):
                value = _end(setting, memory, stack, d)
            if value >= 0:
                continue
        if _next_part(setting, stack, d):
            d += 1
            value = _begin(setting, memory, stack, d)
        elif state[d, _TOTAL] < _bound_of(state[d]):
            state[d, _BEST], state[d, _GUESS] = state[d, _TOTAL], state[d, _TRIED]


@kernel
def in_order(setting: Any, stack: Any, members: Any, allowed: Any, attempts: Any) -> Any:
    """Return the allowed guesses that tell something, the best estimate first."""
    state = stack.state[0]
    _fill_first(stack, members, allowed)
    state[_COUNT], state[_ALLOWED], state[_ATTEMPTS] = len(members), len(allowed), attempts
    state[_MOST_PARTS], state[_EXTENT] = setting.feedbacks, 0
    _look(setting, stack, _FIRST)
    guesses = np.empty(state[_ORDERED], np.int32)
    for i in range(len(guesses)):
        guesses[i] = stack.allowed[0, stack.order[0, i] & _PLACE]
    return guesses


@kernel
def allowed_after(setting: Any, guess: Any, answer: Any, before: Any) -> Any:
    """Return the guesses of `before` that hard mode allows after a guess and its answer."""
    allowed = np.empty(len(before), np.int32)
    tiles = np.empty((3, setting.codes.shape[1]), np.int64)
    count = _allow(setting, guess, answer, before, allowed, tiles)
    return allowed[:count]
