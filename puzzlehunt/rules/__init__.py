"""How a guess is scored: the rules, and the notation of feedback.

Authors of rules import the names in `__all__` from here.

- `base`: `Rule`, the interface of rules. `families`: `CountRule`, `TileRule` and `PlaceRule`, and
  sums of literals for several rules. `by_score`: `ScoreRule`, of which only the score is written,
  and the rule of marks that nobody explained.
- `built_in`, `columns`: the rules; `column_kinds`: how the columns of a table
  answer.
- `boards`: another rule on several boards.
- `rule_registry`: finds a rule of this or another package by its name, or in a file.
- `testing`: checks of a rule, for the tests of this or another package.
- `notation/`: clues and feedback as text and back.

>>> import puzzlehunt
>>> from puzzlehunt.rules.rule_registry import find_rule
>>> find_rule("pegs")(4, 6).score((0, 0, 1, 1), (0, 1, 2, 3))
Pegs(black=1, white=1)
"""

from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Bound
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.by_score import ScoreRule
from puzzlehunt.rules.families import CountRule, PlaceRule, TileRule
from puzzlehunt.rules.notation.clue import Clue, Feedback
from puzzlehunt.rules.testing import check_rule

__all__ = [
    "AllOf", "AnyOf", "At", "AtLeast", "Bound", "Clue", "CountRule", "Feedback", "PlaceRule",
    "Rule", "ScoreRule", "TileRule", "check_rule",
]  # fmt: skip
