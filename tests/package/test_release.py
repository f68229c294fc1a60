"""What is released: one version, and a description that leads nowhere but to its own site."""

import re
import tomllib
from pathlib import Path

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
    assert "`pip install puzzlehunt`" in text
    assert not re.search(r"\.venv|-e '|pytest|examples/cryptic", text)
