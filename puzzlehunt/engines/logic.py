"""The logic engine: an answer-set program of a game and its history, solved by clingo.

The atom `holds(0,3)` means that position 0 of the secret holds symbol 3; `fits(N)` that a part of a
constraint holds. Each constraint is a few sums of such atoms. All atoms follow from the symbols at
the positions, so each code has exactly one model.
"""

from collections.abc import Generator, Sequence

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, AnyOf, At, Bound, Constraint, Literal
from puzzlehunt.engines.solver_engine import SolverEngine
from puzzlehunt.game.game import Game


class LogicModel:
    """The answer-set program that clingo holds; an atom is defined where it is first used."""

    def __init__(
        self, game: Game, certain: Sequence[Constraint], forgivable: Sequence[Constraint]
    ) -> None:
        import clingo

        self._clingo, space = clingo, game.secrets
        self._rules = [f"position(0..{game.length - 1}).", f"symbol(0..{len(space.alphabet) - 1})."]
        self._atoms: dict[Literal, str] = {}
        self._fits = 0
        """Number of atoms `fits(N)` so far."""
        if not space.listed:
            self._rules.append("1 { holds(P,S) : symbol(S) } 1 :- position(P).")
        else:
            self._rules.append(f"1 {{ word(1..{space.size}) }} 1.")
            for number, word in enumerate(space, start=1):
                held = (f"holds({place},{symbol})" for place, symbol in enumerate(word))
                self._rules += [f"{atom} :- word({number})." for atom in held]
        for constraint in certain:
            self._rules += [f":- not {condition}." for condition in self._conditions(constraint)]
        lies = [f"{n} : not {self._define(each)}" for n, each in enumerate(forgivable)]
        if lies:
            self._rules.append(f":- {game.channel.lies.at_most} < #count {{ {'; '.join(lies)} }}.")
        self._control = clingo.Control(["--seed=0", "0"], logger=lambda code, message: None)
        self._control.add("base", [], "\n".join([*self._rules, "#show holds/2."]))
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

    def _define(self, *choices: Constraint) -> str:
        self._fits += 1
        atom = f"fits({self._fits})"
        for choice in choices:
            self._rules.append(f"{atom} :- {', '.join(self._conditions(choice)) or '#true'}.")
        return atom

    def _conditions(self, constraint: Constraint) -> list[str]:
        match constraint:
            case AllOf(parts):
                return [condition for part in parts for condition in self._conditions(part)]
            case AnyOf(parts):
                return [self._define(*parts)]
            case Bound(low, terms, high):
                elements = [
                    f"{weight},{number} : {atom}"
                    for number, (weight, literal) in enumerate(terms)
                    for atom in self._literal(literal)
                ]
                least = "" if low is None else f"{low} <= "
                most = "" if high is None else f" <= {high}"
                return [f"{least}#sum {{ {'; '.join(elements)} }}{most}"] if least or most else []

    def _literal(self, literal: Literal) -> list[str]:
        """Return atoms; one of them is true if and only if a literal is."""
        if isinstance(literal, At):
            return [f"holds({literal.position},{symbol})" for symbol in literal.symbols]
        if literal not in self._atoms:
            held = "; ".join(f"P,{symbol} : holds(P,{symbol})" for symbol in literal.symbols)
            self._atoms[literal] = atom = f"atleast({len(self._atoms)})"
            self._rules.append(f"{atom} :- {literal.times} <= #count {{ {held} }}.")
        return [self._atoms[literal]]


class LogicEngine(SolverEngine):
    """An engine that uses the solver clingo. Raises PuzzlehuntError without clingo."""

    name = "logic"
    solver = "clingo"
    package = "clingo"
    model = LogicModel
    largest_sample = 1000
