"""Whole games: the fewest guesses of a game, proved or within a budget, and decision trees.

- `optimal`, `branch_and_bound`, `proof`, `selection`: the fewest guesses that all candidates take
  together; the bounds that prove them; the guesses that are searched where they are too many
- `hard`, `hard_search`, `hard_proof`: the same in hard mode; `whole_games`: what both searches
  share
- `deep`: two guesses ahead
- `decision_tree`, `grow`, `tree_file`, `book`: decision trees: the value, how a strategy grows one,
  files, and how one is played, those that come with the package too
"""
