"""How a guess is scored: one file per rule, and the notation of feedback.

- `base`: `Rule`, the interface of rules. `families`: `CountRule`, `TileRule` and `PlaceRule`, and
  sums of literals for several rules.
- `pegs`, `marks`, `matches`, `letters`, `order`, `near`, `pairs`: the rules.
- `boards`, `merged`: another rule on several boards, or for several secrets on one board.
- `rule_registry`: finds a rule of this or another package by its name.
- `testing`: checks of a rule, for the tests of this or another package.
- `notation/`: clues and feedback as text and back.
"""
