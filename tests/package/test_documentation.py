"""What the documents promise is so."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from transcripts import FOLDER, TRANSCRIPTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "name",
    ["README.md", "docs/library.md", "examples/transcripts/6-a-library.md"],
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


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'z3', 'pydantic', 'rich'}"
    code = f"import sys, puzzlehunt.cli.main; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_suggestion_reads_its_options_and_its_game_without_pydantic() -> None:
    code = (
        "import sys; from puzzlehunt.cli.main import app\n"
        "app(['suggest', '2x2', '-t', 'AA 1b'], standalone_mode=False)\n"
        "print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_a_first_suggestion_loads_neither_compiler_nor_solver_nor_explanations() -> None:
    """A small game, one with half-read marks, words, a book, and a space too large to list."""
    unneeded = "{'numba', 'numpy.ma', 'pysmt', 'z3', 'puzzlehunt.explanation.why'}"
    code = (
        "import sys; from puzzlehunt.cli.main import app\n"
        "for game in ('2x2', 'cryptic', 'wordle', 'nethack', '16x6'):\n"
        "    app(['suggest', game, '--json', '--seconds', '0'], standalone_mode=False)\n"
        f"print(sorted({unneeded} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
