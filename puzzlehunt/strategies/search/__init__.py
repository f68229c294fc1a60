"""Whole games: the fewest guesses of a game, proved or within a budget, and decision trees.

- `optimal`, `branch_and_bound`, `proof`, `selection`: the fewest guesses that all candidates take
  together, in hard mode too; the bounds that prove them; the guesses that are searched where they
  are too many
- `deep`: two guesses ahead
- `decision_tree`, `grow`, `tree_file`, `book`: decision trees: the value, how a strategy grows one,
  files, and how one is played, those that come with the package too
"""
