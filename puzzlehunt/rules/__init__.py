"""How a guess is scored: the rules, and the notation of feedback; called, this room lists them.

Authors of rules import the names in `__all__` from here.

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
