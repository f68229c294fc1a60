"""Candidates of huge spaces without a solver: samples, counts, and all of them once they are few.

- `sampler`: chooses one of these methods; what the symbolic engine asks
- `symbol_counts`: how often each symbol may occur, by turns and facts
- `turn_arrays`: turns as arrays, for compiled kernels
- `rejection`: codes at random, kept where they fit; exactly uniform, while candidates are many
- `meet_in_the_middle`: all candidates, joined from halves of codes, once they are few
- `tempering_chains`: compiled chains at several temperatures, for what lies between
- `placements`: compiled chains for where some symbols stand, in the longest codes
- `block_orders`: the order of the symbols in a few blocks of these, by joining two halves
- `tempering`: what both of these share
- `annealing`: chains in plain arrays, for rules that compiled chains do not serve
"""
