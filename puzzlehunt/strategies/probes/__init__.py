"""Probes: guesses made from the turns alone, for codes too long to sample.

- `symbol_count_probe`: how often each symbol occurs
"""
