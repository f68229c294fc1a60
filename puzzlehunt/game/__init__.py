"""A game, its history, and the lines that people write about it.

- `spec`: secrets, guesses, rule, channel and notation; `game`: `Game`, which adds turns and facts,
  and the secrets that they rule out.
- `play`: the settings under `play:` of a game file (attempts, strategy, engine, seed, ...).
- `history`: turns and facts in order; `facts`: facts as text and back.
- `turn_notation`: a typed line, split into guess and clue, and its turn; `blocks`: many lines;
  `tables`: rows below a heading; `pasted`: text that people write around rows.
- `merging`: repeated guesses, which complete or replace their turn.
- `example`: an example turn of a game.
- `shared`: results in rows of squares, as shared by Wordle players.
- `starting_hints`: what the codemaker gives away before the first guess.
- `fingerprint`: a hash of everything that determines the best play of a game.
- `notebook`: the base class of values that a notebook shows as HTML.
- `files/`: YAML to a game and back.
"""
