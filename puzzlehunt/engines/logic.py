"""The logic engine: one answer-set program for the whole game, solved incrementally by clingo.

The rules of the game are those that `export --format lp` prints. Each assertion has an atom as its
selector (Eén and Sörensson, 2003): the assertion is required only in a search that assumes this
atom. All other atoms follow from the symbols at the positions, so each code has exactly one model.
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.asp import SHOW_RULE, RuleWriter
from puzzlehunt.engines.solver_engine import (
    Assertion,
    AtMost,
    SoftConstraint,
    SolverEngine,
    SolverModel,
)
from puzzlehunt.errors import missing_package
from puzzlehunt.game.game import Game

if TYPE_CHECKING:
    import clingo


class LogicEngine(SolverEngine):
    """An engine that uses the solver clingo. Raises PuzzlehuntError without clingo."""

    name = "logic"
    batch_size = 64
    largest_sample = 1000
    largest_sum = 2**31 - 1

    def __init__(self, game: Game) -> None:
        try:
            import clingo  # noqa: F401
        except ImportError:
            raise missing_package("engine logic needs clingo", "logic") from None
        super().__init__(game)

    def new_model(self) -> "LogicModel":
        return LogicModel(self.game)

    def unsat_core(
        self, chosen: Sequence[int], *, also: Constraint = TRUE, quickly: bool = False
    ) -> list[int] | None:
        if self.satisfiable(chosen, also=also):
            return None
        model = self.model
        assert isinstance(model, LogicModel)
        return [n for n in chosen if not model.contradiction.isdisjoint(self.assertions_of(n))]


class LogicModel(SolverModel):
    """The answer-set program that clingo holds, with the assertions of an engine."""

    def __init__(self, game: Game) -> None:
        import clingo

        self._clingo = clingo
        self._writer = RuleWriter(game)
        self._length = game.length
        self._names = game.secrets.alphabet.symbols
        self._symbols = {name: symbol for symbol, name in enumerate(self._names)}
        self._assertion_parts: list[int] = []
        """The number of each assertion's part of the program, an argument of the part's atoms."""
        self._part_count = 0
        """How many parts the program has; none is ever removed."""
        self.contradiction: set[int] = set()
        """The places of assertions that contradict each other, if the last search found no code."""
        self._control = clingo.Control(["--seed=0"], logger=lambda code, message: None)
        writer = self._writer
        self._ground(
            [*writer.position_rules(), *writer.occurrence_rules(), *writer.space_rules(), SHOW_RULE]
        )

    def _ground(self, rules: Sequence[str]) -> None:
        name = f"part_{self._part_count}"
        self._part_count += 1
        self._control.add(name, [], "\n".join(rules))
        self._control.ground([(name, [])])

    def add(self, assertion: Assertion) -> None:
        number = self._part_count
        selector = f"on({number})"
        match assertion:
            case SoftConstraint(constraint):
                rules = self._writer.rules_defining(f"told({number})", constraint)
                rules.append(f"broken({number}) :- {selector}, not told({number}).")
            case AtMost(places, most):
                atoms = "; ".join(f"broken({self._assertion_parts[place]})" for place in places)
                rules = [f":- {selector}, {most + 1} {{ {atoms} }}."]
            case constraint:
                rules = self._writer.rules_asserting(constraint, selector)
        self._ground([f"#external {selector}.", *rules])
        # Free: neither true nor false until a search assumes it.
        self._control.assign_external(self._selector(number), None)
        self._assertion_parts.append(number)

    def _selector(self, number: int) -> "clingo.Symbol":
        return self._clingo.Function("on", [self._clingo.Number(number)])

    def remove(self) -> None:
        self._control.release_external(self._selector(self._assertion_parts.pop()))

    def search(
        self, asked: Sequence[int], prefix: Code, most: int, end: float | None
    ) -> list[Code]:
        cast("clingo.Configuration", self._control.configuration.solve).models = most
        assumed = [
            (self._selector(n), place in asked) for place, n in enumerate(self._assertion_parts)
        ]
        for place, symbol in enumerate(prefix, start=1):
            held = [self._clingo.Number(place), self._clingo.String(self._names[symbol])]
            assumed.append((self._clingo.Function("holds", held), True))
        codes: list[Code] = []
        self.contradiction = set()
        # In another thread, since clingo would not notice an interrupt.
        with self._control.solve(
            assumptions=assumed, on_model=lambda model: codes.append(self._code(model)), async_=True
        ) as handle:
            while not handle.wait(_INTERRUPT_SECONDS):
                if end is not None and time.monotonic() >= end:
                    handle.cancel()
            if handle.get().unsatisfiable:
                core, atoms = handle.core(), self._control.symbolic_atoms
                selectors = [atoms[self._selector(number)] for number in self._assertion_parts]
                self.contradiction = {
                    n for n, atom in enumerate(selectors) if atom and atom.literal in core
                }
        return codes

    def _code(self, model: "clingo.Model") -> Code:
        code = [0] * self._length
        for atom in model.symbols(shown=True):
            place, name = atom.arguments
            code[place.number - 1] = self._symbols[name.string]
        return tuple(code)


_INTERRUPT_SECONDS = 0.1
"""Longest time until an interrupt is noticed (seconds)."""
