"""Which secrets are still candidates: one file an engine, all with the answers of `base.Engine`.

- `base`: what every engine answers; its counts, boards and samples
- `choice`: the engines by name, and which one `auto` takes
- `explicit`: all secrets in arrays, filtered turn by turn; the only one that weighs them
- `symbolic`: formulas for an SMT solver, with samples from `sampling/`; spaces of any size
- `prefixes`: one walk in code order, one random branch, one search by least cost, for all solvers
- `searching`: what engines share that ask a solver for one code after another
- `linear`, `logic`: such engines, a 0/1 linear program and an answer-set program
- `boards`: an engine for each of several boards
- `posterior`: how likely each secret is, by what the channel says of every turn
- `smtlib`, `asp`: a game and its turns as a script for other programs, and their answers read back
- `sampling/`: candidates of huge spaces without a solver; `solvers/`: the SMT solvers
"""
