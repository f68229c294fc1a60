"""Loops compiled by numba; importing any file of this folder loads numba, a third of a second.

The machine code is kept in numba's cache, so that only the first use on a machine waits for the
compiler.

- `jit`: how functions are compiled
- `threads`: on how many cores the functions run
- `partitions`: secrets grouped by their answers, counted, and summed over the parts
- `one_ply`: the best one-ply guess of many states of a decision tree at once
- `lookahead`: what guesses cost, by looking two guesses ahead
- `branch_and_bound`: the fewest guesses that all candidates of a state take together
- `search_arrays`: the arrays that `branch_and_bound` works in
- `hard_mode`: the same search in hard mode, where a guess decides which are allowed later
- `bounds`: lower bounds that need no search
- `transposition_table`: what a search has found
- `heap`: the least of many numbers, sorted
- `splitmix64`: random numbers of 64 bits
"""
