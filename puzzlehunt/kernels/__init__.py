"""Numbers, fast: arrays of codes, feedback tables, partitions, compiled loops. It knows no game."""
