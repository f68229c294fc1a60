"""What to guess next.

- `adviser`: the advice that a strategy gives in a game
- `base`, `registry`: what a strategy is, and the strategies by name
- `basis`: what was evaluated, where that was not every guess and every candidate
- `position`, `pool`, `symmetry`: the candidates, the guesses to choose from, and which guesses
  are alike
- `measures`, `observation`: what a guess is worth, and what will be seen of its answer
- `oneply`: entropy, minimax and other measures of a guess, one guess ahead
- `deep`: two guesses ahead; `weighed`: one guess ahead where some candidates are likelier, as the
  words of Wordle are
- `optimal`, `search`, `proof`, `selection`: the fewest guesses of a whole game, with a proof or
  within a budget; which guesses are looked into where they are too many
- `hard`, `hard_search`, `hard_proof`: the same in hard mode; `whole_games`: what both searches
  share
- `settling`, `placing`, `structured`: the longest codes, such as 100 positions of 20 colours: how
  often symbols occur, where a few of them stand, and a strategy that begins so for any code
- `consistent`, `evenness`: any candidate, or the one whose symbols are spread most (un)evenly
- `joint`: several boards, or several secrets, at once
- `tree`, `growing`, `replay`, `book`: decision trees: their files, how a strategy grows one, how
  one is played, and those that come with the package
"""
