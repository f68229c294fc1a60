"""Whole games: the fewest guesses of a game, proved or within a budget, and decision trees.

- `optimal`, `branch_and_bound`, `proof`: the fewest guesses in all, and proofs by bounds.
  `certificate`: a proof as a file
- `deep`: two guesses ahead
- `grow`, `tree_file`: growing a tree from a strategy, its value, files of trees, and playing one
"""
