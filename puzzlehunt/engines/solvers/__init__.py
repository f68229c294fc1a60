"""The SMT solvers of the symbolic engine: one file per solver.

- `base`: the interface of solvers
- `solver_registry`: the solvers by name
- `library`: z3's library, which is always installed
- `process`: any program that reads SMT-LIB 2
"""
