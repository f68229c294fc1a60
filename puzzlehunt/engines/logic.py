"""The logic engine: an answer-set program of a game and its history, solved by clingo.

All atoms of the program follow from the symbols at the positions, so each code has exactly one
model.
"""

from collections.abc import Generator

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import Constraint
from puzzlehunt.engines.asp import program
from puzzlehunt.engines.solver_engine import SolverEngine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History


class LogicModel:
    """The answer-set program that clingo holds."""

    def __init__(self, game: Game, history: History, also: Constraint) -> None:
        import clingo

        self._clingo = clingo
        self._control = clingo.Control(["--seed=0", "0"], logger=lambda code, message: None)
        self._control.add("base", [], program(game, history, also))
        self._control.ground([("base", [])])

    def codes(self, prefix: Code) -> Generator[Code]:
        number, atom = self._clingo.Number, self._clingo.Function
        assumed = [(atom("holds", [*map(number, held)]), True) for held in enumerate(prefix)]
        # In another thread, since clingo would not notice an interrupt.
        with self._control.solve(assumptions=assumed, yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                while not handle.wait(1):
                    pass
                model = handle.model()
                if model is None:
                    return
                held = sorted(held.arguments for held in model.symbols(shown=True))
                yield tuple(symbol.number for _, symbol in held)


class LogicEngine(SolverEngine):
    """An engine that uses the solver clingo. Raises PuzzlehuntError without clingo."""

    name = "logic"
    solver = "clingo"
    package = "clingo"
    model = LogicModel
    largest_sample = 1000
