"""What solvers answer to exported scripts."""

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
