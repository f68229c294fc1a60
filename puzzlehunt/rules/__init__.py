"""How a guess is scored: one file per rule, and the notation of feedback.

- `base`: `Rule`, the interface of rules. `families`: `CountRule`, `TileRule` and `PlaceRule`, and
  the sums of literals that several rules count.
- `pegs`, `marks`, `matches`, `letters`, `order`, `near`, `pairs`: the rules.
- `boards`, `merged`: another rule on several boards, or for several secrets on one board.
- `rule_registry`: rules by name, with those of other packages.
- `testing`: checks of a rule, from this or another package.
- `notation/`: clues and feedback as text and back.
"""
