"""From the true feedback to what is read of it: unread marks, lies, misreadings, and how likely.

- `model`: `Channel`: how often each kind of mark is read, how a codemaker lies, misreading.
- `likelihood`: `Likelihood`: how likely a clue is, given the true feedback; `counts` and `tiles`
  for the two families of rules.
- `choice`: `likelihood_of` a rule and a channel.
"""
