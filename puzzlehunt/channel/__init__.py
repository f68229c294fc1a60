"""How a true feedback becomes a clue: unread marks, lies and misreadings, with probabilities.

- `model`: `Channel`: read rates, lies, and the rate of misread turns.
- `likelihood`: `Likelihood`: what may be the truth behind a clue, and how likely the clue then is.
"""
