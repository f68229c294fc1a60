"""Candidates of huge spaces without a solver: samples, counts, and all of them once they are few.

- `sampler`: chooses a method for the symbolic engine; chains in plain arrays for any rule
- `symbol_counts`: how often each symbol may occur, given turns and facts, and codes drawn of these
- `turn_arrays`: turns as arrays; all candidates, joined from halves of codes, once they are few
- `tempering_chains`: compiled chains at several temperatures, for the cases in between
"""
