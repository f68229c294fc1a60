"""Clues about places and their edits, against all feedbacks that there are."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.rules.notation.clue_values import CellsClue, CellsEdits, CellsFeedbacks, whole


@st.composite
def pairs_of_clues(draw: st.DrawFn) -> tuple[CellsClue, CellsClue]:
    """Two clues about the same places; a guess of the columns of a table may be the secret."""
    sizes = tuple(draw(st.lists(st.integers(2, 4), min_size=1, max_size=3)))
    is_told = draw(st.booleans())

    def clue() -> CellsClue:
        drawn = [draw(st.sets(st.integers(0, size - 1), min_size=1)) for size in sizes]
        cells = tuple(whole(sorted(c), size) for c, size in zip(drawn, sizes, strict=True))
        won = {*cells} == {(0,)} and draw(st.booleans())
        return CellsClue(cells, sizes, won if is_told else None)

    return clue(), clue()


def apart(clue: CellsClue, feedback: tuple[int, ...]) -> int:
    """How many places of a losing feedback a clue does not admit."""
    return sum(bool(c) and d not in c for c, d in zip(clue.cells, feedback, strict=False))


@given(pairs_of_clues())
def test_a_clue_admits_the_feedbacks_that_all_its_cells_admit(pair):
    clue, other = pair
    lost = () if clue.won is None else (0,)
    every = CellsFeedbacks(clue.sizes, win_apart=bool(lost))
    losing = [(*digits, *lost) for digits in product(*map(range, clue.sizes))]
    admitted = [f for f in losing if not apart(clue, f)] * (not clue.won)
    assert list(clue) == admitted + [f for f in every if any(lost and f[-1:]) and f in clue]
    assert [f for f in every if f in clue] == list(clue)
    assert clue.mask(np.array(every)).tolist() == [f in clue for f in every]
    both = clue & other
    assert [f for f in clue if f in other] == list(both or ())
    if not lost:
        parts = list(clue.without(every[0]))
        assert {f for part in parts for f in part} == {*clue} - {every[0]}


@given(pairs_of_clues(), st.sampled_from([2, 12]))
def test_edits_change_erase_or_exchange_one_mark(pair, most_apart):
    clue, _ = pair
    edits = CellsEdits(clue.sizes, most_apart)
    every = [f for f in CellsFeedbacks(clue.sizes) if not clue.won]
    changed, erased = edits.one_mark_edits(clue), edits.erasures(clue)
    read = [cell for cell in clue.cells if cell]
    digits = [
        share * len(new)
        for share, edit in changed
        for new, old in zip(edit.cells, clue.cells, strict=True)
        if new != old
    ]
    for shares in (digits, [share for share, _ in erased]):
        assert sum(shares) == pytest.approx(float(bool(read)))
    for feedback in every:
        told = (*feedback, *(() if clue.won is None else (0,)))
        misses = apart(clue, told)
        assert any(told in edit for _, edit in changed) == (misses == 1)
        assert any(told in edit for _, edit in erased) == (misses <= 1 and bool(read))
        assert edits.distance(clue, told) == misses
    for share, edit in edits.transpositions(clue):
        assert sorted(edit.cells) == sorted(clue.cells)
        back = dict.fromkeys(cells.cells for _, cells in edits.transpositions(edit))
        assert clue.cells in back
        assert share == pytest.approx(1 / len(edits.transpositions(clue)))
    open_places = [n for n, cell in enumerate(clue.cells) if len(cell) != 1]
    assert list(edits.open_marks(clue)) == open_places
