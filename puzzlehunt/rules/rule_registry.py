"""Rules by name: those of this package, those of other packages, and those in files.

A package adds a rule with an entry point in the group `puzzlehunt.rules`: a class, a `ScoreRule`,
or a function `score(guess, secret)` of the texts of two codes. A rule in a file is `FILE.py:NAME`;
only the command line names such files, a game file never does.
"""

import inspect
import sys
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING

from puzzlehunt.errors import RuleError, did_you_mean, in_one_line, unknown_name
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.built_in import RULES
from puzzlehunt.rules.by_score import FunctionRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.notation.clue import Notation

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN: dict[str, type[Rule]] = {**{rule.name: rule for rule in RULES}, "columns": ColumnsRule}
GROUP = "puzzlehunt.rules"


def plug_ins(group: str) -> "list[EntryPoint]":
    """Return the entry points of a group, sorted by name, then by package."""
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group), key=lambda entry: (entry.name, package_of(entry)))


def package_of(entry: "EntryPoint") -> str:
    """Return the name of the package that has an entry point."""
    return entry.dist.name if entry.dist else entry.module


def names_of_packages(group: str) -> dict[str, str]:
    """Return the names of a group's entry points, each with the package that it is of."""
    return {entry.name: f"of the package {package_of(entry)}" for entry in plug_ins(group)}


def rules_by_name() -> dict[str, str]:
    """Return the names of all rules, the built-in ones first, each with what it tells."""
    own = {name: (rule.__doc__ or "").split("\n")[0].rstrip(".") for name, rule in BUILT_IN.items()}
    told = {name: line.partition(": ")[2] for name, line in own.items()}
    return told | names_of_packages(GROUP) | told


def find_rule(choice: object) -> type[Rule] | Rule:
    """Return the rule with a name, or in `FILE.py:NAME`: a class, or a rule by score alone.

    It also accepts a class, a rule, or a function `score(guess, secret)` of texts. Raises
    UnknownNameError, which proposes a name, and RuleError for what is no rule, or cannot be loaded.
    """
    if not isinstance(choice, str):
        return _as_rule(choice, "the rule")
    name = choice
    if ".py:" in name:
        return _rule_in_file(name)
    if name in BUILT_IN:
        return BUILT_IN[name]
    for entry in plug_ins(GROUP):
        if entry.name == name:
            of_package = f"the rule {name!r} of the package {package_of(entry)}"
            try:
                target = entry.load()
            except Exception as error:
                raise RuleError(f"{of_package} cannot be loaded: {in_one_line(error)}") from error
            return _as_rule(target, of_package, name)
    if name == "differences":
        raise RuleError("no rule 'differences'; Steps in examples/own_rules.py is like it")
    raise unknown_name("rule", name, rules_by_name())


def _rule_in_file(name: str) -> type[Rule] | Rule:
    file, _, wanted = name.rpartition(":")
    path = Path(file).expanduser().resolve()
    if not path.is_file():
        raise RuleError(f"no file {file!r}; a rule of your own is FILE.py:NAME")
    sys.path.insert(0, str(path.parent))
    try:
        # Workers get it pickled by value, as cloudpickle does with what cannot be imported.
        module = run_path(str(path), run_name=f"puzzlehunt_rule_{path.stem}")
    except Exception as error:
        raise RuleError(f"{file} cannot be run: {in_one_line(error)}") from error
    finally:
        sys.path.remove(str(path.parent))
    if wanted not in module:
        names = [each for each in module if not each.startswith("_")]
        raise RuleError(f"{file} has no {wanted!r}{did_you_mean(wanted, names)}")
    return _as_rule(module[wanted], name, wanted)


def _as_rule(target: object, what: str, name: str = "") -> type[Rule] | Rule:
    """Return the rule that an object is: a class, a rule, or a function.

    `name` is that of the rule of a function; `what` is about the object, for messages. Raises
    RuleError.
    """
    if isinstance(target, Rule):
        return target
    if isinstance(target, type) and issubclass(target, Rule):
        missing = sorted(target.__abstractmethods__)
        if not hasattr(target, "name"):
            missing.append("name")
        if target.notation is Rule.notation and not issubclass(target, Notation):
            missing.append("notation")
        if missing:
            raise RuleError(f"{what} is a rule without {', '.join(missing)}")
        return target
    if inspect.isfunction(target):
        return FunctionRule(target, name)
    wanted = "a class of rules, a rule or a function score(guess, secret)"
    raise RuleError(f"{what} is not {wanted}, but {target!r:.40}")
