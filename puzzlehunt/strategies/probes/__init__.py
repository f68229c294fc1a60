"""Probes: guesses made from the turns alone, for codes too long to sample.

- `symbol_counts`: how often each symbol occurs
- `placements`: where a few symbols stand
"""
