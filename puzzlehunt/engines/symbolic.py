"""The symbolic engine: one pySMT model for the whole game, solved incrementally.

Candidates, samples and counts do not depend on which model the solver returns: candidates are in
code order, samples depend on a seed, and the solver only decides whether formulas are satisfiable.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Code
from puzzlehunt.codes.constraints import TRUE, AllOf, At, Bound, Constraint, holds, none_of
from puzzlehunt.engines.base import MOST_LISTED, UNKNOWN, Count, Engine, Sample, check_literals
from puzzlehunt.engines.explicit import ExplicitEngine, sample_of
from puzzlehunt.engines.sampling.sampler import RUNS, SHORT_RUNS, Sampler
from puzzlehunt.engines.solver_engine import walk
from puzzlehunt.engines.solvers import STEPS_A_SECOND, Solver, open_solver
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item
from puzzlehunt.kernels.packed_codes import LARGEST_SPACE, CodeArray, code_of, where_holds

if TYPE_CHECKING:
    from pysmt.fnode import FNode

    from puzzlehunt.engines.smtlib import Encoding


@dataclass(slots=True)
class _Level:
    """What is known about the first n items."""

    satisfiable: bool | None = None
    """Whether a candidate fits them; None if this is not known yet."""
    candidates: CodeArray | None = None
    """All candidates, (N, length), in code order; None if they are not listed."""


class SymbolicEngine(Engine):
    """An engine that stores formulas instead of codes, so that it also works in huge spaces.

    Every turn and fact has a Boolean of its own, its selector (Eén and Sörensson, 2003), which
    implies its formula. A query assumes the selectors of its items. So any items can be queried,
    and the solver keeps the formulas of items that were removed.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        check_literals(game)
        self._trusts_solver = game.play.solver in (None, "z3")
        self._is_listable = (
            game.secrets.size <= LARGEST_SPACE and len(game.secrets.alphabet) <= MOST_SYMBOLS
        )
        self.proves = self._trusts_solver or self._is_listable
        self.sampler: Sampler = Sampler(game)
        self._listed_of = lru_cache(maxsize=32)(self.sampler.listed_candidates)
        self._levels = [_Level(satisfiable=True)]
        self._asserted: dict[Item, tuple[FNode, FNode | None]] = {}
        """The items that the solver has; see `_assertion`."""
        self._known: Code | None = None
        """The candidate that was last drawn to prove that candidates exist."""

    # pySMT and z3 are imported when there is a question to the solver; many games ask none.

    @cached_property
    def encoding(self) -> "Encoding":
        """The formulas of the game."""
        from puzzlehunt.engines.smtlib import Encoding

        return Encoding(self.game)

    @cached_property
    def _solver(self) -> Solver:
        encoding = self.encoding
        solver = open_solver(encoding.environment, self.game.play.solver)
        for formula in (
            *encoding.one_symbol_a_position(),
            *encoding.occurrence_definitions(),
            encoding.formula(self.game.secrets.constraint()),
        ):
            solver.add(formula)
        return solver

    def _assertion(self, place: int) -> "tuple[FNode, FNode | None]":
        """Return the selector of an item, and the Boolean that it lies; None if it cannot."""
        item = self._items[place]
        if item not in self._asserted:
            manager = self.encoding.manager
            lie = self.encoding.lie_boolean(item, len(self._asserted))
            selector = manager.FreshSymbol(template="item_%d")
            self._solver.add(manager.Implies(selector, self.encoding.item_formula(item, lie)))
            self._asserted[item] = selector, lie
        return self._asserted[item]

    def _push(self, item: Item) -> None:
        candidates = self._top.candidates
        satisfiable = False if self._top.satisfiable is False else None
        if candidates is not None:
            candidates = self.sampler.fitting([item], candidates)
        self._levels[len(self._items) + 1 :] = [_Level(satisfiable, candidates)]
        super()._push(item)

    @property
    def _top(self) -> _Level:
        return self._levels[len(self._items)]

    def satisfiable(self, chosen: Sequence[int] | None = None, *, also: Constraint = TRUE) -> bool:
        places, top, sampler = self._places(chosen), self._top, self.sampler
        if chosen is not None or also != TRUE:
            rng = random.Random(0)
            drawn = (self.game.secrets.random(rng) for _ in range(0 if places else 16))
            return any(holds(also, code) for code in drawn) or self._may_agree(places, also)
        if top.satisfiable is None and (listed := self._listed_candidates()) is not None:
            top.satisfiable = len(listed) > 0
        if top.satisfiable is None:
            refuted = sampler.counts_unlisted and not sampler.occurrence_bounds(self._items)
            top.satisfiable = not refuted and (self._has_witness() or self._may_agree(places))
        return top.satisfiable

    @property
    def _is_huge(self) -> bool:
        return self.sampler.draws_by_counts and self.game.secrets.size > MOST_LISTED

    def _may_agree(self, places: Sequence[int], also: Constraint = TRUE) -> bool:
        """Return False if a list, symbol counts or the solver refute some items, else True."""
        if self._is_huge:
            listed = self._listed_of(tuple(self._items[place] for place in places))
            if listed is not None:
                return bool(where_holds(also, listed).any())
        return self.sampler.counts_unlisted or self.unsat_core(places, also=also) is None

    def unsat_core(self, chosen: Sequence[int], *, also: Constraint = TRUE) -> list[int] | None:
        chosen = self._places(chosen)
        count_literals: list[FNode] = []
        if (counts := self.sampler.symbol_counts) and self.game.secrets.may_repeat:
            table = counts.allowed([self._items[place] for place in chosen], also)
            if not len(table):
                return list(chosen)
            fewest, most = table.min(axis=0).tolist(), table.max(axis=0).tolist()
            count_literals = self.encoding.occurrence_bounds(fewest, most)
        effort = STEPS_A_SECOND if self._is_huge else 0
        if self._decide(chosen, also, count_literals, effort=effort) is not False:
            return None
        needed = set(self._solver.unsat_core())
        if not needed.isdisjoint(count_literals):
            return list(chosen)
        return [place for place in chosen if self._assertion(place)[0] in needed]

    def _witness(self, chosen: Sequence[int], also: Constraint = TRUE) -> Code | None:
        return None if self.unsat_core(chosen, also=also) is not None else self._code()

    def _decide(
        self, places: Sequence[int], also: Constraint, assumed: "Sequence[FNode]" = (),
        effort: int = 0,
    ) -> bool | None:  # fmt: skip
        """Return whether a secret fits some items and `also`; the solver then has model or core.

        None if `effort` steps (0: any number) do not decide it. What is `assumed` has to follow
        from the rest, without which a wrong answer is found: then, PuzzlehuntError is raised.
        """
        parts = also.parts if isinstance(also, AllOf) else (also,)
        asserted = [self._assertion(place) for place in places]
        nodes = [selector for selector, _ in asserted]
        nodes += [*map(self.encoding.formula, parts), *assumed]
        if lies := [lie for _, lie in asserted if lie is not None]:
            nodes.append(self.encoding.budget_formula(lies))
        satisfiable = self._solver.check(nodes, effort)
        if not self._trusts_solver and satisfiable is not None:
            self._confirm(satisfiable, places, also)
        return satisfiable

    def _confirm(self, satisfiable: bool, places: Sequence[int], also: Constraint) -> None:
        """Hold a solver's answer against the rules, and `unsat` against all codes if listable.

        Raises PuzzlehuntError if the answer is wrong.
        """
        fault = ""
        if satisfiable:
            code = self._code()
            if not self._is_right(code, self._history(places), also):
                fault = f"{self.game.format_code(code)}, a code that is ruled out"
        elif self._is_listable:
            self._explicit.follow(self._items)
            if self._explicit.satisfiable(places, also=also):
                fault = "unsat, although a code fits"
        if fault:
            self._solver.restart()
            name = self._solver.name
            raise PuzzlehuntError(f"the solver {name} answered {fault}; try z3 (play.solver)")

    @cached_property
    def _explicit(self) -> ExplicitEngine:
        return ExplicitEngine(self.game)

    def _code(self) -> Code:
        rows, value = self.encoding.position_booleans, self._solver.value
        return tuple(next((s for s, node in enumerate(row) if value(node)), 0) for row in rows)

    def _find(self, prefix: Code, _most: int) -> list[Code]:
        begun = AllOf(tuple(Bound.required(At(place, (n,))) for place, n in enumerate(prefix)))
        return [self._code()] if self._decide(self._places(None), begun) else []

    def _has_witness(self) -> bool:
        if self._is_huge and (self._known is None or self._known not in self):
            found = self.sampler.sample(self._items, 1, random.Random(0), runs=SHORT_RUNS + 1)
            self._known = found.codes[0] if found.codes else None
        return self._known is not None

    def _listed_candidates(self) -> CodeArray | None:
        """Return all candidates of a huge space if they are few, else None."""
        top = self._top
        if top.candidates is None and self._items and self.game.secrets.size > MOST_LISTED:
            top.candidates = self._listed_of(self.items)
        return top.candidates

    def count(self, *, quickly: bool = False) -> Count:
        if quickly:
            return UNKNOWN
        if not self.satisfiable():
            return Count.of(0) if self.proves else Count(0, None, 0)
        codes = self._listed_candidates()
        if codes is not None:
            return Count.of(len(codes))
        return self.sampler.count(self._items, self.game.play.seed)

    def in_code_order(self) -> Iterator[Code]:
        if not self._items:
            return iter(self.game.secrets)
        if not self.satisfiable():
            return iter(())
        codes = self._listed_candidates()
        return walk(self.game, self._find) if codes is None else map(code_of, codes)

    def _sample(self, size: int, rng: random.Random, end: float) -> Sample:
        """Return up to `size` different candidates.

        A few are mostly drawn sooner than all are listed. More are chosen from a list of all, or
        drawn. If too few are found, the solver finds the first ones in code order.
        """
        if self._is_huge and size < _SMALL_SAMPLE and self._top.candidates is None:
            drawn = self.sampler.sample(self._items, size, rng, end, runs=0)
            if len(drawn.codes) == size:
                return drawn
        listed = self._listed_candidates()
        if listed is not None:
            return sample_of(listed, range(len(listed)), size, rng)
        # In a small space no long chains: the solver is done long before they would give up.
        runs = RUNS if self._is_huge else SHORT_RUNS
        drawn = self.sampler.sample(self._items, size, rng, end, runs)
        codes = list(drawn.codes)
        if not codes and (self.history.facts or not self._is_huge):
            codes = list(islice(walk(self.game, self._find, rng=rng), 1))
        if len(codes) < min(size, _SMALL_SAMPLE) and not self._is_huge:
            first = list(islice(self.in_code_order(), _SMALL_SAMPLE))
            complete = len(first) < _SMALL_SAMPLE and self.proves
            every = first if complete else sorted({*codes, *first})
            return Sample(tuple(every[:size]), complete and len(every) <= size, even=False)
        few = 0 < len(codes) < min(size, _SMALL_SAMPLE) and self.proves
        others = none_of(codes, self.game.length)
        whole = few and self._decide(self._places(None), others, effort=STEPS_A_SECOND) is False
        return Sample(tuple(codes), complete=whole, even=drawn.even)


_SMALL_SAMPLE = 16
"""The solver completes a sample of fewer candidates, if fewer than this many exist."""
