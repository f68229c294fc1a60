"""Numbers, fast: arrays of codes, feedback tables, partitions, compiled loops. It knows no game.

- `codes`: arrays of codes, their bit-rows, and which of them satisfy a constraint
- `tables`: what every secret answers to every guess
- `partitions`: how many secrets, or how much weight, give each feedback
- `hard_mode`: the search of hard mode for a few candidates
- `compiled/`: loops compiled by numba
"""
