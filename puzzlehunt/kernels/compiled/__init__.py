"""Loops compiled by numba.

Importing any of these files except `threads` loads numba, which takes a third of a second. Machine
code is stored in numba's cache, so that only the first use on a machine waits for the compiler.

- `jit`: how functions are compiled
- `threads`: the number of cores, and how work is divided among them
- `grouping`: groups secrets by their answers, counts the groups, and adds up a value of each
- `one_ply`: the best one-ply guesses for many states of a decision tree at once
- `search`: the fewest guesses that all candidates of a state take together
- `ranking`: sorts the guesses of a state
- `bounds`: lower bounds that need no search
- `workspace`: the work arrays of a search
- `transposition_table`: stores the results of a search by state
"""
