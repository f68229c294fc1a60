"""The SMT solvers of the symbolic engine: one file per solver.

- `base`: the interface of solvers
- `solver_registry`: the solvers by name
- `z3`, `cvc5`: the two solvers that are libraries
- `process`: any program that reads SMT-LIB 2
"""
