"""The arrays that a search by branch and bound works in; words are those of `branch_and_bound`."""

from collections import namedtuple
from typing import Any

import numpy as np

_PAIRED = 256
"""Most candidates of a part whose answers to each other are noted."""
FLOOR_BINS = 256
"""Number of floors that are told apart when the guesses with the lowest are chosen."""

Setting = namedtuple(
    "Setting",
    "table guess_of winning feedbacks keys attempt_keys widths cost_to_go candidates_only "
    "used_symbol_count blocks",
)
"""The game that is searched, and how.

- `table` (secrets, columns): feedbacks, one of `feedbacks` values; `winning` is the winning one.
  The first columns are those of all guesses
- `guess_of` (secrets,): the index of each secret among the guesses
- `keys` (secrets, 2), `attempt_keys` (attempts, 2): random numbers whose exclusive or names a part
  with the attempts left
- `widths` (secrets + 1,): how many guesses are looked into in a part of each size
- `cost_to_go` (secrets + 1,): what a part of each size is estimated to take, in steps
- `candidates_only`: whether only candidates may be guessed
- `used_symbol_count` (columns,): how many of the game's first symbols hold all those of a guess
- `blocks` (symbols + 1, 2): the columns to choose from, begin and end, the end excluded, by how
  many of the first symbols hold all those guessed before: later symbols are interchangeable
"""

Scratch = namedtuple("Scratch", "all_numbers answers own_guesses seen times chosen stop")
"""Arrays that serve one frame at a time.

- `all_numbers`: 0, 1, 2, ...; `answers` of the candidates; `own_guesses`: these as guesses
- `seen`: which answers have occurred; `times`: how many guesses have each floor
- `chosen`: the guesses that get an estimate
- `stop` (1,): not 0 once the search is to be stopped
"""

Frame = namedtuple(
    "Frame",
    "numbers own_key members ordered places start size key part_floors unsettled shortlist "
    "shortlist_floors partition_keys pairs",
)
"""The arrays of one guess of the path that is looked into; in a stack, a row for each.

- `numbers`: the numbers that are named below; `own_key`: the two keys of the frame's part
- `members`: the candidates of the frame's part; `ordered`: the same, sorted by answer to the guess;
  `places`: those by place in `members`
- `start`, `size`, `key`, `part_floors`: where each part that the guess makes begins in `ordered`,
  how many candidates it has, its two keys, its floor
- `unsettled`: the answers whose parts have no value yet, the largest part first
- `shortlist`, `shortlist_floors`: the guesses to look into, and their floors; `partition_keys`: a
  hash of the partition by each
- `pairs`: the answers of candidates to each other
"""

# The numbers of a frame: the size of its part, the attempts left, the bound; the value of the best
# guess so far, and that guess; how many guesses to look into, and how many were begun. Of the guess
# that is looked into: its floor, which of its unsettled parts is next, how many these are. The
# floor of the frame's part, the most parts that any guess makes of it, and how many of the first
# symbols hold all those guessed so far.
(
    COUNT, ATTEMPTS, BOUND, BEST, GUESS, TRIES, TRIED, TOTAL, PART, PARTS, FLOOR,
    MOST_PARTS, USED, NUMBERS,
) = range(14)  # fmt: skip


def new_stack(secrets: int, guesses: int, answer_type: Any, feedbacks: int, depth: int) -> Any:
    """Return a `Frame` with a row for each guess of paths of up to `depth` guesses."""
    few = min(secrets, _PAIRED)
    return Frame(
        numbers=np.zeros((depth, NUMBERS), np.int64),
        own_key=np.empty((depth, 2), np.uint64),
        members=np.empty((depth, secrets), np.int32),
        ordered=np.empty((depth, secrets), np.int32),
        places=np.empty((depth, secrets), np.int32),
        start=np.empty((depth, feedbacks + 1), np.int64),
        size=np.empty((depth, feedbacks), np.int64),
        key=np.empty((depth, feedbacks, 2), np.uint64),
        part_floors=np.empty((depth, feedbacks), np.int64),
        unsettled=np.empty((depth, feedbacks), np.int64),
        shortlist=np.empty((depth, guesses), np.int64),
        shortlist_floors=np.empty((depth, guesses), np.int64),
        partition_keys=np.empty((depth, guesses), np.uint64),
        pairs=np.empty((depth, few, few), answer_type),
    )


def new_scratch(secrets: int, guesses: int, feedbacks: int, stop: Any) -> Any:
    """Return empty arrays for one frame; `stop` is shared by all threads."""
    return Scratch(
        all_numbers=np.arange(secrets, dtype=np.int32),
        answers=np.empty(secrets, np.int32),
        own_guesses=np.empty(secrets, np.int32),
        seen=np.empty(feedbacks, np.int64),
        times=np.empty(FLOOR_BINS, np.int64),
        chosen=np.empty(guesses, np.int32),
        stop=stop,
    )
