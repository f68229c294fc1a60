"""Whole games: the fewest guesses of a game, proved or within a budget, and decision trees.

- `optimal`, `branch_and_bound`, `proof`: the fewest guesses in all, and proofs by bounds.
  `certificate`: a proof as a file
- `deep`: two guesses ahead
- `decision_tree`, `grow`, `tree_file`, `book`: decision trees: the value, growing one from a
  strategy, files, and playing one, such as an opening book
"""
