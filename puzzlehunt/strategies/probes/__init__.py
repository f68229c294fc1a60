"""Probes: guesses made from the turns alone, for codes too long to sample.

- `settling`: how often each symbol occurs
- `placing`: where a few symbols stand
"""
