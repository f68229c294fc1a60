"""The linear engine: one 0/1 linear program for the whole game, solved by HiGHS.

There is a variable for each position and symbol, and one for each symbol and number n: it is 1 if
the symbol occurs n times or more. Each bound of a clue is a row of the program. If the condition
of a conditional row fails, the row is relaxed by the most that any code can miss the bound (big-M).
"""

from collections.abc import Generator, Iterable, Sequence
from itertools import pairwise
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Bound, Constraint, Literal
from puzzlehunt.engines.solver_engine import SolverEngine
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game

if TYPE_CHECKING:
    from highspy import Highs, highs_linear_expression, highs_var

_Sum: TypeAlias = "highs_var | highs_linear_expression | int"
"""A weighted sum of variables of highspy, or one of them, or a number."""


class LinearModel:
    """A 0/1 linear program, written with highspy's variables and sums."""

    def __init__(
        self, game: Game, certain: Sequence[Constraint], forgivable: Sequence[Constraint]
    ) -> None:
        import highspy

        self._highs: Highs = highspy.Highs()
        # HiGHS 1.15.1 simplifies some programs to others that have no solution.
        for option, value in (("output_flag", False), ("threads", 1), ("presolve", "off")):
            self._highs.setOptionValue(option, value)
        self._highs.HandleUserInterrupt = True
        symbols = range(len(game.secrets.alphabet))
        self._at = [[self._highs.addBinary() for _ in symbols] for _ in range(game.length)]
        self._literals: dict[Literal, _Sum] = {}
        """The variables of literals: 1 if the literal is true."""
        for row in self._at:
            self._highs.addConstr(self._highs.qsum(row) == 1)
        for symbol in symbols:
            times = [self._highs.addBinary() for _ in range(game.length)]
            for fewer, more in pairwise(times):
                self._highs.addConstr(fewer - more >= 0)
            places = self._highs.qsum([row[symbol] for row in self._at])
            self._highs.addConstr(places - self._highs.qsum(times) == 0)
            self._literals |= {AtLeast((symbol,), n): each for n, each in enumerate(times, start=1)}
        if game.secrets.listed:
            self._require_one_of(game.secrets)
        for constraint in certain:
            self._require(constraint, 0)
        lies = [self._highs.addBinary() for _ in forgivable]
        for lie, constraint in zip(lies, forgivable, strict=True):
            self._require(constraint, lie)
        self._bound(None, [(1, lie) for lie in lies], game.channel.lies.at_most, 0)

    def codes(self, prefix: Code) -> Generator[Code]:
        begun = [self._at[place][symbol].index for place, symbol in enumerate(prefix)]
        rows = self._highs.numConstrs
        try:
            for variable in begun:
                self._highs.changeColBounds(variable, 1.0, 1.0)
            while (values := self._solve()) is not None:
                code = tuple(
                    max(range(len(row)), key=lambda s: values[row[s].index]) for row in self._at
                )
                yield code
                # From now on some symbol has to differ from this code's.
                symbols = [self._at[place][symbol] for place, symbol in enumerate(code)]
                self._highs.addConstr(self._highs.qsum(symbols) <= len(code) - 1)
        finally:
            more = range(rows, self._highs.numConstrs)
            self._highs.deleteRows(len(more), list(more))
            for variable in begun:
                self._highs.changeColBounds(variable, 0.0, 1.0)

    def _require_one_of(self, codes: Iterable[Code]) -> None:
        """Require one of some codes: each has a variable, and one of these is 1.

        For each symbol and position, the variables of the codes with that symbol there add up to
        the variable of the symbol and position: rows that are fewer and tighter than one a code.
        """
        with_symbol: dict[tuple[int, int], list[_Sum]] = {}
        for code in codes:
            choice = self._highs.addVariable(0, 1)
            for at in enumerate(code):
                with_symbol.setdefault(at, []).append(choice)
        for position, row in enumerate(self._at):
            for symbol, variable in enumerate(row):
                some = self._highs.qsum(with_symbol.get((position, symbol), []))
                self._highs.addConstr(some - variable == 0)

    def _require(self, constraint: Constraint, off: _Sum) -> None:
        """Add rows that require a constraint if `off` is 0; else it is 1 or more, and they do not.

        Of several parts, one must hold: each has a variable, which is 1 only if it does.
        """
        match constraint:
            case AllOf(parts):
                for part in parts:
                    self._require(part, off)
            case AnyOf(parts):
                choices = [self._highs.addBinary() for _ in parts]
                for choice, part in zip(choices, parts, strict=True):
                    self._require(part, 1 - choice)
                self._bound(1, [(1, choice) for choice in choices], None, off)
            case Bound(low, terms, high):
                self._bound(low, [(n, self._literal(each)) for n, each in terms], high, off)

    def _literal(self, literal: Literal) -> _Sum:
        if isinstance(literal, At):
            return self._highs.qsum([self._at[literal.position][s] for s in {*literal.symbols}])
        if literal not in self._literals:
            terms = [(1, row[symbol]) for row in self._at for symbol in {*literal.symbols}]
            enough = self._literals[literal] = self._highs.addBinary()
            self._bound(literal.times, terms, None, 1 - enough)
            self._bound(None, terms, literal.times - 1, enough)
        return self._literals[literal]

    def _bound(
        self, low: int | None, terms: Sequence[tuple[int, _Sum]], high: int | None, off: _Sum
    ) -> None:
        """Add rows that keep a sum from `low` to `high`, unless `off` is 1 or more."""
        total = self._highs.qsum([weight * each for weight, each in terms])
        least = sum(min(weight, 0) for weight, _ in terms)
        most = sum(max(weight, 0) for weight, _ in terms)
        if low is not None and low > least:
            self._highs.addConstr(total + (low - least) * off >= low)
        if high is not None and high < most:
            self._highs.addConstr(total - (most - high) * off <= high)

    def _solve(self) -> Sequence[float] | None:
        from highspy import HighsModelStatus as Status

        # In another thread, since HiGHS would not notice an interrupt.
        solving = Thread(target=self._highs.run, daemon=True)
        solving.start()
        try:
            while solving.is_alive():
                solving.join(1)
        except BaseException:  # a player may interrupt
            self._highs.cancelSolve()
            solving.join()
            raise
        status = self._highs.getModelStatus()
        if status in (Status.kInfeasible, Status.kUnboundedOrInfeasible):
            return None
        if status != Status.kOptimal:
            raise PuzzlehuntError(f"HiGHS gave up: {self._highs.modelStatusToString(status)}")
        values: Sequence[float] = self._highs.getSolution().col_value
        return values


class LinearEngine(SolverEngine):
    """An engine that uses the solver HiGHS. Raises PuzzlehuntError without HiGHS."""

    name = "linear"
    solver = "HiGHS"
    package = "highspy"
    model = LinearModel
    largest_sample = 100
