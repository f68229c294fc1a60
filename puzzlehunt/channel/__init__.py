"""From the true feedback to the clue: unread marks, lies, misreadings, and their chances.

- `model`: `Channel`: how often each kind of mark is read, how a codemaker lies, how often a turn is
  misread.
- `support`: `Support`: which feedbacks may be the truth behind a clue, and what a codemaker shows.
- `likelihood`: `Likelihood`: how likely a clue is, given each of some true feedbacks.
"""
