"""Which secrets are still candidates: one file an engine, all with the methods of `base.Engine`.

- `base`: the methods of every engine, the boards and samples that they return; `count`: counts
- `choice`: the engines by name, and which one `auto` takes
- `explicit`: all secrets in arrays, filtered turn by turn; the only engine that weighs them
- `symbolic`: formulas for an SMT solver, with samples from `sampling/`; spaces of any size
- `refutations`: a solver's `unsat` held against codes
- `prefixes`: with any solver, a walk in code order, a random branch, a search by least cost
- `solver_engine`: what engines that ask a solver for one code after another share
- `linear`, `logic`: two such engines, by a 0/1 linear program and by an answer-set program
- `product`: an engine for each of several boards
- `posterior`: how likely each secret is, by how likely the channel makes the clue of every turn
- `smtlib`, `asp`: a game and its turns as a script for other programs, and their answers read back
- `sampling/`: candidates of huge spaces without a solver; `solvers/`: the SMT solvers
"""
