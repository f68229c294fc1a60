"""A game, its history, and the lines that people write about it.

- `spec`: secrets, guesses, rule and channel, and how codes and clues are written; `game`: `Game`,
  which adds turns and facts, and which secrets they rule out.
- `play`: the settings under `play:` of a game file (attempts, strategy, engine, seed, ...).
- `history`: turns and facts in order; `facts`: facts as text and back.
- `turn_notation`: a typed line, split into guess and clue, and its turn; `blocks`: many lines;
  `tables`: rows below a heading; `pasted`: what people write around rows.
- `merging`: a guess that is on the board already: its turn is completed or replaced.
- `example`: an example of what may be typed in a game.
- `shared`: results in rows of squares, as players of Wordle share them.
- `starting_hints`: what the codemaker gives away before the first guess.
- `fingerprint`: a hash of all that decides which play of a game is best.
- `notebook`: the base class of values that a notebook shows as HTML.
- `files/`: YAML to a game and back.
"""
