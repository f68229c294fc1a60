"""Clues about places and their edits, against all feedbacks that there are."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.rules.notation.clue_values import CellsClue, CellsFeedbacks, whole


@st.composite
def pairs_of_clues(draw: st.DrawFn) -> tuple[CellsClue, CellsClue]:
    """Two clues about the same places, of which any may be that of a guess that won."""
    sizes = tuple(draw(st.lists(st.sampled_from([2, 3, 4, 20]), min_size=1, max_size=3)))

    def clue() -> CellsClue:
        drawn = [draw(st.sets(st.integers(0, size - 1), min_size=1)) for size in sizes]
        cells = tuple(whole(sorted(c), size) for c, size in zip(drawn, sizes, strict=True))
        won = (sizes[0],), *[(0,)] * (len(sizes) - 1)
        return CellsClue(won if draw(st.integers(0, 4)) == 0 else cells, sizes)

    return clue(), clue()


def apart(clue: CellsClue, feedback: tuple[int, ...]) -> int:
    """How many places of a losing feedback a clue does not admit."""
    return sum(bool(c) and d not in c for c, d in zip(clue.lost_cells, feedback, strict=True))


@given(pairs_of_clues())
def test_a_clue_admits_the_feedbacks_that_all_its_cells_admit(pair):
    clue, other = pair
    *losing, winning = every = [*CellsFeedbacks(clue.sizes, win_apart=True)]
    assert losing == list(product(*map(range, clue.sizes)))
    if clue.cells != clue.lost_cells:
        assert list(clue) == [winning]
    else:
        assert list(clue) == [f for f in losing if not apart(clue, f)]
    assert [f for f in every if f in clue] == list(clue)
    assert len(clue) == len([*clue])
    assert clue.mask(np.array(every)).tolist() == [f in clue for f in every]
    both = clue & other
    if winning not in (*clue, *other):
        assert [f for f in clue if f in other] == list(both or ())
    assert both is None or winning not in both or winning in (*clue, *other)
    parts = list(clue.without(losing[0]))
    assert {f for part in parts for f in part} == {*clue} - {losing[0]}


@given(pairs_of_clues())
def test_edits_change_erase_or_exchange_one_mark(pair):
    clue, _ = pair
    changed, erased = clue.one_mark_edits(), clue.erasures()
    read = [cell for cell in clue.cells if cell]
    digits = [
        share * len(new)
        for share, edit in changed
        for new, old in zip(edit.cells, clue.lost_cells, strict=True)
        if new != old
    ]
    for shares in (digits, [share for share, _ in erased]):
        assert sum(shares) == pytest.approx(float(bool(read)))
    for feedback in CellsFeedbacks(clue.sizes):
        misses = apart(clue, feedback)
        assert any(feedback in edit for _, edit in changed) == (misses == 1)
        assert any(feedback in edit for _, edit in erased) == (misses <= 1 and bool(read))
        assert clue.distance(feedback) == (misses or feedback not in clue)
    for share, edit in clue.transpositions():
        assert sorted(edit.cells) == sorted(clue.lost_cells)
        back = dict.fromkeys(cells.cells for _, cells in edit.transpositions())
        assert clue.lost_cells in back
        assert share == pytest.approx(1 / len(clue.transpositions()))
    open_places = [n for n, cell in enumerate(clue.cells) if len(cell) != 1]
    assert list(clue.open_marks()) == open_places
