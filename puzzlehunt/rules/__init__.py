"""How a guess is answered: one file a rule, and how answers are written and read back.

- `base`: `Rule`, and the families `CountRule`, `TileRule` and `PlaceRule`: what a rule is.
- `pegs`, `marks`, `matches`, `letters`, `order`, `near`, `pairs`: the rules.
- `boards`, `merged`: one rule on several boards, and several secrets on one board.
- `registry`: rules by name, those of other packages included.
- `testing`: checks that every rule has to pass, also one of another package.
- `notation/`: how feedback is written and read back.
"""
