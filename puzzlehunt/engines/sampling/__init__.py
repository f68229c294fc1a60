"""Candidates of huge spaces without a solver: samples, counts, and all of them once they are few.

- `sampler`: which method serves, and the limits that decide it; what the symbolic engine asks
- `symbol_counts`: how often each symbol may occur, by what turns and facts say
- `turn_arrays`: what turns say of a code, in arrays
- `draws`: codes at random, kept where they fit; exactly uniform, while candidates are many
- `halves`: all candidates, joined from halves of codes, once they are few
- `chains`: compiled chains at several temperatures, for what lies between
- `search`: chains in plain arrays, for rules that compiled ones do not serve
"""
