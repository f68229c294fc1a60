"""Rules by name: those of this package and those of other packages.

A package adds a rule with an entry point in the group `puzzlehunt.rules`.
"""

from importlib.metadata import entry_points

from puzzlehunt.errors import RuleError, in_one_line, unknown_name
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.letters import LettersRule
from puzzlehunt.rules.marks import MarksRule
from puzzlehunt.rules.matches import MatchesRule
from puzzlehunt.rules.near import NearRule
from puzzlehunt.rules.order import OrderRule
from puzzlehunt.rules.pairs import PairsRule
from puzzlehunt.rules.pegs import PegsRule

BUILT_IN: dict[str, type[Rule]] = {
    rule.name: rule
    for rule in (PegsRule, MarksRule, MatchesRule, LettersRule, OrderRule, NearRule, PairsRule)
}


def rule_names() -> list[str]:
    """Return the names of all rules: first the built-in ones, then those of other packages."""
    return [*BUILT_IN, *entry_points(group="puzzlehunt.rules").names]


def find_rule(name: str) -> type[Rule]:
    """Return the class of the rule with a name.

    Raises UnknownNameError, which proposes a name, and RuleError, which names the package of a rule
    that cannot be loaded.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    for entry in entry_points(group="puzzlehunt.rules", name=name):
        package = entry.dist.name if entry.dist else entry.module
        try:
            rule = entry.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001  (others' code may raise anything)
            raise RuleError(
                f"the rule {name!r} of the package {package} cannot be loaded: {in_one_line(error)}"
            ) from None
        if not (isinstance(rule, type) and issubclass(rule, Rule)):
            raise RuleError(
                f"the rule {name!r} of the package {package} is not a Rule: {rule!r:.40}"
            )
        return rule
    raise unknown_name("rule", name, rule_names())
