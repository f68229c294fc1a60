"""How a guess is scored: one file a rule, and the notation of its feedback.

- `base`: `Rule`: what every rule offers. `families`: `CountRule`, `TileRule` and `PlaceRule`, and
  the sums of literals that several rules count.
- `pegs`, `marks`, `matches`, `letters`, `order`, `near`, `pairs`: the rules.
- `boards`, `merged`: another rule on several boards, or for several secrets on one board.
- `rule_registry`: rules by name, with those of other packages.
- `testing`: checks for the tests of a rule, of this or of another package.
- `notation/`: clues and feedback as text and back.
"""
