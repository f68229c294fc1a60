"""cvc5 as a program; it can be told not to know some commands, and to end where it meets one."""

import sys

import cvc5

ends, *unknown = sys.argv[1:]
solver = cvc5.Solver(cvc5.TermManager())
parser = cvc5.InputParser(solver)
solver.setOption("incremental", "true")
for line in sys.stdin:
    if any(word in line for word in unknown):
        if ends == "ends":
            sys.exit(1)
        print('(error "no such command")', flush=True)
        continue
    if ends == "chatty":
        print("no news " * 10_000, file=sys.stderr, flush=True)
        print("; no news" * 10_000, flush=True)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, line, "stdin")
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, parser.getSymbolManager()), end="", flush=True)
