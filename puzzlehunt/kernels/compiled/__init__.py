"""Loops compiled by numba; importing any file of this folder loads numba, a third of a second.

The machine code is kept in numba's cache, so that only the first use on a machine waits for the
compiler.

- `decorators`: how functions are compiled
- `threads`: on how many cores the functions run
- `grouping`: sums over the parts of a partition, and secrets put in order of their feedback
- `popcounts`: partitions by feedbacks that follow from two popcounts
- `lookahead`: what guesses cost, by looking two guesses ahead
- `weighed`: what guesses cost where candidates are weighed
- `heap`: the least of many numbers, sorted
- `branch_and_bound`: the fewest guesses that all candidates of a position take together
- `search_arrays`: the arrays that `branch_and_bound` works in
- `hard_mode`: the same search in hard mode, where a guess decides which are allowed later
- `floors`: lower bounds of that number, by counting answers
- `look`: the lower bound of a guess, by the best second guess in each of its parts
- `memory`: what a search has found
- `tree_walk`: the best one-ply guess of many positions of a decision tree at once
- `splitmix64`: random numbers of 64 bits
"""
