"""The SMT solvers that the symbolic engine asks: one file a solver.

- `base`: the methods of every solver
- `choice`: the solvers by name
- `z3`, `cvc5`: the two solvers that are libraries
- `process`: any program that reads SMT-LIB 2
"""
