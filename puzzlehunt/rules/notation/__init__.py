"""How feedback is written and read back.

- `clue`: `Clue` and `Feedback`, and the words that mean the same in every game.
- `counts`: `CountNotation`: counts of kinds of marks, `B_WR_` and `2-3 gears`.
- `tiles`: `TileNotation`: a mark for each tile, `GY._.` and squares.
- `numbers`, `sentences`: numbers as people write them, and a game's own sentences.
"""
