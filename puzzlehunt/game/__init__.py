"""A game, its history, and the lines that people write about it.

- `game`: `Game`: secrets, guesses, rule, channel and their notation; a hash of what its best play
  depends on.
- `meaning`: what turns and facts say about the secret.
- `play`: the settings under `play:` of a game file (attempts, strategy, engine, seed, ...).
- `history`: turns and facts in order; the base classes of what notebooks show, and of frames.
- `facts`: facts as text and back.
- `turn_notation`: splits a typed line into guess and clue and makes a turn of it; `blocks`: many
  lines, rows below a heading, results in rows of squares, as Wordle players share them, and an
  example.
- `merging`: repeated guesses, which complete or replace the earlier turn of the same guess.
- `files/`: YAML to a game and back.
"""
