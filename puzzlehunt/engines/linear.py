"""The linear engine: one 0/1 linear program for the whole game, solved by HiGHS.

There is a variable for each position and symbol, and one for each symbol and number n: it is 1 if
the symbol occurs n times or more. Each bound of a clue is a row of the program. If the condition
of a conditional row fails, the row is relaxed by the most that any code can miss the bound (big-M).
"""

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from threading import RLock

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import (
    AllOf,
    AnyOf,
    At,
    AtLeast,
    Bound,
    Constraint,
    Literal,
)
from puzzlehunt.engines.solver_engine import (
    Assertion,
    AtMost,
    SoftConstraint,
    SolverEngine,
    SolverModel,
)
from puzzlehunt.errors import SolverError, missing_package
from puzzlehunt.game.game import Game


class LinearEngine(SolverEngine):
    """An engine that uses the solver HiGHS. Raises MissingPackageError without HiGHS."""

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


_Condition = dict[int, int]
"""The condition of a row: each of these columns (variables) has this value (0 or 1)."""
_Sum = Counter[int]
"""A weighted sum: the weight of each column (variable)."""


class LinearModel(SolverModel):
    """A 0/1 linear program of an engine's assertions; its variables are numbered columns."""

    def __init__(self, game: Game) -> None:
        self._length = game.length
        self._program = _HighsProgram()
        add = self._program.add_column
        symbols = range(len(game.secrets.alphabet))
        self._position_columns = [[add() for _ in symbols] for _ in range(game.length)]
        self._occurrence_columns = [[add() for _ in range(game.length)] for _ in symbols]
        self._literal_columns: dict[Literal, int] = {}
        """The variables of all other literals that are in use: 1 if the literal is true."""
        self._selector_columns: list[int] = []
        """A variable for each assertion: 1 in searches that require the assertion."""
        self._broken_columns: dict[int, int] = {}
        """By the place of each `SoftConstraint`: the variable that is 1 if it is violated."""
        self._sizes: list[tuple[int, int]] = []
        """How many columns and rows there were before each assertion."""
        for row in self._position_columns:
            self._program.add_row(1, Counter(row), 1)
        for symbol, times in enumerate(self._occurrence_columns):
            for fewer, more in pairwise(times):
                self._program.add_row(0, Counter({fewer: 1, more: -1}), None)
            places = Counter(row[symbol] for row in self._position_columns)
            places.subtract(times)
            self._program.add_row(0, places, 0)
        self._require(game.secrets.constraint(), {})

    def add(self, assertion: Assertion) -> None:
        self._sizes.append(self._program.size)
        selector = self._program.add_column()
        self._selector_columns.append(selector)
        match assertion:
            case SoftConstraint(constraint):
                broken = self._program.add_column()
                self._broken_columns[len(self._selector_columns) - 1] = broken
                self._require(constraint, {selector: 1, broken: 0})
            case AtMost(places, number):
                broken_ones = Counter(self._broken_columns[place] for place in places)
                self._require_sum(None, broken_ones, number, {selector: 1})
            case constraint:
                self._require(constraint, {selector: 1})

    def remove(self) -> None:
        self._selector_columns.pop()
        self._broken_columns.pop(len(self._selector_columns), None)
        columns, rows = self._sizes.pop()
        kept = ((literal, n) for literal, n in self._literal_columns.items() if n < columns)
        self._literal_columns = dict(kept)
        self._program.cut(columns, rows)

    def search(
        self, asked: Sequence[int], prefix: Code, most: int, end: float | None
    ) -> list[Code]:
        fixed = dict.fromkeys(self._selector_columns, 0)
        fixed |= {self._selector_columns[place]: 1 for place in asked}
        fixed |= {self._position_columns[place][symbol]: 1 for place, symbol in enumerate(prefix)}
        self._program.fix(fixed)
        codes: list[Code] = []
        columns, rows = self._program.size
        while len(codes) < most and (end is None or time.monotonic() < end):
            values = self._program.solve()
            if values is None:
                break
            code = tuple(
                max(range(len(row)), key=lambda s: values[row[s]]) for row in self._position_columns
            )
            codes.append(code)
            # From now on some symbol has to differ from this code's.
            symbols = Counter(
                self._position_columns[place][symbol] for place, symbol in enumerate(code)
            )
            self._program.add_row(None, symbols, self._length - 1)
        self._program.cut(columns, rows)
        return codes

    def _require(self, constraint: Constraint, when: _Condition) -> None:
        match constraint:
            case AllOf(parts):
                for part in parts:
                    self._require(part, when)
            case AnyOf(parts):
                self._require_any(parts, when)
            case Bound(low, terms, high):
                total: _Sum = Counter()
                constant = 0  # what literals that are always true add
                for weight, literal in terms:
                    if isinstance(literal, AtLeast) and literal.times < 1:
                        constant += weight
                        continue
                    for column in self._variables(literal):
                        total[column] += weight
                self._require_sum(low, total, high, when, constant)

    def _require_any(self, parts: Sequence[Constraint], when: _Condition) -> None:
        """Add rows that require some part to hold: a part must hold if its own variable is 1."""
        codes = [_as_code(part) for part in parts]
        if len(parts) > 1 and all(code is not None for code in codes):
            self._require_code([code for code in codes if code is not None], when)
            return
        choices = []
        for part in parts:
            choice = self._program.add_column()
            choices.append(choice)
            self._require(part, {choice: 1})
        self._require_sum(1, Counter(choices), None, when)

    def _require_code(self, codes: Sequence[tuple[At, ...]], when: _Condition) -> None:
        """Add rows that require the secret to hold one of several codes, such as listed words.

        Each code has a variable. For each symbol and position, the variables of the codes with that
        symbol there add up to at most the variable of the symbol and position. These rows are fewer
        than one row for each code, and they are tighter.
        """
        choices = [self._program.add_column(integer=False) for _ in codes]
        sums: dict[int, _Sum] = {}
        for choice, code in zip(choices, codes, strict=True):
            for at in code:
                column = self._position_columns[at.position][at.symbols[0]]
                sums.setdefault(column, Counter({column: -1}))[choice] = 1
        for total in sums.values():
            self._program.add_row(None, total, 0)
        self._program.add_row(None, Counter(choices), 1)
        self._require_sum(1, Counter(choices), None, when)

    def _variables(self, literal: Literal) -> list[int]:
        """Return variables whose sum is 1 if a literal is true, else 0."""
        if isinstance(literal, At):
            return [self._position_columns[literal.position][s] for s in {*literal.symbols}]
        if literal.places is None and len(literal.symbols) == 1:
            return self._occurrence_columns[literal.symbols[0]][literal.times - 1 : literal.times]
        if literal not in self._literal_columns:
            self._literal_columns[literal] = self._new_variable(literal)
        return [self._literal_columns[literal]]

    def _new_variable(self, literal: AtLeast) -> int:
        places = range(self._length) if literal.places is None else literal.places
        total = Counter(
            self._position_columns[place][s] for place in places for s in {*literal.symbols}
        )
        enough = self._program.add_column()
        self._require_sum(literal.times, total, None, {enough: 1})
        self._require_sum(None, total, literal.times - 1, {enough: 0})
        return enough

    def _require_sum(
        self, low: int | None, total: _Sum, high: int | None, when: _Condition, constant: int = 0
    ) -> None:
        """Add rows that keep a sum plus a constant from `low` to `high` under a condition."""
        if low is not None:
            self._require_at_least(total, low - constant, when)
        if high is not None:
            opposite = Counter({column: -weight for column, weight in total.items()})
            self._require_at_least(opposite, constant - high, when)

    def _require_at_least(self, total: _Sum, low: int, when: _Condition) -> None:
        """Add the row that a sum is `low` or more; `slack` relaxes it if the condition fails."""
        slack = low - sum(min(weight, 0) for weight in total.values())
        if slack <= 0:
            return
        terms = Counter(total)
        for column, value in when.items():
            terms[column] -= slack if value else -slack
        self._program.add_row(low - slack * sum(when.values()), terms, None)


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


class _HighsProgram:
    def __init__(self) -> None:
        import highspy

        self._highs = highspy.Highs()
        self._infinity = highspy.kHighsInf
        self._integer_type = highspy.HighsVarType.kInteger
        self._fixed: dict[int, int] = {}
        for option, value in _OPTIONS.items():
            self._highs.setOptionValue(option, value)
        self._highs.HandleKeyboardInterrupt = True

    @property
    def size(self) -> tuple[int, int]:
        return self._highs.getNumCol(), self._highs.getNumRow()

    def add_column(self, integer: bool = True) -> int:
        column: int = self._highs.getNumCol()
        self._highs.addVar(0.0, 1.0)
        if integer:
            self._highs.changeColIntegrality(column, self._integer_type)
        return column

    def add_row(self, low: int | None, terms: _Sum, high: int | None) -> None:
        """Add the row that a sum is from `low` to `high`; None is no bound."""
        columns = [column for column, weight in terms.items() if weight]
        self._highs.addRow(
            -self._infinity if low is None else float(low),
            self._infinity if high is None else float(high),
            len(columns),
            columns,
            [float(terms[column]) for column in columns],
        )

    def cut(self, columns: int, rows: int) -> None:
        columns_now, rows_now = self.size
        if rows < rows_now:
            self._highs.deleteRows(rows_now - rows, list(range(rows, rows_now)))
        if columns < columns_now:
            self._highs.deleteCols(columns_now - columns, list(range(columns, columns_now)))
        self._fixed = {column: v for column, v in self._fixed.items() if column < columns}

    def fix(self, values: dict[int, int]) -> None:
        """Fix some variables, by their columns, and release all others."""
        for column in self._fixed.keys() - values.keys():
            self._highs.changeColBounds(column, 0.0, 1.0)
        for column, value in values.items():
            if self._fixed.get(column) != value:
                self._highs.changeColBounds(column, float(value), float(value))
        self._fixed = values

    def solve(self) -> Sequence[float] | None:
        """Return the values of all variables in a solution, None if there is none."""
        from highspy import HighsModelStatus as Status

        self._run()
        status = self._highs.getModelStatus()
        if status == Status.kSolveError:
            # Now and then HiGHS fails to go on from its last solution, or at so small tolerances.
            status = self._solve_anew()
        if status in (Status.kInfeasible, Status.kUnboundedOrInfeasible):
            return None
        if status != Status.kOptimal:
            raise SolverError(f"HiGHS gave up: {self._highs.modelStatusToString(status)}")
        values: Sequence[float] = self._highs.getSolution().col_value
        return values

    def _solve_anew(self) -> object:
        """Solve from nothing, at HiGHS's default tolerances, and return the status."""
        self._highs.clearSolver()
        for option in _TOLERANCES:
            self._highs.setOptionValue(option, 1e-7)
        try:
            self._run()
        finally:
            for option, value in _TOLERANCES.items():
                self._highs.setOptionValue(option, value)
        return self._highs.getModelStatus()

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
