"""How a true feedback becomes a clue: unread marks, lies and misreadings, with probabilities.

- `model`: `Channel`: read rates, lies, and the rate of misread turns.
- `support`: `Support`: the feedbacks that may be the truth behind a clue.
- `likelihood`: `Likelihood`: how likely a clue is, given each true feedback.
"""
