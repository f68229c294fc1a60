"""The symbolic engine: one pySMT model for the whole game, solved incrementally.

Candidates, samples and counts do not depend on which model the solver returns: candidates are in
code order, samples depend on a seed, and the solver only decides whether formulas are satisfiable.
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Code
from puzzlehunt.codes.constraints import TRUE, AllOf, At, Constraint, require
from puzzlehunt.engines.base import (
    UNKNOWN,
    Count,
    Engine,
    Sample,
    check_literals,
    check_sample,
    counts_symbols,
)
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.prefixes import Prefixes
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.engines.sampling.symbol_counts import SymbolCounts
from puzzlehunt.engines.solvers.solver_registry import Solver, open_solver
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.kernels.packed_codes import LARGEST_SPACE, CodeArray, code_of

if TYPE_CHECKING:
    from pysmt.fnode import FNode

    from puzzlehunt.engines.smtlib import Encoding


@dataclass(slots=True)
class _ItemLevel:
    """What the engine stores for one item, and for the history that ends with this item."""

    satisfiable: bool | None = None
    """Whether a candidate fits the history; None if this is not known yet."""
    candidates: CodeArray | None = None
    """All candidates of the history, (N, length), in code order; None if they are not listed."""


class SymbolicEngine(Engine):
    """An engine that stores formulas instead of codes, so that it also works in huge spaces.

    Every turn and fact has a Boolean of its own, its selector (Eén and Sörensson, 2003). A query
    assumes the selectors of its items. So any subset of items can be queried without changing what
    is in the solver.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        check_literals(game)
        self._trusts_solver = game.play.solver in (None, "z3")
        self.proves = self._trusts_solver or (
            game.secrets.size <= LARGEST_SPACE and len(game.secrets.alphabet) <= MOST_SYMBOLS
        )
        self.sampler: Sampler = Sampler(game)
        self._prefixes = Prefixes(game.secrets, game.length)
        self._bottom = _ItemLevel(satisfiable=True)
        self._levels: list[_ItemLevel] = []
        self._asserted_count = 0
        """How many of the oldest items are in the solver."""
        self._temporary_formulas: list[FNode] = []
        """The formulas that `_temporarily` holds in the solver now."""
        self._witness: Code | None = None
        """The candidate that was last drawn to prove that candidates exist."""

    # pySMT and z3 are imported when there is a question to the solver; many games ask none.

    @cached_property
    def encoding(self) -> "Encoding":
        """The formulas of the game."""
        from puzzlehunt.engines.smtlib import Encoding

        return Encoding(self.game)

    @cached_property
    def _explicit(self) -> ExplicitEngine:
        return ExplicitEngine(self.game)

    @property
    def _top(self) -> _ItemLevel:
        return self._levels[-1] if self._levels else self._bottom

    @property
    def _selectors(self) -> "list[FNode]":
        return [self._selector(place) for place in range(len(self._levels))]

    def _selector(self, place: int) -> "FNode":
        """Return the Boolean that implies an item's formula; queries that include it assume it."""
        return self.encoding.manager.Symbol(f"item_{place + 1}")

    def _lie(self, place: int) -> "FNode | None":
        """Return the Boolean that a turn lies; None for an item that cannot lie."""
        return self.encoding.lie_boolean(self._items[place], place + 1)

    @property
    def _solver(self) -> Solver:
        """The solver with the game and all items; first, items that it lacks are added."""
        with self._dropping_solver():
            while self._asserted_count < len(self._items):
                self._assert(self._asserted_count)
                self._asserted_count += 1
        return self._lagging_solver

    @contextmanager
    def _dropping_solver(self) -> Iterator[None]:
        """Discard the solver if an interrupt occurs, since it may be half changed."""
        try:
            yield
        except KeyboardInterrupt:
            self.__dict__.pop("_lagging_solver", None)
            self._asserted_count = 0
            raise

    @cached_property
    def _lagging_solver(self) -> Solver:
        """The solver with the game and those items that were already added."""
        encoding = self.encoding
        solver = open_solver(encoding.environment, self.game.play.solver)
        for formula in (
            *encoding.one_symbol_a_position(),
            *encoding.occurrence_definitions(),
            encoding.space_formula(),
        ):
            solver.add(formula)
        # Only with a selector, since finding candidates would be slower with these sums.
        sums = encoding.manager.And(encoding.occurrence_sums())
        solver.add(encoding.manager.Implies(self._sums_selector, sums))
        return solver

    @property
    def _sums_selector(self) -> "FNode":
        return self.encoding.manager.Symbol("sums")

    def _push(self, item: Item) -> None:
        before = self._top
        satisfiable = False if before.satisfiable is False else None
        candidates = before.candidates
        if candidates is not None:
            candidates = self.sampler.fitting([item], candidates)
        self._levels.append(_ItemLevel(satisfiable, candidates))
        self._items.append(item)

    def _assert(self, place: int) -> None:
        lie = self._lie(place)
        formula = self.encoding.item_formula(self._items[place], lie)
        guarded = self.encoding.manager.Implies(self._selector(place), formula)
        lies = [node for node in map(self._lie, range(place + 1)) if node is not None]
        self._lagging_solver.push()
        try:
            self._lagging_solver.add(guarded)
            if lie is not None:
                self._lagging_solver.add(self.encoding.budget_formula(lies))
        except BaseException:  # a player may interrupt
            self._lagging_solver.pop()
            raise

    def _keep(self, height: int) -> None:
        with self._dropping_solver():
            while self._asserted_count > height:
                self._lagging_solver.pop()
                self._asserted_count -= 1
        del self._levels[height:], self._items[height:]

    def satisfiable(self, chosen: Sequence[int] | None = None, *, also: Constraint = TRUE) -> bool:
        if chosen is None and also == TRUE:
            top = self._top
            if top.satisfiable is None and top.candidates is not None:
                top.satisfiable = len(top.candidates) > 0
            if top.satisfiable is None:
                top.satisfiable = self._symbol_counts_possible() and (
                    self._has_witness() or self._not_refuted(self._places(None))
                )
            return bool(top.satisfiable)
        places = self._places(chosen)
        if also == TRUE and not places:
            return True
        return self._not_refuted(places, also)

    @property
    def _is_huge(self) -> bool:
        return self.sampler.serves_pairs and self.game.secrets.size > _HUGE

    @property
    def _literal_count(self) -> int:
        return self.game.length * len(self.game.secrets.alphabet)

    def _not_refuted(self, places: Sequence[int], also: Constraint = TRUE) -> bool:
        """Return False if the solver finds that some items contradict each other, else True."""
        if self.sampler.counts_unlisted:
            return True
        assumed = [self._selector(place) for place in places]
        if also != TRUE:
            assumed.append(self.encoding.formula(also))
        if self._decide(assumed, _LONG_EFFORT if self._is_huge else 0) is not False:
            return True
        self._check_unsat(places, also)
        return False

    def unsat_core(
        self, chosen: Sequence[int], *, also: Constraint = TRUE, quickly: bool = False
    ) -> list[int] | None:
        chosen = self._places(chosen)
        counting_items = self._counting_items(chosen)
        count_literals: list[FNode] = []
        if self._symbol_counts is not None:
            allowed = self._symbol_counts.allowed_mask(self._items[p] for p in counting_items)
            bounds = self._symbol_counts.bounds(allowed & self._symbol_counts.constraint_mask(also))
            if bounds is None:
                return counting_items
            count_literals = self.encoding.occurrence_bounds(*bounds)
        asked = [self._selector(place) for place in chosen]
        assumed = [] if also == TRUE else [self.encoding.formula(also)]
        asked += assumed
        satisfiable = self._decide([*asked, *count_literals], _SHORT_EFFORT)
        if satisfiable is None:
            effort = _LONG_EFFORT if quickly or self._is_huge else 0
            satisfiable = self._decide([*asked, *count_literals, self._sums_selector], effort)
        if satisfiable is not False:
            return None
        needed = set(self._solver.unsat_core())
        if needed.isdisjoint(count_literals):
            counting_items = []
        core = [p for p in chosen if self._selector(p) in needed or p in counting_items]
        self._check_unsat(core, also)
        return core

    @cached_property
    def _symbol_counts(self) -> SymbolCounts | None:
        return self.sampler.symbol_counts if counts_symbols(self.game) else None

    def _counting_items(self, chosen: Sequence[int]) -> list[int]:
        """Return the places of items that together allow only the symbol counts that all allow.

        Newer items are preferred. All other chosen items exclude no further symbol counts.
        """
        if self._symbol_counts is None:
            return []
        masks = (self._symbol_counts.item_mask(self._items[place]) for place in chosen[::-1])
        return sorted(chosen[-1 - n] for n in self._symbol_counts.narrowing_places(masks))

    def _symbol_counts_possible(self) -> bool:
        if self.sampler.counts_unlisted:
            return self.sampler.occurrence_bounds(self._items) is not None
        counts = self._symbol_counts
        return counts is None or len(counts.allowed_places(self._items)) > 0

    def satisfiable_superset(self, chosen: Sequence[int]) -> list[int] | None:
        if self.unsat_core(chosen) is not None:
            return None
        code = self._true_symbols()
        unforgivable, forgivable = self.game.violations(History(self.items), code)
        lies = sorted(forgivable, key=lambda place: place not in chosen)
        broken = {*unforgivable, *lies[self.game.channel.lies.at_most :]}
        return [place for place in range(len(self._items)) if place not in broken]

    def first_conflict(self) -> int | None:
        if self.satisfiable():
            return None
        first, last = 0, len(self._items) - 1
        while first < last:
            middle = (first + last) // 2
            if self.unsat_core(range(middle + 1)) is None:
                first = middle + 1
            else:
                last = middle
        return first

    def _decide(self, assumptions: "list[FNode]", effort: int = 0) -> bool | None:
        """Return whether assumptions are satisfiable, None if `effort` steps do not decide it."""
        satisfiable = self._solver.check(assumptions, effort)
        if satisfiable and not self._trusts_solver:
            self._check_model([*self._temporary_formulas, *assumptions])
        return satisfiable

    def _check_unsat(
        self, places: Sequence[int], also: Constraint = TRUE, known: Sequence[Code] = ()
    ) -> None:
        """Hold an outside solver's `unsat` against all secrets, where they can be listed.

        Raises PuzzlehuntError if a code that is not yet known fits the items at some places.
        """
        if self._trusts_solver or not self.proves:
            return
        self._explicit.follow(self._items)
        fits = self._explicit.satisfiable(places, also=also)
        if fits and not (known and self._explicit.count().exact == len(known)):
            raise self._wrong_answer("unsat, although a code fits")

    def _check_model(self, assumed: "Iterable[FNode]") -> None:
        """Check an untrusted solver's model by the rules. Raises PuzzlehuntError if it is wrong."""
        wanted, value = set(assumed), self._solver.value
        for node in wanted:
            if node.is_literal() and not value(node):
                text = node.to_smtlib(daggify=False)
                raise self._wrong_answer(f"with a model in which {text} is false")
        held = (node for row in self.encoding.position_booleans for node in row if value(node))
        try:
            code = self.encoding.code({node.symbol_name() for node in held})
        except PuzzlehuntError as error:
            raise self._wrong_answer(f"with no code: {error}") from None
        pairs = zip(self._items, self._selectors, strict=True)
        history = History(tuple(item for item, selector in pairs if selector in wanted))
        shown = self.game.format_code(code)
        if code not in self.game.secrets:
            raise self._wrong_answer(f"{shown}, which is not a secret of the game")
        if not self.game.fits(history, code):
            raise self._wrong_answer(f"{shown}, a code that the rows rule out")

    def _wrong_answer(self, answer: str) -> PuzzlehuntError:
        self._solver.restart()
        return PuzzlehuntError(f"the solver {self._solver.name} answered {answer}; try --solver z3")

    def _has_witness(self) -> bool:
        if self._literal_count <= _QUICK_LITERALS and not self._is_huge:
            return False
        if self._witness is None or self._witness not in self:
            share = 0.1 if self._is_huge else 0.0
            codes = self.sampler.sample(self._items, 1, random.Random(0), long_run_share=share)
            self._witness = codes[0] if codes else None
        return self._witness is not None

    def _listed_candidates(self) -> CodeArray | None:
        """Return all candidates of a huge space if they are few, else None."""
        top = self._top
        if top.candidates is None and self.game.secrets.size > _HUGE:
            top.candidates = self.sampler.listed_candidates(self._items)
        return top.candidates

    def count(self, *, quickly: bool = False) -> Count:
        if quickly:
            return UNKNOWN
        if not self.satisfiable():
            return Count.exactly(0) if self.proves else Count(0, None, 0)
        codes = self._listed_candidates()
        if codes is not None:
            return Count.exactly(len(codes))
        return self.sampler.count(self._items, self.game.play.seed)

    def in_code_order(self) -> Iterator[Code]:
        if not self._items:
            return iter(self.game.secrets)
        codes = self._listed_candidates()
        return self._batched_candidates() if codes is None else map(code_of, codes)

    def _batched_candidates(self) -> Iterator[Code]:
        size, last = 1, None
        assumed = [*self._selectors, *self.encoding.position_sum()]
        while batch := self._first_codes(size, assumed, last):
            yield from batch
            if len(batch) < size:
                return
            size, last = _BATCH, batch[-1]
        if last is None and not self._trusts_solver and self._has_witness():
            raise self._wrong_answer("unsat, although a code fits")

    @contextmanager
    def _temporarily(self, *formulas: "FNode") -> Iterator[None]:
        height, solver = len(self._temporary_formulas), self._solver
        with self._dropping_solver():
            solver.push()
            try:
                for formula in formulas:
                    self._assert_temporarily(formula)
                yield
            finally:
                del self._temporary_formulas[height:]
                if self.__dict__.get("_lagging_solver") is solver:
                    solver.pop()

    def sample(self, size: int, rng: random.Random, *, end: float | None = None) -> Sample:
        """Return up to `size` different candidates.

        They are chosen from the list of all candidates if there is one, and otherwise drawn. If
        drawing finds too few, the solver finds the others.
        """
        check_sample(size, rng)
        if self._is_huge and size < _SMALL_SAMPLE and self._top.candidates is None:
            # So few candidates are mostly drawn sooner than all are listed.
            drawn = self.sampler.quick_sample(self._items, size, rng)
            if len(drawn) == size:
                return Sample(tuple(drawn), complete=False)
        listed = self._listed_candidates()
        if listed is not None:
            complete = len(listed) <= size
            places = range(len(listed))
            chosen = places if complete else sorted(rng.sample(places, size))
            return Sample(tuple(code_of(listed[place]) for place in chosen), complete)
        even = self.sampler.samples_evenly
        if not even and (drawn := self.sampler.drawn(self._items, size, rng, end)):
            return Sample(tuple(drawn), complete=False)
        # In a small space no long chains: the solver is done long before they would give up.
        long_run_share = 1.0 if self._is_huge else 0.0
        codes = self.sampler.sample(self._items, size, rng, end, long_run_share)
        has_facts = not all(isinstance(item, Turn) for item in self._items)
        if not codes and (has_facts or not self._is_huge):
            branch = self._prefixes.draw(self._find_assuming, [], rng)
            codes = [] if branch is None else [branch]
        solvable = not self._is_huge or self._literal_count <= _SOLVABLE_LITERALS
        if len(codes) < min(size, _SMALL_SAMPLE) and solvable:
            others = self._other_candidates(codes, _SMALL_SAMPLE, end)
            if others is not None:
                every = sorted([*codes, *others])
                return Sample(tuple(every[:size]), complete=len(every) <= size, even=False)
        return Sample(tuple(codes), complete=False, even=even)

    def _other_candidates(
        self, codes: list[Code], most: int, end: float | None
    ) -> list[Code] | None:
        """Return all candidates but `codes`; None if they are `most` or more, or take too long."""
        if not self._items:
            others = list(islice((c for c in self.game.secrets if c not in codes), most))
            return others if len(others) < most else None
        manager, blocked = self.encoding.manager, list(codes)
        others = []
        effort = _LONG_EFFORT if self._is_huge else 0
        with self._temporarily():
            while len(others) < most and (end is None or time.monotonic() < end):
                for code in blocked:
                    symbols = [self.encoding.position_booleans[p][s] for p, s in enumerate(code)]
                    self._assert_temporarily(manager.Not(manager.And(symbols)))
                satisfiable = self._decide(self._selectors, effort)
                if not satisfiable:
                    if satisfiable is None or not self.proves:
                        return None
                    self._check_unsat(self._places(None), known=[*codes, *others])
                    return others
                other = self._true_symbols()
                if other in codes or other in others:
                    raise self._wrong_answer("a code that it was told to leave out")
                others.append(other)
                blocked = [other]
        return None

    def _assert_temporarily(self, formula: "FNode") -> None:
        self._solver.add(formula)
        self._temporary_formulas.append(formula)

    def _first_codes(
        self, size: int, assumed: "Sequence[FNode]", after: Code | None = None
    ) -> list[Code]:
        """Return up to `size` codes in code order that meet some demands; those after `after`.

        A prefix is asserted meanwhile, so that the solver keeps what it learns of its codes.
        """

        def last_symbol(prefix: Code) -> AbstractContextManager[None]:
            return self._temporarily(self.encoding.position_booleans[len(prefix) - 1][prefix[-1]])

        walk = partial(self._prefixes.walk, context_of=last_symbol, after=after)
        with self._temporarily(*assumed), closing(walk(self._find_asserted)) as codes:
            return list(islice(codes, size))

    def _find_assuming(self, prefix: Code, most: int) -> list[Code]:
        """Return one candidate that begins with a prefix, [] if there is none; assert nothing."""
        symbols = [self.encoding.position_booleans[p][s] for p, s in enumerate(prefix)]
        return self._find_asserted(prefix, most, [*self._selectors, *symbols])

    def _find_asserted(
        self, prefix: Code, _most: int, assumed: "Iterable[FNode]" = ()
    ) -> list[Code]:
        """Return one code that fits all that is asserted and assumed, [] if there is none."""
        if not self._decide(list(assumed)):
            at = (require(At(place, (symbol,))) for place, symbol in enumerate(prefix))
            self._check_unsat(self._places(None), AllOf(tuple(at)))
            return []
        return [prefix + self._true_symbols(len(prefix))]

    def _true_symbols(self, first: int = 0) -> Code:
        rows, value = self.encoding.position_booleans[first:], self._solver.value
        return tuple(next(s for s, node in enumerate(row) if value(node)) for row in rows)


_QUICK_LITERALS = 200
"""With at most this many literals (positions times symbols), no candidate is drawn as a witness."""
_SHORT_EFFORT, _LONG_EFFORT = 150_000, 1_000_000
"""Limits for a question (steps of `Solver.check`): some hundredths and some tenths of a second."""
_HUGE = 1 << 21
"""The solver lists candidates if there are at most this many secrets; otherwise `sampling` does."""
_SOLVABLE_LITERALS = 400
"""In a huge space, the solver may complete a sample if a game has at most this many literals."""
_BATCH = 32
"""How many candidates one walk lists; the first walk lists one, to answer soon."""
_SMALL_SAMPLE = 16
"""The solver completes a sample of fewer candidates, if fewer than this many others exist."""
