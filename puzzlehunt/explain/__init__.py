"""Explanations: tools over the engine's interface, so that any engine serves.

- `why`: what rules a code out, and an explanation of it all
- `conflict`: smallest sets of rows that cannot all be right
- `arithmetic`: why not, as a sum
- `repair`: the likeliest mistakes, and what would be left without each
- `suspicion`: rows that may be misread although nothing contradicts them
- `certainty`: what all candidates have in common, and which rows prove it
- `rows`: what rows and facts are called
"""
