"""Loads a rule from a Python file, named `FILE.py:NAME`.

NAME is a class or an instance of a rule, or a function `score(guess, secret)` of the texts of two
codes. Only the command line names such files; a game file never does.
"""

import re
import sys
import traceback
from pathlib import Path
from types import ModuleType

from puzzlehunt.errors import RuleError, did_you_mean
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.by_score import ScoreRule
from puzzlehunt.rules.rule_registry import as_rule

_NAMED_FILE = re.compile(r"(.+\.py):(\w*)", re.DOTALL)


def names_file(name: str) -> bool:
    """Return whether the name of a rule is `FILE.py:NAME`, so that finding it runs code."""
    return _NAMED_FILE.fullmatch(name) is not None


def rule_in_file(name: str, folder: Path) -> type[Rule] | ScoreRule:
    """Return the rule that `FILE.py:NAME` names: a class, or a rule by score alone.

    A relative path starts at `folder`. Raises RuleError for a file that is missing or cannot be
    run, and for a name that is not there or is no rule.
    """
    match = _NAMED_FILE.fullmatch(name)
    assert match is not None, "the name is that of a file"
    path = folder / Path(match[1]).expanduser()
    if not path.is_file():
        raise RuleError(f"no file {match[1]!r}; a rule of your own is FILE.py:NAME")
    module = _module_in(path)
    own = [each for each in vars(module) if not each.startswith("_")]
    if match[2] not in vars(module):
        raise RuleError(f"{match[1]} has no {match[2]!r}{did_you_mean(match[2], own)}")
    return as_rule(vars(module)[match[2]], name, match[2])


def _module_in(path: Path) -> ModuleType:
    """Return the module that a file makes; nothing else can import it afterwards."""
    path = path.resolve()
    module = ModuleType(f"puzzlehunt_rule_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look for it there
    sys.path.insert(0, str(path.parent))
    try:
        exec(compile(path.read_bytes(), path, "exec"), vars(module))
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(path)]
        line = error.lineno if isinstance(error, SyntaxError) else next(reversed(lines), None)
        what = error.msg if isinstance(error, SyntaxError) else error
        raise RuleError(
            f"{path.name}{f':{line}' if line else ''}: {type(error).__name__}: {what}"
        ) from error
    finally:
        sys.path.remove(str(path.parent))
        # Pickled by value, as cloudpickle does with what cannot be imported, it reaches workers.
        del sys.modules[module.__name__]
    return module
