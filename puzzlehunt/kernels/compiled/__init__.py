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
- `branch_and_bound`: how many guesses whole positions take under the best play
- `search_arrays`: the arrays that it works in
- `hard_mode`: the same where each guess decides which are allowed later
- `floors`, `look`: how many they take at least, without a search; all second guesses in all parts
- `memory`: what a search has found
- `tree_walk`: the best one-ply guess of many positions of a decision tree at once
- `splitmix64`: random numbers of 64 bits
"""
