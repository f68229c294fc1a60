"""Numbers, fast: arrays of codes, feedback matrices, partitions, compiled loops. It knows no game.

- `packed_codes`: arrays of codes, their bit-rows, and which of them satisfy a constraint
- `feedback_matrix`: what every secret answers to every guess
- `partitions`: how many secrets, or how much weight, give each feedback
- `hard_mode`: the search of hard mode for a few candidates
- `compiled/`: loops compiled by numba; `fast`: whether it is installed, with the extra `fast`
"""
