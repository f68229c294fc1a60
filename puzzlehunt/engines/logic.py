"""The logic engine: one answer-set program for the whole game, solved incrementally by clingo.

The rules of the game are those that `export --format lp` prints. Those of a question require an
atom that is true until the next question. All other atoms follow from the symbols at the positions,
so each code has exactly one model.
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.asp import SHOW_RULE, RuleWriter
from puzzlehunt.engines.solver_engine import Question, SolverEngine, SolverModel
from puzzlehunt.errors import missing_package
from puzzlehunt.game.game import Game

if TYPE_CHECKING:
    import clingo


class LogicEngine(SolverEngine):
    """An engine that uses the solver clingo. Raises PuzzlehuntError without clingo."""

    name = "logic"
    batch_size = 64
    largest_sample = 1000

    def __init__(self, game: Game) -> None:
        try:
            import clingo  # noqa: F401
        except ImportError:
            raise missing_package("engine logic needs clingo", "logic") from None
        super().__init__(game)

    def new_model(self) -> "LogicModel":
        return LogicModel(self.game)


class LogicModel(SolverModel):
    """The answer-set program that clingo holds: the rules of a game, and those of questions."""

    def __init__(self, game: Game) -> None:
        import clingo

        self._clingo = clingo
        self._writer = RuleWriter(game)
        self._length = game.length
        self._names = game.secrets.alphabet.symbols
        self._symbols = {name: symbol for symbol, name in enumerate(self._names)}
        self._question_count = 0
        """Number of the newest question (from 1), an argument of its atoms."""
        self._control = clingo.Control(["--seed=0"], logger=lambda code, message: None)
        writer = self._writer
        self._ground(
            [*writer.position_rules(), *writer.occurrence_rules(), *writer.space_rules(), SHOW_RULE]
        )

    def _ground(self, rules: Sequence[str]) -> None:
        name = f"part_{self._question_count}"
        self._control.add(name, [], "\n".join(rules))
        self._control.ground([(name, [])])

    def ask(self, question: Question) -> None:
        if self._question_count:
            self._control.release_external(self._selector)
        self._question_count += 1
        number, selector = self._question_count, f"on({self._question_count})"
        rules = [f"#external {selector}."]
        for constraint in question.constraints:
            rules += self._writer.rules_asserting(constraint, selector)
        lies = [f"lies({number},{place})" for place in range(len(question.clues))]
        for lie, clue in zip(lies, question.clues, strict=True):
            rules += self._writer.rules_defining(f"told_{lie}", clue)
            rules.append(f"{lie} :- not told_{lie}.")
        rules.append(f":- {selector}, {question.lies + 1} {{ {'; '.join(lies)} }}.")
        self._ground(rules)
        self._control.assign_external(self._selector, True)

    @property
    def _selector(self) -> "clingo.Symbol":
        return self._clingo.Function("on", [self._clingo.Number(self._question_count)])

    def find(self, prefix: Code, most: int, end: float | None) -> list[Code]:
        cast("clingo.Configuration", self._control.configuration.solve).models = most
        assumed = []
        for place, symbol in enumerate(prefix, start=1):
            held = [self._clingo.Number(place), self._clingo.String(self._names[symbol])]
            assumed.append((self._clingo.Function("holds", held), True))
        codes: list[Code] = []
        # In another thread, since clingo would not notice an interrupt.
        with self._control.solve(
            assumptions=assumed, on_model=lambda model: codes.append(self._code(model)), async_=True
        ) as handle:
            while not handle.wait(_INTERRUPT_SECONDS):
                if end is not None and time.monotonic() >= end:
                    handle.cancel()
            handle.get()
        return codes

    def _code(self, model: "clingo.Model") -> Code:
        code = [0] * self._length
        for atom in model.symbols(shown=True):
            place, name = atom.arguments
            code[place.number - 1] = self._symbols[name.string]
        return tuple(code)


_INTERRUPT_SECONDS = 0.1
"""Longest time until an interrupt is noticed (seconds)."""
