"""The symbolic engine: one pySMT model for the whole game, solved incrementally.

No answer depends on which model the solver happens to return: candidates come in code order and
samples from a seed, both decided by what is satisfiable and nothing else.
"""

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from functools import cached_property, partial
from itertools import islice

from pysmt.fnode import FNode

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.base import UNKNOWN, Count, Engine, Sample
from puzzlehunt.engines.prefixes import Prefixes, by_cost, lowest
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.engines.sampling.symbol_counts import Mask, SymbolCounts
from puzzlehunt.engines.smtlib import Encoding, as_text
from puzzlehunt.engines.solvers.choice import Solver, open_solver
from puzzlehunt.errors import ModelError, SolverError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.kernels.codes import Bytes, code_of


class SymbolicEngine(Engine):
    """Holds formulas instead of codes, and so takes spaces of any size.

    Every turn and fact stands behind a switch of its own; a query assumes the switches it wants,
    so that any subset can be asked for, and nothing is left behind by a search.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.encoding = Encoding(game)
        self._switches: list[FNode] = []
        self._lies: list[FNode | None] = []
        self._asserted = 0
        self._held: list[FNode] = []
        self._witness: Code | None = None
        self._agree: list[bool | None] = [True]
        self.sampler: Sampler = Sampler(game)
        self._lists: list[Bytes | None] = [None]
        self._prefixes = Prefixes(game.secrets, game.length)

    @property
    def _solver(self) -> Solver:
        """The model of all that is known, brought up to date when it is asked."""
        while self._asserted < len(self._items):
            self._assert(self._items[self._asserted], self._asserted)
            self._asserted += 1
        return self._empty

    @cached_property
    def _empty(self) -> Solver:
        """The model of the game without any item."""
        encoding = self.encoding
        solver = open_solver(encoding.environment, self.game.play.solver)
        for formula in (
            *encoding.one_a_position(),
            *encoding.occurrences(),
            encoding.space(),
        ):
            solver.add(formula)
        # Always assumed, they would make finding candidates slower.
        sums = encoding.manager.And(encoding.occurrences_in_all())
        solver.add(encoding.manager.Implies(self._sums, sums))
        return solver

    @property
    def _sums(self) -> FNode:
        """The switch of what helps to refute."""
        return self.encoding.manager.Symbol("sums")

    def push(self, item: Item) -> None:
        number = len(self._items) + 1
        self._switches.append(self.encoding.manager.Symbol(f"item_{number}"))
        self._lies.append(self.encoding.lie(item, number))
        self._items.append(item)
        self._agree.append(None if self._agree[-1] is not False else False)
        before = self._lists[-1]
        self._lists.append(None if before is None else self.sampler.fitting([item], before))

    def _assert(self, item: Item, place: int) -> None:
        """Add an item to the model, behind its switch."""
        lie = self._lies[place]
        said = self.encoding.manager.Implies(self._switches[place], self.encoding.item(item, lie))
        known = [other for other in self._lies[: place + 1] if other is not None]
        self._empty.push()
        try:
            self._empty.add(said)
            if lie is not None:
                self._empty.add(self.encoding.budget(known))
        except BaseException:  # a player may interrupt
            self._empty.pop()
            raise

    def pop(self) -> None:
        if self._asserted == len(self._items):
            self._empty.pop()
            self._asserted -= 1
        self._lies.pop()
        self._agree.pop()
        self._lists.pop()
        self._switches.pop()
        self._items.pop()

    def satisfiable(self, chosen: Sequence[int] | None = None, also: Constraint = TRUE) -> bool:
        if chosen is None and also == TRUE:
            listed = self._lists[-1]
            if self._agree[-1] is None and listed is not None:
                self._agree[-1] = len(listed) > 0
            if self._agree[-1] is None:
                self._agree[-1] = self._symbols_may_occur() and (
                    self._has_witness() or self._not_refuted(self._switches)
                )
            return bool(self._agree[-1])
        places = range(len(self._items)) if chosen is None else chosen
        if also == TRUE and not places:
            return True
        asked = [self._switches[place] for place in places]
        return self._not_refuted(asked if also == TRUE else [*asked, self.encoding.formula(also)])

    @property
    def _huge(self) -> bool:
        """Whether candidates are drawn, and the solver may give up."""
        return self.sampler.compiled and self.game.secrets.size > _HUGE

    @property
    def _literals(self) -> int:
        return self.game.length * len(self.game.secrets.alphabet)

    def _not_refuted(self, assumptions: list[FNode]) -> bool:
        """Ask the solver; of a huge space only so long."""
        if self.sampler.beyond:
            return True
        return self._decide(assumptions, _A_WHILE if self._huge else 0) is not False

    def core(
        self, chosen: Sequence[int], also: Constraint = TRUE, quickly: bool = False
    ) -> list[int] | None:
        counted = self._counted(chosen)
        often: list[FNode] = []
        if self._symbol_counts is not None:
            masks = [*map(self._mask, counted), self._symbol_counts.fitting(also)]
            between = self._symbol_counts.between(masks)
            if between is None:
                return counted
            often = self.encoding.between(*between)
        asked = [self._switches[place] for place in chosen]
        asked += [] if also == TRUE else [self.encoding.formula(also)]
        agree = self._decide([*asked, *often], _A_MOMENT)
        if agree is None:
            long = _A_WHILE if quickly or self._huge else 0
            agree = self._decide([*asked, *often, self._sums], long)
        if agree is not False:
            return None
        needed = set(self._solver.core())
        if needed.isdisjoint(often):
            counted = []
        return [p for p in chosen if self._switches[p] in needed or p in counted]

    @cached_property
    def _symbol_counts(self) -> SymbolCounts | None:
        return self.sampler.symbol_counts if self.encoding.at_least else None

    def _mask(self, place: int) -> Mask:
        """Return which symbol counts an item allows."""
        assert self._symbol_counts is not None
        return self._symbol_counts.mask(self._items[place])

    def _counted(self, chosen: Sequence[int]) -> list[int]:
        """Return those of some items that say how often symbols occur, as much as all of them.

        Newer items are taken before older ones.
        """
        if self._symbol_counts is None:
            return []
        told = [place for place in reversed(chosen) if self._lies[place] is None]
        return sorted(told[n] for n in self._symbol_counts.enough(map(self._mask, told)))

    def _symbols_may_occur(self) -> bool:
        """Return whether how often symbols occur does not rule out every secret."""
        if self.sampler.beyond:
            return self.sampler.occurring(self._items) is not None
        if self._symbol_counts is None:
            return True
        told = [place for place in range(len(self._items)) if self._lies[place] is None]
        return self._symbol_counts.between(map(self._mask, told)) is not None

    def agreeing(self, chosen: Sequence[int]) -> list[int] | None:
        if self.core(chosen) is not None:
            return None
        code = tuple(self._true_symbol(p) for p in range(self.game.length))
        surely, maybe = self.game.violations(History(self.items), code)
        lies = sorted(maybe, key=lambda place: place not in chosen)
        broken = {*surely, *lies[self.game.channel.lies.at_most :]}
        return [place for place in range(len(self._items)) if place not in broken]

    def first_conflict(self) -> int | None:
        if self.satisfiable():
            return None
        first, last = 0, len(self._items) - 1
        while first < last:
            middle = (first + last) // 2
            if self.core(range(middle + 1)) is None:
                first = middle + 1
            else:
                last = middle
        return first

    def _solve(self, assumptions: list[FNode]) -> bool:
        """Ask the solver. Raises KeyboardInterrupt if the player interrupts it, or SolverError."""
        return bool(self._decide(assumptions, 0))

    def _decide(self, assumptions: list[FNode], effort: int) -> bool | None:
        """Ask the solver; None where it takes more than so much effort, 0 for any.

        Raises KeyboardInterrupt if the player interrupts it, or SolverError.
        """
        found = self._solver.check(assumptions, effort)
        if found and not self._solver.trusted:
            self._check_model([*self._held, *assumptions])
        return found

    def _check_model(self, known: Iterable[FNode]) -> None:
        """Check by the specification the code that a solver answers. Raises SolverError."""
        wanted, value = set(known), self._solver.value
        for node in wanted:
            if node.is_literal() and not value(node):
                raise self._wrong(f"with a model in which {as_text(node)} is false")
        true = {node.symbol_name() for row in self.encoding.at for node in row if value(node)}
        try:
            code = self.encoding.code(true)
        except ModelError as error:
            raise self._wrong(f"with no code: {error}") from None
        pairs = zip(self._items, self._switches, strict=True)
        history = History(tuple(item for item, switch in pairs if switch in wanted))
        if code not in self.game.secrets:
            raise self._wrong(f"{self.game.format_code(code)}, which is no secret of the game")
        if not self.game.fits(history, code):
            raise self._wrong(f"{self.game.format_code(code)}, a code that the rows rule out")

    def _wrong(self, answer: str) -> SolverError:
        self._solver.restart()
        return SolverError(f"the solver {self._solver.name} answered {answer}; try --solver z3")

    def _has_witness(self) -> bool:
        """Return whether drawing finds a candidate; only asked where the solver is slow."""
        if self._literals <= _SLOW_TO_SOLVE and not self._huge:
            return False
        if self._witness is None or self._witness not in self:
            effort = 0.1 if self._huge else 0.0
            found = self.sampler.sample(self._items, 1, random.Random(0), effort=effort)
            self._witness = found[0] if found else None
        return self._witness is not None

    def _listed(self) -> Bytes | None:
        """Return all candidates of a huge space once they are few; then each turn thins them."""
        if self._lists[-1] is None and self.game.secrets.size > _HUGE:
            self._lists[-1] = self.sampler.listed(self._items)
        return self._lists[-1]

    def count(self, quickly: bool = False) -> Count:
        if quickly:
            return UNKNOWN
        if not self.satisfiable():
            return Count.exactly(0)
        codes = self._listed()
        if codes is not None:
            return Count.exactly(len(codes))
        return self.sampler.count(self._items, self.game.play.seed)

    def candidates(self) -> Iterator[Code]:
        if not self._items:
            return iter(self.game.secrets)
        codes = self._listed()
        return self._in_batches() if codes is None else map(code_of, codes)

    def _in_batches(self) -> Iterator[Code]:
        """Iterate over the candidates; between batches nothing is asserted."""
        size, last = 1, None
        known = [*self._switches, *self.encoding.one_a_position_in_all()]
        while batch := self._first(size, known, last):
            yield from batch
            if len(batch) < size:
                return
            size, last = _BATCH, batch[-1]

    def cheapest(self, costs: Mapping[int, int], limit: int) -> list[tuple[int, Code]]:
        """Return the codes of the least cost, then those of the next, each by a walk of its own.

        Both costs and codes are decided by what is satisfiable and nothing else.
        """
        priced = self._priced(costs)
        held = [switch for place, switch in enumerate(self._switches) if place not in costs]
        with self._for_now(*held, *self.encoding.one_a_position_in_all()):
            total = self._total(priced)

            def codes(cost: int, most: int) -> list[Code]:
                level = self.encoding.manager.Equals(total, self._integer(cost))
                return self._first(most, [level])

            return by_cost(partial(self._least, total), codes, limit)

    def _total(self, priced: Iterable[tuple[Turn, int]]) -> FNode:
        """Return what is paid for turns, each with its cost, while they are broken by a Boolean."""
        manager = self.encoding.manager
        terms = [self._integer(0)]
        for number, (turn, cost) in enumerate(priced, start=1):
            broken = manager.Symbol(f"broken_{number}")
            told = self.encoding.formula(self.game.clue_constraint(turn))
            self._solver.add(manager.Iff(broken, manager.Not(told)))
            self._solver.add(self.encoding.formula(self.game.losing_guess_constraint(turn)))
            terms.append(manager.Ite(broken, self._integer(cost), self._integer(0)))
        return manager.Plus(terms)

    def _least(self, total: FNode, low: int) -> int | None:
        """Return the least that any code pays, `low` or more; None if none does."""
        manager = self.encoding.manager

        def paid_below(most: int | None) -> int | None:
            if most is not None:
                self._solver.add(manager.LE(total, self._integer(most - 1)))
            if not self._solve([]):
                return None
            paid = int(self._solver.value(total))
            if paid < low or (most is not None and paid >= most):
                raise self._wrong(f"that {paid} is paid, which was ruled out")
            return paid

        with self._for_now(manager.LE(self._integer(low), total)):
            return lowest(paid_below)

    def _integer(self, number: int) -> FNode:
        return self.encoding.manager.Int(number)

    @contextmanager
    def _for_now(self, *formulas: FNode) -> Iterator[None]:
        """Add formulas, and take back all that is added meanwhile."""
        held = len(self._held)
        self._solver.push()
        try:
            for formula in formulas:
                self._solver.add(formula)
                self._held.append(formula)
            yield
        finally:
            del self._held[held:]
            self._solver.pop()

    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        """Return candidates that are drawn or listed, else some along random branches.

        Uniform or nearly so, but for the last; decided by the seed. Of a huge space maybe none,
        which proves nothing unless the sample is complete.
        """
        if self._huge and size < _MANY and self._lists[-1] is None:
            # So few are mostly drawn sooner than all are listed.
            few = self.sampler.drawn(self._items, size, rng)
            if len(few) == size:
                return Sample(tuple(few), complete=False)
        codes = self._listed()
        if codes is not None:
            whole = len(codes) <= size
            places = range(len(codes)) if whole else sorted(rng.sample(range(len(codes)), size))
            return Sample(tuple(code_of(codes[place]) for place in places), complete=whole)
        # A solver finds one in a small space, long before chains do that have nothing to find.
        effort = 1.0 if self._huge else 0.0
        found = self.sampler.sample(self._items, size, rng, end, effort)
        facts = not all(isinstance(item, Turn) for item in self._items)
        if not found and (facts or not self._huge):
            drawn = self._prefixes.draw(self._assuming, [], rng)
            found = [] if drawn is None else [drawn]
        if len(found) < min(size, _MANY) and not (self._huge and self._literals > _SOLVABLE):
            others = self._others(found, _MANY, end)
            if others is not None:
                every = sorted([*found, *others])
                return Sample(tuple(every[:size]), complete=len(every) <= size)
        return Sample(tuple(found), complete=False)

    def _others(self, found: list[Code], most: int, end: float | None) -> list[Code] | None:
        """Return all candidates beside those found, None if they are many or time is up."""
        if not self._items:
            rest = (code for code in self.game.secrets if code not in found)
            others = list(islice(rest, most))
            return others if len(others) < most else None
        manager = self.encoding.manager
        others = []
        blocked = list(found)
        effort = _A_WHILE if self._huge else 0
        with self._for_now():
            while len(others) < most and (end is None or time.monotonic() < end):
                for code in blocked:
                    places = [self.encoding.at[p][s] for p, s in enumerate(code)]
                    self._solver.add(manager.Not(manager.And(places)))
                agree = self._decide(self._switches, effort)
                if not agree:
                    return others if agree is False else None
                other = tuple(self._true_symbol(p) for p in range(self.game.length))
                if other in found or other in others:
                    raise self._wrong("a code that it was told to leave out")
                others.append(other)
                blocked = [other]
        return None

    def _first(self, size: int, asserted: Sequence[FNode], after: Code | None = None) -> list[Code]:
        """Return up to so many codes in code order, with `after` those that follow that code.

        Prefixes are asserted while what is below them is looked for, so that what the solver learns
        there stays.
        """
        with (
            self._for_now(*asserted),
            closing(self._prefixes.walk(self._find, below=self._asserting, after=after)) as codes,
        ):
            return list(islice(codes, size))

    def _asserting(self, prefix: Code) -> AbstractContextManager[None]:
        """Assert the last symbol of a prefix, for now."""
        return self._for_now(self.encoding.at[len(prefix) - 1][prefix[-1]])

    def _assuming(self, prefix: Code, most: int) -> list[Code]:
        """Return a candidate that begins so, [] if there is none; nothing is asserted."""
        places = [self.encoding.at[position][symbol] for position, symbol in enumerate(prefix)]
        return self._find(prefix, most, [*self._switches, *places])

    def _find(self, prefix: Code, _most: int, assumed: Iterable[FNode] = ()) -> list[Code]:
        """Return a code that fits all that is asserted and assumed, [] if there is none.

        It is known to begin with the prefix.
        """
        if not self._solve(list(assumed)):
            return []
        rest = [self._true_symbol(p) for p in range(len(prefix), self.game.length)]
        return [(*prefix, *rest)]

    def _true_symbol(self, position: int) -> int:
        row = self.encoding.at[position]
        return next(s for s, node in enumerate(row) if self._solver.value(node))


_SLOW_TO_SOLVE = 200
"""Games with more literals than this draw candidates before the solver is asked."""
_A_MOMENT, _A_WHILE = 150_000, 1_000_000
"""Steps of the solver: some hundredths of a second, and a few tenths."""
_HUGE = 1 << 21
"""Of more secrets, candidates are listed without the solver once they are few."""
_SOLVABLE = 400
"""Of huge spaces with more literals the solver is not asked whether there are others."""
_BATCH = 32
"""So many candidates are listed at a time, after the first."""
_MANY = 16
"""Where there are fewer beside those found, all are found out; else chance would decide."""
