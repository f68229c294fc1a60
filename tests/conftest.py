"""What all tests share: the same examples in every run, and the fixtures of a few modules."""

import csv
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["random_games", "program", "terminals", "served"]

SLOW = Path(__file__).parent / "slow"
_MISSING = ("ModuleNotFoundError", "pip install '.[")

if sys.dont_write_bytecode:
    # Tests and the programs that they start would compile the package anew each time. Where no
    # file may be left beside the sources, pytest's own cache folder takes what was compiled.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "compiled")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# A property is tried on as many examples as find the faults that `tools/mutation.py` makes in its
# room; where each costs much, slow tests try more of them.
settings.register_profile(
    "reproducible",
    derandomize=True,
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("reproducible")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even read the slow tests where none of them is asked for."""
    return True if collection_path == SLOW and config.option.markexpr == "not slow" else None


# `--plain`, for an environment without any extra.


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--plain", action="store_true", help="skip what needs an extra's package")


@pytest.fixture(autouse=True)
def _needed(request: pytest.FixtureRequest) -> None:
    for mark in request.node.iter_markers("needs"):
        pytest.importorskip(mark.args[0])


def _skip_without_extra(report: Any, config: pytest.Config) -> Any:
    """Return a report as skipped if what failed is that a package of an extra is missing."""
    told = str(report.longrepr)
    if config.option.plain and report.failed and any(text in told for text in _MISSING):
        report.outcome, report.longrepr = "skipped", (report.nodeid, 0, "needs an extra")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    return _skip_without_extra((yield), collector.config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    return _skip_without_extra((yield), item.config)


@pytest.fixture(scope="session", autouse=True)
def _state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for what the program writes by itself: none of the person's who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def published() -> Callable[[str], list[dict[str, str]]]:
    """A function that returns the rows of a table in `data`."""

    def rows(name: str) -> list[dict[str, str]]:
        path = Path(__file__).parent / "data" / f"{name}.csv"
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    return rows


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """A function that writes a game file and returns its path as text."""

    def to_file(content: str | bytes, name: str = "game.yaml") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return to_file
