"""What a fresh installation, without any extra, does with the public names."""

import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement

import puzzlehunt

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


def test_extras_are_known_by_their_modules():
    assert {"httpx", "matplotlib", "clingo", "cvc5", "highspy", "fastapi"} <= {*modules_of_extras()}


NAMES = [
    ("from puzzlehunt import *; print(suggest.__name__)", "suggest"),
    ("import puzzlehunt; print(hasattr(puzzlehunt, 'connect'))", "True"),
    ("import puzzlehunt; print(hasattr(puzzlehunt, 'nosuch'))", "False"),
    ("import puzzlehunt; print(puzzlehunt.changes.Undo().kind)", "undo"),
    ("import pydoc, puzzlehunt; print(pydoc.render_doc(puzzlehunt)[:14])", "Python Library"),
    ("import inspect, puzzlehunt as p; print(len(inspect.getmembers(p)) == len(dir(p)))", "True"),
]


CALLS = [
    (
        "connect('http://localhost:1/b/a-b')",
        'a board from afar needs httpx: pip install "puzzlehunt[web]"',
    ),
    ("candidates('2x2').to_frame()", 'a frame needs pandas: pip install "puzzlehunt[frames]"'),
    ("plot(run('2x2', 'first'))", 'pictures need matplotlib: pip install "puzzlehunt[plots]"'),
    (
        "open_engine(load('2x2'), 'linear')",
        'engine linear needs HiGHS: pip install "puzzlehunt[linear]"',
    ),
    (
        "open_engine(load('2x2'), 'logic')",
        'engine logic needs clingo: pip install "puzzlehunt[logic]"',
    ),
    (
        "run('2x2', 'first', execution=Execution(cluster='tcp://localhost:1'))",
        'a cluster needs Dask: pip install "puzzlehunt[cluster]"',
    ),
]


def test_without_any_extra_all_names_are_there_and_a_call_that_needs_one_names_it():
    code = [code for code, _ in NAMES]
    code += ["from puzzlehunt.errors import MissingPackageError"]
    for call, _ in CALLS:
        code += ["try:", f"    {call}", "except MissingPackageError as error:", "    print(error)"]
    assert without_extras("\n".join(code)).splitlines() == [said for _, said in NAMES + CALLS]


def test_the_stub_names_every_public_name_once_and_in_its_module():
    stub = Path(puzzlehunt.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    names = [name for name in puzzlehunt.__all__ if name != "__version__"]
    assert stub.count("\nfrom ") == len(names) == len(set(names)) > 60
    for name in names:
        assert getattr(puzzlehunt, name) is not None
