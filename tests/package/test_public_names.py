"""What a fresh installation, without any extra, does with the public names."""

import doctest
import inspect
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import puzzlehunt
from cases import cases

ROOT = Path(__file__).resolve().parents[2]


@cache
def modules_of_extras() -> list[str]:
    """Return the modules that are there only where some extra is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = (line for extra in project["optional-dependencies"].values() for line in extra)
    extras = {Requirement(line).name.casefold() for line in listed} - {"puzzlehunt"}
    owners = packages_distributions().items()
    return [name for name, found in owners if {owner.casefold() for owner in found} & extras]


def without_extras(code: str) -> str:
    """Return what Python prints where no extra is installed."""
    begin = f"import sys; sys.modules.update(dict.fromkeys({modules_of_extras()!r}))\n"
    command = [sys.executable, "-c", begin + code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


NAMES, CALLS = cases("names without any extra"), cases("calls that need an extra")


def test_without_any_extra_all_names_are_there_and_a_call_that_needs_one_names_it():
    code = [code for code, _ in NAMES]
    code += ["from puzzlehunt.engines import open_engine"]
    for call, _ in CALLS:
        code += ["try:", f"    {call}", "except PuzzlehuntError as error:", "    print(error)"]
    assert without_extras("\n".join(code)).splitlines() == [said for _, said in NAMES + CALLS]


def test_the_stub_and_the_page_name_every_public_name_once() -> None:
    stub = Path(puzzlehunt.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    named = re.findall(r"(?m)^(?:from \S+ import |def )(\w+)", stub)
    assert [*named, "__version__"] == puzzlehunt.__all__
    assert len({*puzzlehunt.__all__}) == len(puzzlehunt.__all__) <= 60
    listed = re.findall(r"`(\w+)`[,.]$|`(\w+)`, ", page.partition("\n## ")[2], re.MULTILINE)
    assert sorted(first or second for first, second in listed) == sorted(puzzlehunt.__all__)


def attributes(kind: type) -> set[str]:
    """The public attributes of a class, those that its methods set included."""
    named = {*dir(kind), *getattr(kind, "__dataclass_fields__", ())}
    for base in kind.__mro__:
        if base.__module__.startswith("puzzlehunt."):
            named |= {*re.findall(r"\bself\.(\w+)(?:: [^=\n]+)? = ", inspect.getsource(base))}
    return {name for name in named - {*dir(Exception)} if not name.startswith("_")}


def test_there_is_not_more_to_learn_than_there_was() -> None:
    found = (getattr(puzzlehunt, name) for name in puzzlehunt.__all__)
    counts = {kind.__name__: len(attributes(kind)) for kind in found if isinstance(kind, type)}
    assert sum(counts.values()) <= 250
    assert counts["Game"] <= 25
    assert counts["Session"] <= 33


WITHOUT_EXAMPLE = ("__version__",)
"""A text, which has no docstring of its own."""
NAMESPACE = {"puzzlehunt": puzzlehunt}
NEEDED = {"plot": "matplotlib", "connect": "httpx"}


def documented(name: str) -> object:
    marks = [pytest.mark.needs(NEEDED[name])] if name in NEEDED else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize(
    "name", [documented(name) for name in puzzlehunt.__all__ if name not in WITHOUT_EXAMPLE]
)
def test_every_public_name_has_an_example_that_runs(name: str) -> None:
    found = getattr(puzzlehunt, name)
    (example,) = doctest.DocTestFinder(recurse=False).find(found, name, globs=NAMESPACE)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
