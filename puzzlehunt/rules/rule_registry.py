"""Rules by name: those of this package and those of other packages.

A package adds a rule with an entry point in the group `puzzlehunt.rules`: a class, a `ScoreRule`,
or a function `score(guess, secret)` of the texts of two codes.
"""

import inspect
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlehunt.errors import PuzzlehuntError, RuleError, in_one_line, unknown_name
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.by_score import FunctionRule, ScoreRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.differences import DifferencesRule
from puzzlehunt.rules.directions import DirectionsRule
from puzzlehunt.rules.letters import LettersRule
from puzzlehunt.rules.marks import MarksRule
from puzzlehunt.rules.matches import MatchesRule
from puzzlehunt.rules.near import NearRule
from puzzlehunt.rules.order import OrderRule
from puzzlehunt.rules.pairs import PairsRule
from puzzlehunt.rules.pegs import PegsRule

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN: dict[str, type[Rule]] = {
    rule.name: rule
    for rule in (
        PegsRule,
        MarksRule,
        MatchesRule,
        LettersRule,
        OrderRule,
        NearRule,
        DirectionsRule,
        DifferencesRule,
        PairsRule,
        ColumnsRule,
    )
}
GROUP = "puzzlehunt.rules"


def plug_ins(group: str) -> "list[EntryPoint]":
    """Return the entry points of a group, sorted by name, then by package."""
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group), key=lambda entry: (entry.name, package_of(entry)))


def package_of(entry: "EntryPoint") -> str:
    """Return the name of the package that has an entry point."""
    return entry.dist.name if entry.dist else entry.module


def rule_names() -> list[str]:
    """Return the names of all rules, each once: the built-in ones, then those of packages."""
    return list(dict.fromkeys([*BUILT_IN, *(entry.name for entry in plug_ins(GROUP))]))


def find_rule(name: str) -> type[Rule] | ScoreRule:
    """Return the rule with a name: a class, or a rule by score alone.

    Raises UnknownNameError, which proposes a name, and RuleError, which names the package of a rule
    that cannot be loaded.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    for entry in plug_ins(GROUP):
        if entry.name == name:
            of_package = f"the rule {name!r} of the package {package_of(entry)}"
            try:
                target = entry.load()
            except (Exception, SystemExit) as error:
                raise RuleError(f"{of_package} cannot be loaded: {in_one_line(error)}") from error
            return as_rule(target, of_package, name)
    raise unknown_name("rule", name, rule_names())


def as_rule(target: object, what: str, name: str) -> type[Rule] | ScoreRule:
    """Return the rule that an object is: a class, an instance of `ScoreRule`, or a function.

    `name` is that of the rule of a function; `what` is about the object, for messages. Raises
    RuleError.
    """
    if isinstance(target, ScoreRule):
        return target
    if isinstance(target, type) and issubclass(target, Rule):
        if inspect.isabstract(target):
            missing = ", ".join(sorted(target.__abstractmethods__))
            raise RuleError(f"{what} is a rule without {missing}")
        if not isinstance(getattr(target, "name", None), str):
            raise RuleError(f'{what} is a rule without a name; add name = "..." to the class')
        return target
    if inspect.isfunction(target):
        return FunctionRule(target, name)
    raise RuleError(
        f"{what} is neither a class of rules, nor a ScoreRule, nor a function "
        f"score(guess, secret), but {target!r:.40}"
    )


def blamed(error: BaseException, rule: type[Rule] | None = None) -> RuleError | None:
    """Return an error that names the rule of others whose method raised one, and the line.

    `rule` is the class of a rule that was being made. The result is None if no method of a rule
    from outside this package was running.
    """
    where = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        made = frame.f_locals.get("self")
        if isinstance(made, Rule) and not _is_own(type(made)):
            rule = type(made)
        if rule is not None and frame.f_globals.get("__name__") == rule.__module__:
            where = f", {Path(frame.f_code.co_filename).name}:{line}"
    if rule is None or _is_own(rule):
        return None
    name = getattr(rule, "name", rule.__name__)
    return RuleError(f"rule {name}{where}: {in_one_line(error)}")


@contextmanager
def named(rule: type[Rule]) -> Iterator[None]:
    """Convert unexpected errors while a rule is made to RuleError, if the rule is of others."""
    try:
        yield
    except (PuzzlehuntError, ValueError):
        raise
    except Exception as error:
        if blame := blamed(error, rule):
            raise blame from error
        raise


def _is_own(rule: type[Rule]) -> bool:
    return rule.__module__.partition(".")[0] == "puzzlehunt"
