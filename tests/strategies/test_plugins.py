"""The example of a plug-in: its entry points are found, and its strategies play as they say."""

import tomllib
from pathlib import Path

import pytest

import puzzlehunt

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "plugins"
PROJECT = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]
STRATEGIES = PROJECT["entry-points"]["puzzlehunt.strategies"]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the plug-in as pip would: its module, and a folder of metadata beside it."""
    info = tmp_path / "puzzlehunt_plain_strategies-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {PROJECT['name']}\nVersion: {PROJECT['version']}\n")
    names = "".join(f"{name} = {target}\n" for name, target in STRATEGIES.items())
    (info / "entry_points.txt").write_text(f"[puzzlehunt.strategies]\n{names}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(FOLDER)


@pytest.mark.parametrize(
    ("name", "played", "known", "worst"),
    [
        ("median", 217, 179, 5),
        ("leptokurtic", 250, 215, 6),
        ("mesokurtic", 211, 173, 5),
        ("platykurtic", 215, 181, 5),
        ("structured", 208, 165, 4),
    ],
)
def test_the_strategies_of_the_plug_in_play_as_they_did(installed, name, played, known, worst):
    result = puzzlehunt.run("3x4", name, execution=puzzlehunt.Execution(jobs=1))
    totals = result.summary("played").total, result.summary("known").total
    assert (*totals, result.summary("played").worst) == (played, known, worst)


def test_symbol_counts_first_comes_to_an_end_on_a_code_that_is_not_listed(installed):
    result = puzzlehunt.run("10x6", "structured", secrets=1, execution=puzzlehunt.Execution(jobs=1))
    assert result.summary("played").worst <= 16
