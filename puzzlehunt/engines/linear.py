"""The linear engine: one 0/1 linear program for the whole game, solved by HiGHS.

There is a variable for each position and symbol, and one for each symbol and number n: it is 1 if
the symbol occurs n times or more. Each bound of a clue is a row of the program. If the condition
of a conditional row fails, the row is relaxed by the most that any code can miss the bound (big-M).
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from threading import RLock
from typing import Any, TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Bound, Constraint, Literal
from puzzlehunt.engines.solver_engine import (
    Assertion,
    AtMost,
    SoftConstraint,
    SolverEngine,
    SolverModel,
)
from puzzlehunt.errors import PuzzlehuntError, missing_package
from puzzlehunt.game.game import Game


class LinearEngine(SolverEngine):
    """An engine that uses the solver HiGHS. Raises PuzzlehuntError without HiGHS."""

    name = "linear"
    batch_size = 4
    largest_sample = 100
    largest_sum = 10_000_000

    def __init__(self, game: Game) -> None:
        try:
            import highspy  # noqa: F401
        except ImportError:
            raise missing_package("engine linear needs HiGHS", "linear") from None
        super().__init__(game)

    def new_model(self) -> "LinearModel":
        return LinearModel(self.game)


_Variable: TypeAlias = Any
"""A variable of highspy."""
_Sum: TypeAlias = Any
"""A weighted sum of variables, or one of them."""


class LinearModel(SolverModel):
    """A 0/1 linear program of an engine's assertions, written with highspy's variables and sums."""

    def __init__(self, game: Game) -> None:
        import highspy

        self._highs: Any = highspy.Highs()
        for option, value in _OPTIONS.items():
            self._highs.setOptionValue(option, value)
        self._highs.HandleKeyboardInterrupt = True
        symbols = range(len(game.secrets.alphabet))
        self._at = [[self._highs.addBinary() for _ in symbols] for _ in range(game.length)]
        self._literals: dict[AtLeast, _Variable] = {}
        """The variables of literals that are in use: 1 if the literal is true."""
        self._selectors: list[_Variable] = []
        """A variable for each assertion: 1 in searches that require the assertion."""
        self._broken: dict[int, _Variable] = {}
        """By the place of each `SoftConstraint`: the variable that is 1 if it is violated."""
        self._sizes: list[tuple[int, int]] = []
        """How many variables and rows there were before each assertion."""
        for row in self._at:
            self._highs.addConstr(self._highs.qsum(row) == 1)
        for symbol in symbols:
            times = [self._highs.addBinary() for _ in range(game.length)]
            for fewer, more in pairwise(times):
                self._highs.addConstr(fewer - more >= 0)
            places = self._highs.qsum([row[symbol] for row in self._at])
            self._highs.addConstr(places - self._highs.qsum(times) == 0)
            self._literals |= {AtLeast((symbol,), n): each for n, each in enumerate(times, start=1)}
        self._require(game.secrets.constraint(), 0)

    def add(self, assertion: Assertion) -> None:
        self._sizes.append((self._highs.numVariables, self._highs.numConstrs))
        selector = self._highs.addBinary()
        self._selectors.append(selector)
        match assertion:
            case SoftConstraint(constraint):
                broken = self._highs.addBinary()
                self._broken[len(self._selectors) - 1] = broken
                self._require(constraint, 1 - selector + broken)
            case AtMost(places, number):
                terms = [(1, self._broken[place]) for place in places]
                self._bound(None, terms, number, 1 - selector)
            case constraint:
                self._require(constraint, 1 - selector)

    def remove(self) -> None:
        self._selectors.pop()
        self._broken.pop(len(self._selectors), None)
        variables, rows = self._sizes.pop()
        kept = ((each, var) for each, var in self._literals.items() if var.index < variables)
        self._literals = dict(kept)
        self._cut_rows(rows)
        now = self._highs.numVariables
        self._highs.deleteCols(now - variables, list(range(variables, now)))

    def _cut_rows(self, rows: int) -> None:
        now = self._highs.numConstrs
        if rows < now:
            self._highs.deleteRows(now - rows, list(range(rows, now)))

    def search(
        self, asked: Sequence[int], prefix: Code, most: int, end: float | None
    ) -> list[Code]:
        for place, selector in enumerate(self._selectors):
            self._highs.changeColBounds(selector.index, *[float(place in asked)] * 2)
        begun = [self._at[place][symbol].index for place, symbol in enumerate(prefix)]
        for variable in begun:
            self._highs.changeColBounds(variable, 1.0, 1.0)
        codes: list[Code] = []
        rows = self._highs.numConstrs
        while len(codes) < most and (end is None or time.monotonic() < end):
            values = self._solve()
            if values is None:
                break
            code = tuple(
                max(range(len(row)), key=lambda s: values[row[s].index]) for row in self._at
            )
            codes.append(code)
            # From now on some symbol has to differ from this code's.
            symbols = [self._at[place][symbol] for place, symbol in enumerate(code)]
            self._highs.addConstr(self._highs.qsum(symbols) <= len(code) - 1)
        self._cut_rows(rows)
        for variable in begun:
            self._highs.changeColBounds(variable, 0.0, 1.0)
        return codes

    def _require(self, constraint: Constraint, off: _Sum) -> None:
        """Add rows that require a constraint if `off` is 0; else it is 1 or more, and they do not.

        Of several parts, one must hold: each has a variable, which is 1 only if it does.
        """
        match constraint:
            case AllOf(parts):
                for part in parts:
                    self._require(part, off)
            case AnyOf(parts):
                codes = [code for part in parts if (code := _as_code(part))]
                is_list = len(parts) > 1 and len(codes) == len(parts)
                choices = self._choices(codes) if is_list else [self._choice(p) for p in parts]
                self._bound(1, [(1, choice) for choice in choices], None, off)
            case Bound(low, terms, high):
                given = [(n, var) for n, each in terms for var in self._variables(each)]
                self._bound(low, given, high, off)

    def _choice(self, part: Constraint) -> _Variable:
        choice = self._highs.addBinary()
        self._require(part, 1 - choice)
        return choice

    def _choices(self, codes: Sequence[tuple[At, ...]]) -> list[_Variable]:
        """Return a variable for each of several codes, such as listed words: at most one is 1.

        For each symbol and position, the variables of the codes with that symbol there add up to at
        most the variable of the symbol and position. These rows are fewer than one row for each
        code, and they are tighter.
        """
        choices = [self._highs.addVariable(0, 1) for _ in codes]
        with_symbol: dict[tuple[int, int], list[_Variable]] = {}
        for choice, code in zip(choices, codes, strict=True):
            for at in code:
                with_symbol.setdefault((at.position, at.symbols[0]), []).append(choice)
        for (position, symbol), some in with_symbol.items():
            self._highs.addConstr(self._highs.qsum(some) - self._at[position][symbol] <= 0)
        self._highs.addConstr(self._highs.qsum(choices) <= 1)
        return choices

    def _variables(self, literal: Literal) -> list[_Variable]:
        """Return variables whose sum is 1 if a literal is true, else 0."""
        if isinstance(literal, At):
            return [self._at[literal.position][s] for s in {*literal.symbols}]
        if literal not in self._literals:
            places = range(len(self._at)) if literal.places is None else literal.places
            terms = [(1, self._at[place][s]) for place in places for s in {*literal.symbols}]
            enough = self._literals[literal] = self._highs.addBinary()
            self._bound(literal.times, terms, None, 1 - enough)
            self._bound(None, terms, literal.times - 1, enough)
        return [self._literals[literal]]

    def _bound(
        self, low: int | None, terms: Sequence[tuple[int, _Variable]], high: int | None, off: _Sum
    ) -> None:
        """Add rows that keep a sum from `low` to `high`, unless `off` is 1 or more."""
        total = self._highs.qsum([weight * variable for weight, variable in terms])
        least = sum(min(weight, 0) for weight, _ in terms)
        most = sum(max(weight, 0) for weight, _ in terms)
        if low is not None and low > least:
            self._highs.addConstr(total + (low - least) * off >= low)
        if high is not None and high < most:
            self._highs.addConstr(total - (most - high) * off <= high)

    def _solve(self) -> Sequence[float] | None:
        """Return the values of all variables in a solution, None if there is none."""
        from highspy import HighsModelStatus as Status

        self._run()
        status = self._highs.getModelStatus()
        if status == Status.kSolveError:
            # Now and then HiGHS fails to go on from its last solution, or at so small tolerances.
            self._highs.clearSolver()
            for option in _TOLERANCES:
                self._highs.setOptionValue(option, 1e-7)
            try:
                self._run()
            finally:
                for option, value in _TOLERANCES.items():
                    self._highs.setOptionValue(option, value)
            status = self._highs.getModelStatus()
        if status in (Status.kInfeasible, Status.kUnboundedOrInfeasible):
            return None
        if status != Status.kOptimal:
            raise PuzzlehuntError(f"HiGHS gave up: {self._highs.modelStatusToString(status)}")
        values: Sequence[float] = self._highs.getSolution().col_value
        return values

    def _run(self) -> None:
        """Solve in another thread, since HiGHS would not notice an interrupt."""
        _SOLVING.acquire()
        try:
            self._highs.startSolve()
            self._wait()
        except BaseException:  # a player may interrupt
            self._highs.cancelSolve()
            self._wait()
            raise
        finally:
            with suppress(RuntimeError):  # as often as it was acquired
                while True:
                    _SOLVING.release()

    def _wait(self) -> None:
        while not self._highs.wait(_INTERRUPT_SECONDS)[0]:
            pass


def _as_code(part: Constraint) -> tuple[At, ...] | None:
    """Return the literals of a constraint that only requires symbols at positions, else None."""
    if not isinstance(part, AllOf):
        return None
    literals = []
    for bound in part.parts:
        match bound:
            case Bound(1, ((1, At(_, (_,)) as at),), None):
                literals.append(at)
            case _:
                return None
    return tuple(literals)


_SOLVING = RLock()
"""Held while a program is solved: all solvers of highspy share one lock, and refuse to wait.

An interrupt may keep a thread from releasing it; the next solve of this thread releases it, too.
"""
_INTERRUPT_SECONDS = 0.1
"""Longest time until an interrupt is noticed (seconds)."""
_TOLERANCES = {"mip_feasibility_tolerance": 1e-9, "primal_feasibility_tolerance": 1e-9}
_OPTIONS = {
    "output_flag": False,
    "threads": 1,
    "random_seed": 0,
    # HiGHS 1.15.1 simplifies some programs to others that have no solution.
    "presolve": "off",
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.0,
    **_TOLERANCES,
}
