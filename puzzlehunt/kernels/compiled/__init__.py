"""Loops compiled by numba; importing any file of this folder loads numba, a third of a second.

The machine code is kept in numba's cache, so that only the first use on a machine waits for the
compiler.

- `jit`: how functions are compiled
- `threads`: the number of cores, and sharing work among them
- `grouping`: secrets grouped by their answers, counted, and summed over the parts
- `one_ply`: the best one-ply guess of many states of a decision tree at once
- `lookahead`: depth-limited search: what guesses cost, by looking two guesses ahead
- `search`: the fewest guesses that all candidates of a state take together, in hard mode too
- `ranking`: the guesses of a state in order, in both modes
- `bounds`: lower bounds that need no search
- `workspace`: the work arrays of a search
- `transposition_table`: the results of a search by state
- `splitmix64`: random numbers of 64 bits
"""
