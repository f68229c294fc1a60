"""What to guess next.

- `adviser`: the advice that a strategy gives in a game
- `base`, `registry`: what a strategy is, and the strategies by name
- `basis`: what was evaluated, where that was not every guess and every candidate
- `position`, `pool`, `symmetry`: the candidates, the guesses to choose from, and which guesses
  are alike
- `measures`, `observation`: what a guess is worth, and what will be seen of its answer
- `consistent`, `evenness`, `oneply`, `deep`, `optimal`, `structured`, `joint`: one file a family
- `placing`: for `structured`, where a few symbols stand
- `weighed`: for `deep`, where some candidates are likelier than others
- `hard`: for `deep`, in hard mode
- `search`, `selection`, `proof`: branch and bound, for `optimal`, which guesses it looks into where
  they are too many, and the bounds of a whole game as they meet
- `tree`, `growing`, `replay`, `book`: decision trees: their files, how a strategy grows one, how
  one is played, and those that come with the package
"""
