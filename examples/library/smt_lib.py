"""Constraints of one's own beside the rows of a game: in pySMT, and in z3's own API by SMT-LIB."""

import z3

import puzzlehunt
from puzzlehunt import smtlib

ROWS = ["ABCDEF 2b 2w", "BACDFG 1b 3w", "GFEDCB 2b 1w"]


def in_pysmt(game: puzzlehunt.Game) -> str | None:
    """Return a candidate that begins and ends with the same symbol, None if there is none."""
    model = smtlib.model(game, ROWS)
    manager, (first, *_, last) = model.environment.formula_manager, model.variables
    same = manager.Or([manager.And(first[symbol], last[symbol]) for symbol in first])
    found = model.environment.factory.get_model(manager.And(model.formula, same))
    return None if found is None else smtlib.read_model(game, found)


def in_z3(game: puzzlehunt.Game) -> str | None:
    """Return a candidate with an H and no A at the first position, None if there is none."""
    solver = z3.Solver()
    solver.from_string(smtlib.script(game, ROWS))
    solver.add(z3.Or([z3.Bool(f"p{position}_H") for position in range(1, 7)]))
    solver.add(z3.Not(z3.Bool("p1_A")))
    if solver.check() != z3.sat:
        return None
    found = solver.model()
    return smtlib.read_model(game, {name: found[name] for name in found})


def main() -> None:
    """Print whether what both find is a candidate."""
    game = puzzlehunt.load("6x8")
    left = puzzlehunt.candidates(game, ROWS)
    for name, code in {"pySMT": in_pysmt(game), "z3": in_z3(game)}.items():
        print(f"{name}: its code is one of {len(left)} candidates: {code in left}")


if __name__ == "__main__":
    main()
