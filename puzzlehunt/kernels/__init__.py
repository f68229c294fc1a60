"""Numbers, fast: arrays of codes, feedback matrices, partitions, compiled loops. It knows no game.

- `packed_codes`: arrays of codes, their bit-rows, and which of them satisfy a constraint
- `feedback_matrix`: what every secret answers to every guess
- `partitions`: how many secrets, or how much weight, give each feedback
- `problem`: what is searched, within which limits, and what a guess costs
- `reference_search`: the search of whole games in hard mode by numpy, the specification
- `lookahead`: depth-limited search by numpy, the specification of the compiled one
- `compiled/`: loops compiled by numba; `fast`: whether it is installed, with the extra `fast`
"""
