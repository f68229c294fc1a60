"""What is released: one version, and a description that leads nowhere but to its own site."""

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import puzzlehunt

pytest.importorskip("hatchling")

from description import description

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SITE = "https://docs.example.org/"


def test_the_version_is_in_one_place_and_the_citation_has_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" in project["dynamic"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == puzzlehunt.__version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## .*{re.escape(puzzlehunt.__version__)}", changes, re.MULTILINE)


def test_without_a_site_the_description_has_no_pictures_and_no_links() -> None:
    text = description(README, "")
    assert not re.findall(r"\]\((?!https?:)", text)
    assert "![" not in text
    assert "As a library" in text


def test_with_a_site_pictures_and_links_lead_to_its_pages() -> None:
    text = description(README, SITE)
    assert f"![A game of Cryptic Mastermind in a terminal]({SITE}_images/session.svg)" in text
    assert f"({SITE}docs/clues.html#nothing-is-lost)" in text
    assert f"({SITE}docs/decisions/README.html)" in text
    assert all(link.startswith(SITE) for link in re.findall(r"\]\(([^)]*)\)", text))


@pytest.mark.parametrize("site", ["", SITE])
def test_the_description_says_nothing_that_needs_a_checkout(site: str) -> None:
    text = description(README, site)
    assert "Install it with `pip install puzzlehunt`. Play your own game: " in text
    assert not re.search(r"\.venv|activate|-e '|pytest|examples/cryptic|(?<!\.org/)docs/", text)


def workflow(name: str) -> Any:
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    return yaml.safe_load(text)["jobs"]


@pytest.mark.parametrize(("tag", "status"), [("1.2.0", 0), ("1.2.1", 1), ("v1.2.0", 1)])
def test_a_tag_that_is_not_the_version_is_not_released(
    tmp_path: Path, tag: str, status: int
) -> None:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "puzzlehunt-1.2.0.tar.gz").touch()
    jobs = workflow("release")
    (step,) = (step for step in jobs["build"]["steps"] if "tag" in step.get("name", ""))
    environment = {**os.environ, "GITHUB_REF_NAME": tag}
    done = subprocess.run(["sh", "-c", step["run"]], cwd=tmp_path, env=environment, check=False)
    assert done.returncode == status
    assert jobs["publish"]["needs"] == "build"


def test_every_python_that_is_promised_is_tried_and_the_lowest_of_each_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    kinds = "\n".join(project["classifiers"])
    promised = re.findall(r"^.*Python :: (3\.\d+)$", kinds, re.MULTILINE)
    tried = workflow("tests")["fast"]["strategy"]["matrix"]["python"]
    assert promised
    assert {*promised} <= {*tried}
    assert project["requires-python"] == f">={tried[0]}"
    steps = [step.get("run", "") for step in workflow("tests")["lowest"]["steps"]]
    assert any("--resolution lowest-direct --all-extras" in step for step in steps)
    assert any("pytest" in step for step in steps)
