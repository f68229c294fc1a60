"""What the documents promise is so."""

import doctest
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from transcripts import FOLDER, TRANSCRIPTS, replayed

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "name",
    [
        *("README.md", "docs/index.md", "docs/library.md", "examples/transcripts/6-a-library.md"),
        pytest.param("docs/worked-examples.md", marks=pytest.mark.slow),
    ],
)
def test_examples_in_documents_give_what_they_show(name: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / name), module_relative=False)
    assert tried > 3
    assert failed == 0


def test_every_transcript_is_run_and_listed() -> None:
    listed = re.findall(r"\]\((.*?\.md)\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert listed == sorted(path.name for path in FOLDER.glob("[0-9]*.md"))
    assert [path.name for path in TRANSCRIPTS] == listed[:-1]


def test_links_between_documents_lead_somewhere() -> None:
    folders = ("", "docs/**/", "benchmarks/results/", "examples/transcripts/", "examples/reach/")
    for document in [path for folder in folders for path in ROOT.glob(f"{folder}*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_description_of_the_package_needs_no_checkout() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    hooks = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    for one in hooks["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    assert "`pip install puzzlehunt`" in text
    assert "pip install 'puzzlehunt[web]'" in text
    assert not re.search(r"install [^`\n]* \.|'\.\[|\.venv|-e |\]\([^:)]+\)", text)


def test_nothing_is_imported_that_is_not_used() -> None:
    """By the command line; by suggestions; by those for words, half-read marks, huge spaces."""
    code = (
        "import sys; from puzzlehunt.cli.main import app\n"
        "def heavy(*names): print(sorted({*names} & {*sys.modules}))\n"
        "def suggest(games, *options):\n"
        "    for game in games.split():\n"
        "        app(['suggest', game, *options], standalone_mode=False)\n"
        "heavy('numpy', 'z3', 'pydantic', 'rich')\n"
        "suggest('2x2', '-t', 'AA 1b', '--top', '3', '--seconds', '60')\n"
        "heavy('numba', 'numpy.random', 'platformdirs', 'pydantic', 'z3')\n"
        "suggest('nethack cryptic wordle 16x6', '--json', '--seconds', '0')\n"
        "heavy('numba', 'numpy.ma', 'pysmt', 'z3')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said = [line for line in done.stdout.splitlines() if line[:1] == "["]
    assert said == ["[]"] * 3


# Stories in the documents: what the program prints at every line, and its picture.


@pytest.mark.slow
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_shows_what_is_printed_today(path: Path, home: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n$ puzzlehunt") > 0
    assert replayed(text) == text


@pytest.mark.slow
def test_the_picture_shows_what_the_program_prints_today() -> None:
    command = [sys.executable, str(ROOT / "tools" / "terminal_picture.py"), "--check"]
    assert subprocess.run(command, check=False).returncode == 0
