"""How a guess is scored: the rules, and the notation of feedback; called, this room lists them.

Authors of rules import the names in `__all__` from here.

- `base`: `Rule`, the interface of rules. `families`: `CountRule`, `TileRule` and `PlaceRule`, and
  sums of literals for several rules. `by_score`: `ScoreRule`, of which only the score is written,
  and the rule of marks that nobody explained.
- `built_in`, `columns`: the rules; `column_kinds`: how the columns of a table answer.
- `boards`: another rule on several boards.
- `rule_registry`: finds a rule of this or another package by its name, or in a file.
- `testing`: checks of a rule, for the tests of this or another package.
- `notation/`: clues and feedback as text and back.

>>> puzzlehunt.rules()["matches"]
'how many symbols are in place, and nothing else'
"""

import sys

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Bound
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.built_in import Pegs
from puzzlehunt.rules.by_score import ScoreRule
from puzzlehunt.rules.families import CountRule, PlaceRule, TileRule
from puzzlehunt.rules.notation.clue import Clue, Feedback
from puzzlehunt.rules.rule_registry import rules_by_name
from puzzlehunt.rules.testing import check_rule
from puzzlehunt.system import Room

__all__ = [
    "AllOf", "AnyOf", "At", "AtLeast", "Bound", "Clue", "Code", "CountRule", "Feedback", "Pegs",
    "PlaceRule", "Rule", "ScoreRule", "TileRule", "check_rule",
]  # fmt: skip
named = rules_by_name
sys.modules[__name__].__class__ = Room
