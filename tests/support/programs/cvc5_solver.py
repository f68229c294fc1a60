"""cvc5 as a program; it can be told not to know some commands, and to end where it meets one.

With `denies N` every Nth question is answered `unsat`, whatever is right; with `denies rows` all
questions about rows are.
"""

import sys

import cvc5

ends, *unknown = sys.argv[1:]
denied = unknown.pop() if ends == "denies" else ""
asked, about_rows = 0, [False]
solver = cvc5.Solver(cvc5.TermManager())
parser = cvc5.InputParser(solver)
solver.setOption("incremental", "true")
for line in sys.stdin:
    if any(word in line for word in unknown):
        if ends == "ends":
            sys.exit(1)
        print('(error "no such command")', flush=True)
        continue
    if denied and "probe" not in line:
        asked += line.startswith("(check-sat")
        about_rows += [False] * line.startswith("(push")
        del about_rows[len(about_rows) - line.startswith("(pop") :]
        about_rows[-1] |= line.startswith("(assert item_")
        rows = any(about_rows) or ("item_" in line and line.startswith("(check-sat"))
        if asked and (rows if denied == "rows" else asked % int(denied) == 0):
            if line.startswith("(check-sat"):
                print("unsat", flush=True)
                continue
            if line.startswith("(get-unsat"):
                print("()", flush=True)
                continue
    if ends == "chatty":
        print("no news " * 10_000, file=sys.stderr, flush=True)
        print("; no news" * 10_000, flush=True)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, line, "stdin")
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, parser.getSymbolManager()), end="", flush=True)
