"""Rules by name: those of this package, and what others write.

A package adds a rule with an entry point in the group `puzzlehunt.rules`: a class, a `ScoreRule`,
or a function `score(guess, secret)` of the texts of two codes. A rule or a strategy in a file is
`FILE.py:NAME`; users and programs name such files, a game file never does.
"""

import inspect
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout, suppress
from functools import lru_cache
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING

from puzzlehunt import errors
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.built_in import RULES
from puzzlehunt.rules.by_score import FunctionRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.notation.clue import Notation

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN: dict[str, type[Rule]] = {**{rule.name: rule for rule in RULES}, "columns": ColumnsRule}
GROUPS = {"rule": "puzzlehunt.rules", "strategy": "puzzlehunt.strategies"}
"""The group of entry points for each kind of thing that packages add."""


def plug_ins(kind: str) -> "list[EntryPoint]":
    """Return the entry points for a kind of `GROUPS`, sorted by name, then by package."""
    from importlib.metadata import entry_points

    found = entry_points(group=GROUPS[kind])
    return sorted(found, key=lambda entry: (entry.name, package_of(entry)))


def package_of(entry: "EntryPoint") -> str:
    """Return the name of the package that has an entry point."""
    return entry.dist.name if entry.dist else entry.module


def told_by_packages(kind: str) -> dict[str, str]:
    """Return the names of the entry points for a kind, each with what its docstring says.

    One without a docstring, or that cannot be loaded, is said to be of its package.
    """
    told = {entry.name: f"of the package {package_of(entry)}" for entry in plug_ins(kind)}
    for name in told:
        with suppress(errors.PuzzlehuntError):
            told[name] = _first_line(written_by_others(kind, name, ())[0]) or told[name]
    return told


def _first_line(target: object) -> str:
    return (target.__doc__ or "").strip().split("\n")[0].rstrip(".")


def rules_by_name() -> dict[str, str]:
    """Return the names of all rules, the built-in ones first, each with what it tells."""
    told = {name: _first_line(rule).partition(": ")[2] for name, rule in BUILT_IN.items()}
    return told | told_by_packages("rule") | told


def find_rule(choice: object) -> type[Rule] | Rule:
    """Return the rule with a name, or in `FILE.py:NAME`: a class, or a rule by score alone.

    It also accepts a class, a rule, or a function `score(guess, secret)` of texts. Raises
    UnknownNameError, which proposes a name, and RuleError for what is no rule, or cannot be loaded.
    """
    if not isinstance(choice, str):
        return _as_rule(choice, "the rule")
    if choice in BUILT_IN:
        return BUILT_IN[choice]
    target, what = written_by_others("rule", choice, BUILT_IN)
    return _as_rule(target, what, choice.rpartition(":")[2])


def written_by_others(kind: str, name: str, built_in: Iterable[str]) -> tuple[object, str]:
    """Return what `FILE.py:NAME` or an entry point names, and how messages call it.

    `kind` is one of `GROUPS`. Raises UnknownNameError, which proposes a name, and RuleError or
    StrategyError for what cannot be loaded.
    """
    failure = errors.RuleError if kind == "rule" else errors.StrategyError
    stem, in_file, wanted = name.rpartition(".py:")
    path = Path(f"{stem}.py").expanduser().resolve()
    entry = next((each for each in plug_ins(kind) if each.name == name), None)
    if entry is None and not (in_file and path.is_file()):
        own = f"a {kind} of your own is FILE.py:NAME"
        if in_file:
            raise failure(f"no file '{stem}.py'; {own}")
        error = errors.unknown_name(kind, name, [*built_in, *(one.name for one in plug_ins(kind))])
        raise errors.UnknownNameError(f"{error} ({own}; packages may bring more)")
    what = f"the {kind} {name!r} of the package {package_of(entry)}" if entry else name
    try:
        with redirect_stdout(sys.stderr):
            if entry is not None:
                return entry.load(), what
            module = _names_of(path, path.stat().st_mtime_ns)
    except (Exception, SystemExit) as error:
        raise failure(f"{what} cannot be loaded: {errors.in_one_line(error)}") from error
    if wanted not in module:
        names = [each for each, value in module.items() if _is_defined(value, module["__name__"])]
        raise failure(f"{stem}.py has no {wanted!r}{errors.did_you_mean(wanted, names)}")
    return module[wanted], what


@lru_cache(maxsize=8)
def _names_of(path: Path, changed: int) -> dict[str, object]:
    """Return what a file defines; it runs once, until the time when it was `changed` is another."""
    sys.path.insert(0, str(path.parent))  # from which the file may import
    try:
        # Workers get its objects pickled by value, as cloudpickle does with what has no module.
        return run_path(str(path), run_name=f"puzzlehunt_{path.stem}")
    finally:
        sys.path.remove(str(path.parent))


def _is_defined(value: object, module: object) -> bool:
    """Return whether a value is a function or a class of a module that others may use."""
    name = getattr(value, "__name__", "_")
    return callable(value) and value.__module__ == module and not name.startswith("_")


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
            raise errors.RuleError(f"{what} is a rule without {', '.join(missing)}")
        return target
    if inspect.isfunction(target):
        return FunctionRule(target, name)
    wanted = "a class of rules, a rule or a function score(guess, secret)"
    raise errors.RuleError(f"{what} is not {wanted}, but {target!r:.40}")
