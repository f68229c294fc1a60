"""The best questions to ask in a game of questions alone, by branch and bound.

The *cost* of some candidates is the number of questions that they take together until each is the
only one left, plus UNSOLVED_COST for each that the attempts left do not settle. A decision tree of
questions is a code whose alphabet at each node is the set of answers; so the least external path
length of a tree with as many leaves bounds the cost from below (Knuth, The Art of Computer
Programming, volume 3, section 5.3.1).
"""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import Indices
from puzzlehunt.kernels.partitions import table_partitions
from puzzlehunt.kernels.problem import (
    NO_BOUND,
    UNLIMITED,
    UNSOLVED_COST,
    Keys,
    Numbers,
    after,
)

Costs: TypeAlias = npt.NDArray[np.float64]

_CELLS = 1 << 24
"""Cells of a table of answers, or of counts, that are handled at once (memory)."""
_MOST_COMPARED = 1 << 26
"""Cells of the comparisons of a state's answers above which alike questions are not left out."""


class QuestionSearch:
    """A search of one table (questions, secrets) of answers, all below `answers`.

    With a `width`, only that many questions, those with the smallest estimates, are searched in
    each state. Otherwise the value is the least possible. Results are stored as long as the search
    exists.
    """

    def __init__(self, table: Table, answers: int, width: int | None = None) -> None:
        self.table, self.answers, self.width = table, answers, width
        told = table_partitions(table, answers) > 0
        self._most_parts = int(told.sum(axis=1).max())
        rng = np.random.default_rng(0)
        self._keys: Keys = rng.integers(0, 1 << 63, (table.shape[1],), dtype=np.uint64)
        self._known: dict[tuple[bytes, int], tuple[int, int]] = {}
        self._bounds: dict[tuple[bytes, int], int] = {}

    def best(
        self, members: Indices, attempts: int = UNLIMITED, bound: int = NO_BOUND
    ) -> tuple[int, int]:
        """Return the cost of the candidates `members` and the best question, -1 if none helps.

        A cost of `bound` or more is only a lower bound.
        """
        if len(members) == 1:
            return 0, -1
        key, none = (members.tobytes(), attempts), len(members) * UNSOLVED_COST
        if key in self._known:
            return self._known[key]
        low = max(self._bounds.get(key, 0), least(len(members), self._most_parts, attempts))
        if attempts == 0 or low >= bound:
            return low, -1
        limit, best = min(bound, none), -1
        questions, floors = self.ranked(members, attempts, limit)
        for question, floor in zip(questions.tolist(), floors.tolist(), strict=True):
            if floor < limit:
                value = self.of(members, question, attempts, limit)
                if value < limit:
                    limit, best = value, question
                    if limit <= low:
                        break
        if best < 0 and limit < none:
            self._bounds[key] = limit
        else:
            self._known[key] = limit, best
        return limit, best

    def of(
        self, members: Indices, question: int, attempts: int = UNLIMITED, bound: int = NO_BOUND
    ) -> int:
        """Return the cost if a question is asked; `bound` or more is only a lower bound."""
        answers, later = self.table[question, members], after(attempts)
        parts = sorted((members[answers == answer] for answer in np.unique(answers)), key=len)
        floors = [least(len(part), self._most_parts, later) for part in parts]
        total = len(members) + sum(floors)
        if len(parts) == 1:
            return len(members) * UNSOLVED_COST
        for part, floor in zip(parts, floors, strict=True):
            if total >= bound:
                break
            total += self.best(part, later, bound - total + floor)[0] - floor
        return total

    def ranked(
        self, members: Indices, attempts: int = UNLIMITED, bound: int = NO_BOUND
    ) -> tuple[Indices, Numbers]:
        """Return the questions that tell something, best estimate first, and their lower bounds.

        Questions with a lower bound of `bound` or more are left out. There are `width` of them at
        most. Of questions that part the candidates alike, only the first is returned.
        """
        count, later = len(members), after(attempts)
        floor_of = np.array([least(size, self._most_parts, later) for size in range(count + 1)])
        every: list[tuple[Indices, Numbers, Costs]] = []
        step = max(1, _CELLS // max(self.answers, count))
        for start in range(0, len(self.table), step):
            sizes = table_partitions(self.table[start : start + step, members], self.answers)
            tells = np.flatnonzero(sizes.max(axis=1) < count)
            sizes = sizes[tells].astype(np.intp)
            floors = count + floor_of[sizes].sum(axis=1)
            low = floors < bound
            every.append((tells[low] + start, floors[low], _estimates(sizes[low])))
        questions, floors, estimates = (np.concatenate(each) for each in zip(*every, strict=True))
        order = np.lexsort((questions, estimates))
        questions, floors = questions[order], floors[order]
        if questions.size * count**2 <= _MOST_COMPARED:
            kept = self._unlike(questions, members)
            questions, floors = questions[kept], floors[kept]
        return questions[: self.width], floors[: self.width]

    def ahead(self, members: Indices, question: int) -> float:
        """Return the estimated cost if a question is asked, then the best by its parts' sizes."""
        answers, total = self.table[question, members], float(len(members))
        for answer in np.unique(answers):
            part = members[answers == answer]
            if len(part) > 1:
                sizes = table_partitions(self.table[:, part], self.answers)
                total += len(part) + float(_estimates(sizes.astype(np.intp)).min())
        return total

    def _unlike(self, questions: Indices, members: Indices) -> Indices:
        """Return the places of questions that part the members in another way than all before."""
        answers = self.table[questions[:, None], members]
        first = (answers[:, :, None] == answers[:, None, :]).argmax(axis=2)
        keys = (self._keys[first] * self._keys[: len(members)]).sum(axis=1, dtype=np.uint64)
        _, kept = np.unique(keys, return_index=True)
        return np.sort(kept)


@lru_cache(maxsize=1 << 16)
def least(count: int, answers: int, attempts: int) -> int:
    """Return the least cost of some candidates, whatever the questions.

    A question has at most so many `answers`, and `attempts` questions are left.
    """
    if count <= 1:
        return 0
    if answers < 2 or attempts == 0:
        return count * UNSOLVED_COST
    depth, reached = 0, 1
    while reached * answers <= count and depth < attempts:
        depth, reached = depth + 1, reached * answers
    if depth == attempts:
        # All leaves are on the last level; one of them holds what is not told apart.
        lost = 0 if count == reached else count - reached + 1
        return count * depth + lost * UNSOLVED_COST
    divided = -((reached - count) // (answers - 1))
    return (reached - divided) * depth + (count - reached + divided) * (depth + 1)


def _estimates(sizes: npt.NDArray[np.intp]) -> Costs:
    """Return (questions,): the estimated cost of all parts, given their sizes.

    A part of n candidates is taken to need n * log2(n) questions with two answers in all.
    """
    logs = np.log2(np.arange(1, sizes.max(initial=1) + 1), dtype=np.float64)
    of_size = np.concatenate(([0.0], np.arange(1, len(logs) + 1) * logs))
    return np.asarray(np.round(of_size[sizes].sum(axis=1), 9))
