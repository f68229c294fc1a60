"""What turns say of a code, in arrays, and what follows for its symbols without any search.

For rules whose answers are two numbers: how many symbols are in place, and how many in common
(`Rule.pair_offsets`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.model import PERFECT
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.kernels.codes import Bytes, array_of

FREE = -1
"""Stands for a position of which nothing is known."""
IMPOSSIBLE = 1 << 13
"""More than any count of symbols; the bound of a turn that nothing can satisfy."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Answers:
    """Turns of one game: `guesses` (turns, length), `often` (turns, symbols).

    `often` is how often each symbol is in a guess; `allowed` (turns, first + 1, both + 1) is true
    where a turn admits that so many symbols stand in place, and so many are in common.
    """

    guesses: Numbers
    often: Numbers
    allowed: npt.NDArray[np.bool_]

    @classmethod
    def of(
        cls, game: Game, turns: Sequence[Turn], allowed: Sequence[npt.NDArray[np.bool_]]
    ) -> "Answers":
        """Return what turns say, each with the answers that it admits."""
        size, symbols = game.length + 1, len(game.secrets.alphabet)
        guesses = array_of([turn.guess for turn in turns], game.length).astype(np.int64)
        often = (guesses[:, :, None] == np.arange(symbols)).sum(axis=1).astype(np.int64)
        every = np.array(allowed, dtype=np.bool_).reshape(-1, size, size)
        return cls(guesses, often, every)

    def __getitem__(self, chosen: npt.NDArray[np.bool_]) -> "Answers":
        """Return some of the turns."""
        return Answers(self.guesses[chosen], self.often[chosen], self.allowed[chosen])

    def agree(self, codes: Bytes) -> npt.NDArray[np.bool_]:
        """Return which of some codes, (N, length), all turns admit."""
        return np.asarray(_agreeing(codes, self.guesses, self.often, self.allowed))

    @cached_property
    def bounds(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
        """Between what the numbers are, (3, turns) each: first, both, and both less first.

        Where the answers that a turn admits are no such box, it is the smallest around them.
        """
        low = np.full((3, len(self.guesses)), IMPOSSIBLE, dtype=np.int16)
        high = low.copy()
        for turn, allowed in enumerate(self.allowed):
            first, both = np.nonzero(allowed)
            if len(first):
                for kind, counts in enumerate((first, both, both - first)):
                    low[kind, turn], high[kind, turn] = counts.min(), counts.max()
        return low, high


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def admit(code: Any, counts: Any, guesses: Any, often: Any, allowed: Any) -> Any:
    """Return whether all turns admit a code; `counts` is how often each symbol occurs in it."""
    for t in range(len(guesses)):
        first = both = 0
        for p in range(len(code)):
            if guesses[t, p] == code[p]:
                first += 1
        for s in range(len(counts)):
            both += min(often[t, s], np.int64(counts[s]))
        if not allowed[t, first, both]:
            return False
    return True


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _agreeing(codes: Any, guesses: Any, often: Any, allowed: Any) -> Any:
    """Return which of some codes all turns admit."""
    fits = np.zeros(len(codes), dtype=np.bool_)
    counts = np.empty(often.shape[1], dtype=np.uint8)
    for n in range(len(codes)):
        counts[:] = 0
        for symbol in codes[n]:
            counts[symbol] += 1
        fits[n] = admit(codes[n], counts, guesses, often, allowed)
    return fits


def admitted(game: Game, turn: Turn) -> npt.NDArray[np.bool_]:
    """Return (length + 1, length + 1): which answers a turn admits.

    The first axis is how many symbols are in place, the second how many are in common; a rule that
    tells the first alone admits all of the second.
    """
    feedbacks, offsets = game.rule.feedbacks, game.rule.pair_offsets
    assert offsets is not None, "asked of rules whose answers are such pairs"
    plain = game.channel == PERFECT and not turn.doubted
    places = {feedback: place for place, feedback in enumerate(feedbacks)}
    admits = [places[f] for f in (turn.clue if plain else feedbacks) if game.admits(turn, f)]
    allowed = np.zeros((game.length + 1, game.length + 1), dtype=np.bool_)
    for place in admits:
        if offsets[-1] == 0:
            allowed[place] = True
        else:
            common = int(np.searchsorted(offsets, place, side="right")) - 1
            allowed[place - offsets[common], common] = True
    return allowed


def occurring(said: Answers) -> tuple[Numbers, Numbers] | None:
    """Return how often each symbol occurs at least, and at most; None if that cannot be.

    Turn after turn narrows it, until none says more (bounds propagation).
    """
    length, symbols = said.guesses.shape[1], said.often.shape[1]
    least, most = np.zeros(symbols, dtype=np.int64), np.full(symbols, length)
    low, high = (bound[1].astype(np.int64) for bound in said.bounds)
    # The code itself is one more turn: all its symbols are in common with it.
    whole = np.full(symbols, length)
    rows = [(whole, length, length), *zip(said.often, low, high, strict=True)]
    changed = True
    while changed:
        changed = False
        for often, fewest, greatest in rows:
            at_least, at_most = np.minimum(least, often), np.minimum(most, often)
            needed = fewest - (at_most.sum() - at_most)
            room = greatest - (at_least.sum() - at_least)
            if (needed > often).any() or (room < 0).any():
                return None
            less = np.maximum(least, needed)
            more = np.where(room < often, np.minimum(most, room), most)
            changed = changed or bool((less > least).any() or (more < most).any())
            least, most = less, more
    return None if (least > most).any() else (least, most)


def settled(said: Answers, counts: Numbers) -> Numbers:
    """Return the symbols that turns prove to stand somewhere, `FREE` elsewhere.

    Of a symbol that occurs n times, let a guess with so many hits hold k other symbols. Each of
    these adds a hit if it is right, and takes one if that symbol is there: n + k hits prove all k.
    """
    known = np.full(said.guesses.shape[1], FREE)
    hits = said.bounds[0][0]
    changed = True
    while changed:
        changed = False
        for guess, low in zip(said.guesses, hits, strict=True):
            right = int((guess == known).sum())
            for symbol, often in enumerate(counts.tolist()):
                others = (known == FREE) & (guess != symbol)
                rest = often - int((known == symbol).sum())
                if others.any() and low == right + rest + int(others.sum()):
                    known[others] = guess[others]
                    right = int((guess == known).sum())
                    changed = True
    return known
