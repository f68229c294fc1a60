"""What to guess next.

- `adviser`: the advice that a strategy gives in a game
- `base`, `registry`: the interface of strategies, and the strategies by name
- `player`: which strategy plays instead of which
- `position`, `symmetry`: the candidates, the possible guesses, and equivalent guesses
- `measures`, `observation`: the value of a guess, and what will be seen of its answer
- `oneply`: entropy, minimax and other measures of a guess, one guess ahead
- `prior_weighted`: the same for weighted candidates, such as the words of Wordle
- `consistent`: any candidate, or the first
- `joint`: several boards at once
- `unexplained`: the guess that tells most about marks that nobody explained, and about the secret
- `search/`: whole games, and decision trees
- `probes`: the longest codes, such as 32 positions of 10 colours
"""

BUILT_IN = {
    "book": "player:book",
    "deep": "player:deep",
    "optimal": "player:optimal",
    "entropy": "measures:ENTROPY",
    "minimax": "measures:MINIMAX",
    "expected-size": "measures:EXPECTED_SIZE",
    "parts": "measures:PARTS",
    "consistent": "consistent:Consistent",
    "first": "consistent:First",
}
"""The built-in strategies by name: where the class, the maker or the measure of each is."""
