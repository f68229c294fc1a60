"""The linear engine: one 0/1 linear program for the whole game, solved by HiGHS.

A variable a position and symbol, and for every symbol as many as there are positions, that count
how often it occurs; the bounds of clues are rows. A row that holds only where others do is relaxed
by as much as it can be broken (big-M).
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import (
    AllOf,
    AnyOf,
    At,
    AtLeast,
    Bound,
    Constraint,
    Literal,
    Term,
    negated,
    space_constraint,
)
from puzzlehunt.engines.searching import Demand, Model, SearchingEngine, Soft, Total
from puzzlehunt.errors import SolverError
from puzzlehunt.game.game import Game


class LinearEngine(SearchingEngine):
    """Holds rows of a linear program. Raises SolverError where HiGHS is not installed."""

    name = "linear"
    at_once = 4
    many = 100
    largest_sum = 10_000_000

    def __init__(self, game: Game) -> None:
        try:
            import highspy  # noqa: F401
        except ImportError:
            raise SolverError(
                'engine linear needs HiGHS: pip install "puzzlehunt[linear]"'
            ) from None
        super().__init__(game)

    def new_model(self) -> "LinearModel":
        return LinearModel(self.game)

    def _least(
        self, held: Sequence[int], costs: tuple[tuple[int, int], ...], low: int
    ) -> int | None:
        """Return the least that any code pays, `low` or more: what linear programs are made for."""
        with self._for_now(Total(low, costs, None)):
            model = self.model
            assert isinstance(model, LinearModel)
            with self._giving_up(), model.minimising(costs):
                found = self._find(self._asked(held), (), 1)
        return self._paid(costs, found[0]) if found else None


@dataclass(frozen=True, slots=True)
class _When:
    """Where rows hold: if all variables of `given` are 1 and all of `unless` are 0."""

    given: tuple[int, ...] = ()
    unless: tuple[int, ...] = ()


_Sum = Counter[int]
"""Variables, each with its weight."""


class LinearModel(Model):
    """A 0/1 linear program."""

    def __init__(self, game: Game) -> None:
        self._length = game.length
        self._program = _Program()
        add = self._program.add_column
        symbols = range(len(game.secrets.alphabet))
        self._at = [[add() for _ in symbols] for _ in range(game.length)]
        self._times = [[add() for _ in range(game.length)] for _ in symbols]
        self._literals: dict[Literal, int] = {}
        self._switches: list[int] = []
        self._broken: dict[int, int] = {}
        self._below: list[tuple[int, int]] = []
        for row in self._at:
            self._program.add_row(1, Counter(row), 1)
        for symbol, times in enumerate(self._times):
            for fewer, more in pairwise(times):
                self._program.add_row(0, Counter({fewer: 1, more: -1}), None)
            places = Counter(row[symbol] for row in self._at)
            places.subtract(times)
            self._program.add_row(0, places, 0)
        self._require(space_constraint(game.secrets), _When())

    def add(self, demand: Demand) -> None:
        self._below.append(self._program.size)
        switch = self._program.add_column()
        self._switches.append(switch)
        match demand:
            case Soft(constraint):
                broken = self._program.add_column()
                self._broken[len(self._switches) - 1] = broken
                self._program.add_row(0, Counter({switch: 1, broken: -1}), None)
                self._require(constraint, _When((switch,), (broken,)))
                self._require(negated(constraint), _When((broken,)))
            case Total(low, costs, high):
                paid = Counter({self._broken[place]: cost for place, cost in costs})
                self._require_sum(low, paid, high, _When((switch,)))
            case constraint:
                self._require(constraint, _When((switch,)))

    def remove(self) -> None:
        self._switches.pop()
        self._broken.pop(len(self._switches), None)
        columns, rows = self._below.pop()
        self._literals = {k: column for k, column in self._literals.items() if column < columns}
        self._program.cut(columns, rows)

    def search(
        self, asked: Sequence[int], prefix: Code, most: int, end: float | None
    ) -> list[Code]:
        fixed = dict.fromkeys(self._switches, 0)
        fixed |= {self._switches[place]: 1 for place in asked}
        fixed |= {self._at[place][symbol]: 1 for place, symbol in enumerate(prefix)}
        self._program.fix(fixed)
        found: list[Code] = []
        columns, rows = self._program.size
        while len(found) < most and (end is None or time.monotonic() < end):
            values = self._program.solve()
            if values is None:
                break
            code = tuple(max(range(len(row)), key=lambda s: values[row[s]]) for row in self._at)
            found.append(code)
            chosen = Counter(self._at[place][symbol] for place, symbol in enumerate(code))
            self._program.add_row(None, chosen, self._length - 1)
        self._program.cut(columns, rows)
        return found

    @contextmanager
    def minimising(self, costs: Iterable[tuple[int, int]]) -> Iterator[None]:
        """Find codes that pay least, for now."""
        columns = {self._broken[place]: cost for place, cost in costs}
        self._program.set_costs(columns)
        try:
            yield
        finally:
            self._program.set_costs(dict.fromkeys(columns, 0))

    def _require(self, constraint: Constraint, when: _When) -> None:
        """Add the rows of a constraint."""
        match constraint:
            case AllOf(parts):
                for part in parts:
                    self._require(part, when)
            case AnyOf(parts):
                self._require_any(parts, when)
            case Bound(low, terms, high):
                self._require_sum(*self._shifted(low, terms, high), when)

    def _shifted(
        self, low: int | None, terms: Iterable[Term], high: int | None
    ) -> tuple[int | None, _Sum, int | None]:
        """Return a bound with its terms as variables, and without constants."""
        total: _Sum = Counter()
        constant = 0
        for weight, literal in terms:
            if isinstance(literal, AtLeast) and literal.times < 1:
                constant += weight
                continue
            for column in self._variables(literal):
                total[column] += weight
        return (
            None if low is None else low - constant,
            total,
            None if high is None else high - constant,
        )

    def _require_any(self, parts: Sequence[Constraint], when: _When) -> None:
        """Add that some part holds: each has a variable that says so."""
        codes = [_places(part) for part in parts]
        if len(parts) > 1 and all(code is not None for code in codes):
            self._require_code([code for code in codes if code is not None], when)
            return
        choices = []
        for part in parts:
            choice = self._program.add_column()
            choices.append(choice)
            self._require(part, _When((choice,)))
        self._require_sum(1, Counter(choices), None, when)

    def _require_code(self, codes: Sequence[tuple[At, ...]], when: _When) -> None:
        """Add that one of several codes is there.

        As sums over all codes with a symbol at a place, which says more than code by code.
        """
        choices = [self._program.add_column(whole=False) for _ in codes]
        sums: dict[int, _Sum] = {}
        for choice, code in zip(choices, codes, strict=True):
            for at in code:
                column = self._at[at.position][at.symbols[0]]
                sums.setdefault(column, Counter({column: -1}))[choice] = 1
        for total in sums.values():
            self._program.add_row(None, total, 0)
        self._program.add_row(None, Counter(choices), 1)
        self._require_sum(1, Counter(choices), None, when)

    def _variables(self, literal: Literal) -> list[int]:
        """Return variables whose sum is 1 if a literal is true and else 0."""
        if isinstance(literal, At):
            return [self._at[literal.position][symbol] for symbol in {*literal.symbols}]
        if literal.places is None and len(literal.symbols) == 1:
            return self._times[literal.symbols[0]][literal.times - 1 : literal.times]
        if literal not in self._literals:
            self._literals[literal] = self._counted(literal)
        return [self._literals[literal]]

    def _counted(self, literal: AtLeast) -> int:
        """Return a new variable that is 1 if a literal is true and else 0."""
        places = range(self._length) if literal.places is None else literal.places
        total = Counter(self._at[place][s] for place in places for s in {*literal.symbols})
        enough = self._program.add_column()
        self._require_sum(literal.times, total, None, _When((enough,)))
        self._require_sum(None, total, literal.times - 1, _When((), (enough,)))
        return enough

    def _require_sum(self, low: int | None, total: _Sum, high: int | None, when: _When) -> None:
        if low is not None:
            self._require_enough(total, low, when)
        if high is not None:
            opposite = Counter({column: -weight for column, weight in total.items()})
            self._require_enough(opposite, -high, when)

    def _require_enough(self, total: _Sum, low: int, when: _When) -> None:
        """Add that a sum is `low` or more; elsewhere it is relaxed by all that may be missing."""
        missing = low - sum(min(weight, 0) for weight in total.values())
        if missing <= 0:
            return
        terms = Counter(total)
        for column in when.given:
            terms[column] -= missing
        for column in when.unless:
            terms[column] += missing
        self._program.add_row(low - missing * len(when.given), terms, None)


def _places(part: Constraint) -> tuple[At, ...] | None:
    """Return what stands where, if a constraint says just that, as for a word; else None."""
    if not isinstance(part, AllOf):
        return None
    found = []
    for bound in part.parts:
        match bound:
            case Bound(1, ((1, At(_, (_,)) as at),), None):
                found.append(at)
            case _:
                return None
    return tuple(found)


class _Program:
    """The 0/1 linear program that HiGHS holds."""

    def __init__(self) -> None:
        import highspy

        self._highs = highspy.Highs()
        self._infinity = highspy.kHighsInf
        self._whole = highspy.HighsVarType.kInteger
        self._fixed: dict[int, int] = {}
        for option, value in _OPTIONS.items():
            self._highs.setOptionValue(option, value)
        self._highs.HandleKeyboardInterrupt = True

    @property
    def size(self) -> tuple[int, int]:
        """How many columns and rows there are."""
        return self._highs.getNumCol(), self._highs.getNumRow()

    def add_column(self, whole: bool = True) -> int:
        """Return a new variable from 0 to 1: a whole number, unless it follows that it is."""
        column: int = self._highs.getNumCol()
        self._highs.addVar(0.0, 1.0)
        if whole:
            self._highs.changeColIntegrality(column, self._whole)
        return column

    def add_row(self, low: int | None, terms: _Sum, high: int | None) -> None:
        """Add that a sum is within bounds; None is no bound."""
        columns = [column for column, weight in terms.items() if weight]
        self._highs.addRow(
            -self._infinity if low is None else float(low),
            self._infinity if high is None else float(high),
            len(columns),
            columns,
            [float(terms[column]) for column in columns],
        )

    def cut(self, columns: int, rows: int) -> None:
        """Keep so many columns and rows, the oldest."""
        known_columns, known_rows = self.size
        if rows < known_rows:
            self._highs.deleteRows(known_rows - rows, list(range(rows, known_rows)))
        if columns < known_columns:
            self._highs.deleteCols(known_columns - columns, list(range(columns, known_columns)))
        self._fixed = {column: v for column, v in self._fixed.items() if column < columns}

    def fix(self, values: dict[int, int]) -> None:
        """Fix some variables, and no others."""
        for column in self._fixed.keys() - values.keys():
            self._highs.changeColBounds(column, 0.0, 1.0)
        for column, value in values.items():
            if self._fixed.get(column) != value:
                self._highs.changeColBounds(column, float(value), float(value))
        self._fixed = values

    def set_costs(self, costs: Mapping[int, int]) -> None:
        """Set what some variables cost where the least is asked for."""
        for column, cost in costs.items():
            self._highs.changeColCost(column, float(cost))

    def solve(self) -> Sequence[float] | None:
        """Return values of all variables that cost least, None if there are none.

        Raises KeyboardInterrupt if the player interrupts it, or SolverError.
        """
        from highspy import HighsModelStatus as Status

        self._run()
        status = self._highs.getModelStatus()
        if status == Status.kSolveError:
            # Now and then it fails from where it left off, or at so fine a tolerance.
            status = self._anew()
        if status in (Status.kInfeasible, Status.kUnboundedOrInfeasible):
            return None
        if status != Status.kOptimal:
            raise SolverError(f"HiGHS gave up: {self._highs.modelStatusToString(status)}")
        values: Sequence[float] = self._highs.getSolution().col_value
        return values

    def _anew(self) -> object:
        """Solve from nothing, at the usual tolerances, and return the status."""
        self._highs.clearSolver()
        self._highs.setOptionValue("presolve", "off")
        for option in _TOLERANCES:
            self._highs.setOptionValue(option, 1e-7)
        try:
            self._run()
        finally:
            for option, value in _TOLERANCES.items():
                self._highs.setOptionValue(option, value)
            self._highs.setOptionValue("presolve", "choose")
        return self._highs.getModelStatus()

    def _run(self) -> None:
        """Solve in another thread, since HiGHS would not notice an interrupt."""
        thread = self._highs.startSolve()
        try:
            while not self._highs.wait(_A_MOMENT)[0]:
                pass
        except BaseException:  # a player may interrupt
            self._highs.cancelSolve()
            thread.join()
            raise


_A_MOMENT = 0.1
"""So many seconds pass until an interrupt is noticed."""
_TOLERANCES = {"mip_feasibility_tolerance": 1e-9, "primal_feasibility_tolerance": 1e-9}
_OPTIONS = {
    "output_flag": False,
    "threads": 1,
    "random_seed": 0,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.0,
    **_TOLERANCES,
}
