"""What to guess next.

- `adviser`: the advice that a strategy gives in a game
- `base`, `registry`: what a strategy is, and the strategies by name
- `basis`: what was evaluated, where that was not every guess and every candidate
- `position`, `pool`, `symmetry`: the candidates, the guesses to choose from, and which guesses
  are alike
- `measures`, `observation`: what a guess is worth, and what will be seen of its answer
- `oneply`: entropy, minimax and other measures of a guess, one guess ahead
- `prior_weighted`: the same where some candidates are likelier, as the words of Wordle are
- `consistent`: any candidate, or the first
- `joint`: several boards, or several secrets, at once
- `search/`: whole games, and decision trees
- `probes/`: the longest codes, such as 100 positions of 20 colours
"""
