"""cvc5 as a program.

With `denies N` every Nth question is answered `unsat`, whatever is right; with `denies rows` all
questions about rows are.
"""

import sys

import cvc5

kind, *denied = sys.argv[1:]
asked, about_rows = 0, [False]
solver = cvc5.Solver(cvc5.TermManager())
parser = cvc5.InputParser(solver)
solver.setOption("incremental", "true")
for line in sys.stdin:
    if denied:
        asked += line.startswith("(check-sat")
        about_rows += [False] * line.startswith("(push")
        del about_rows[len(about_rows) - line.startswith("(pop") :]
        about_rows[-1] |= line.startswith("(assert item_")
        denies = any(about_rows) if denied == ["rows"] else asked % int(denied[0]) == 0
        if denies and line.startswith("(check-sat"):
            print("unsat", flush=True)
            continue
    if kind == "chatty":
        print("no news " * 10_000, file=sys.stderr, flush=True)
        print("; no news" * 10_000, flush=True)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, line, "stdin")
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, parser.getSymbolManager()), end="", flush=True)
