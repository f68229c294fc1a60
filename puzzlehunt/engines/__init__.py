"""Which secrets are still candidates: one file per engine, with the interface `base.Engine`.

- `base`: the interface of engines, their boards and samples, and counts of candidates
- `choice`: the engines by name, and which one `auto` is
- `explicit`: all secrets in arrays, filtered turn by turn; the only engine with probabilities
- `symbolic`: formulas for an SMT solver, with samples from `sampling/`; spaces of any size
- `solver_engine`: the base of engines that get one code after another from a solver, and searches
  with any solver: all codes in order, or a random code
- `linear`, `logic`: two such engines, by a 0/1 linear program and by an answer-set program
- `product`: an engine for each of several boards
- `posterior`: how likely each secret is, given the likelihoods of all clues
- `legends`: how likely each secret is, and each meaning of marks that nobody explained;
  `scorings`: the ways to answer among which that is found
- `smtlib`: a game and its turns as a script for solvers, and their answers parsed
- `sampling/`: candidates of huge spaces without a solver; `solvers/`: the SMT solvers
"""
