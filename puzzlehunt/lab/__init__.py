"""Whole tournaments, which count guesses until played and until known.

- `tournament`: a strategy against all secrets or some, and how many guesses it took
- `batches`: groups of games, and the player of a game
- `execution`: processes and clusters that play batches, and files from which runs continue
- `trees`: decision trees as files, and how many candidates each guess leaves
- `comparison`, `statistics`: several strategies, their differences, others' figures
"""
