"""From the true feedback to the clue: unread marks, lies, misreadings, and their chances.

- `model`: `Channel`: how often each kind of mark is read, how a codemaker lies, how often a turn is
  misread.
- `likelihood`: `Likelihood`: how likely a clue is, given the true feedback.
- `counts`, `tiles`: the likelihood for each of the two families of rules.
- `choice`: which of the two a rule has.
"""
