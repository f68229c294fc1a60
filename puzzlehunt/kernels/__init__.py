"""Fast arithmetic: arrays of codes, feedback matrices, partitions, compiled loops; no games.

- `packed_codes`: arrays of codes, their bit-rows, and which of them satisfy a constraint
- `feedback_matrix`: the feedback of every secret to every guess
- `partitions`: how many secrets, or how much weight, give each feedback
- `problem`: the input of searches: the problem, its limits, and costs
- `reference_search`: the search of whole games in hard mode by numpy, the specification
- `reference_lookahead`: depth-limited search by numpy, the specification of the compiled one
- `compiled/`: loops compiled by numba; `fast`: whether it is installed, with the extra `fast`
"""
