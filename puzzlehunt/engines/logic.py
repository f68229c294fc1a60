"""The logic engine: an answer-set program of a game and its history, solved by clingo.

The program is the one that `export --format lp` prints. All atoms follow from the symbols at the
positions, so each code has exactly one model.
"""

from collections.abc import Generator

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import Constraint
from puzzlehunt.engines.asp import script
from puzzlehunt.engines.solver_engine import SolverEngine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History


class LogicModel:
    """The answer-set program that clingo holds."""

    def __init__(self, game: Game, history: History, also: Constraint) -> None:
        import clingo

        self._clingo = clingo
        self._names = game.secrets.alphabet.symbols
        self._symbols = {name: symbol for symbol, name in enumerate(self._names)}
        self._control = clingo.Control(["--seed=0", "0"], logger=lambda code, message: None)
        self._control.add("base", [], script(game, history, also))
        self._control.ground([("base", [])])

    def codes(self, prefix: Code) -> Generator[Code]:
        assumed = []
        for place, symbol in enumerate(prefix, start=1):
            held = [self._clingo.Number(place), self._clingo.String(self._names[symbol])]
            assumed.append((self._clingo.Function("holds", held), True))
        # In another thread, since clingo would not notice an interrupt.
        with self._control.solve(assumptions=assumed, yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                while not handle.wait(0.1):
                    pass
                model = handle.model()
                if model is None:
                    return
                held_at = dict(atom.arguments for atom in model.symbols(shown=True))
                places = sorted(held_at, key=lambda place: place.number)
                yield tuple(self._symbols[held_at[place].string] for place in places)


class LogicEngine(SolverEngine):
    """An engine that uses the solver clingo. Raises PuzzlehuntError without clingo."""

    name = "logic"
    solver = "clingo"
    package = "clingo"
    model = LogicModel
    batch_size = 64
    largest_sample = 1000
