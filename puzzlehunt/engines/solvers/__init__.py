"""The SMT solvers that the symbolic engine asks: one file a solver.

- `base`: what a solver answers
- `choice`: the solvers by name
- `z3`, `cvc5`: as libraries
- `process`: any program that reads SMT-LIB 2
"""
