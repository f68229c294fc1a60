"""Clues and feedback as text: formatting and parsing.

- `clue`: `Clue` and `Feedback`, the words that mean the same in every game, and the cells of
  a table's row (`1,,2`).
- `clue_values`: clues about counts, and about places: tiles, columns of a table, or one for an
  answer of one value; clues with a mark changed, erased or exchanged.
- `counts`: `CountNotation`: marks in any order (`B_WR_`), or counts of marks (`2-3 gears`);
  `nethack`: NetHack's sentences about a tune.
- `synonyms`: `plain`, a line in plain letters and signs; what words and signs mean.
- `tiles`: `TileNotation`: a mark for each tile (`GY._.`), or squares.
"""
