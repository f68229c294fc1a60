"""What solvers answer to exported scripts and programs."""

import clingo
import cvc5
import z3


def answer_of_z3(text: str) -> str:
    """What z3 prints when it runs a script, the error of get-model after unsat included."""
    context = z3.Context()
    try:
        return z3.Z3_eval_smtlib2_string(context.ref(), text)
    except z3.Z3Exception as error:
        return error.value.decode()


def answer_of_cvc5(text: str) -> str:
    """What cvc5 prints when it runs a script, read by its own parser."""
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "game.smt2")
    printed = []
    while not (command := parser.nextCommand()).isNull():
        printed.append(command.invoke(solver, parser.getSymbolManager()))
    return "".join(printed)


def models_of_clingo(text: str, most: int = 0) -> list[tuple[str, int]]:
    """The models of a program, each with what it pays; the best come last. 0 asks for all."""
    control = clingo.Control([str(most)], logger=lambda code, message: None)
    control.add("base", [], text)
    control.ground([("base", [])])
    found: list[tuple[str, int]] = []
    control.solve(on_model=lambda model: found.append((str(model), sum(model.cost))))
    return found
