"""Random tables for a lookahead."""

import numpy as np
from hypothesis import strategies as st

from puzzlehunt.kernels.lookahead import DepthLimitedSearch


@st.composite
def lookaheads(draw: st.DrawFn):
    """A random table in which each candidate is some guess, and what a lookahead may do in it."""
    secrets, feedbacks = draw(st.integers(3, 30)), draw(st.integers(2, 12))
    guesses = secrets + draw(st.integers(0, 20))
    chance = np.random.default_rng(draw(st.integers(0, 2**20)))
    table = chance.integers(1, feedbacks, (guesses, secrets)).astype(np.uint8)
    guess_of = np.sort(chance.permutation(guesses)[:secrets])
    table[guess_of, np.arange(secrets)] = 0
    attempts = draw(st.sampled_from([2, 3, 4, 5, 1000]))
    work = draw(st.sampled_from([0, 10**4, 10**6, 10**9]))
    return DepthLimitedSearch(table, guess_of, 0, feedbacks, attempts, work)
