"""The programs in examples/library print what is held beside them."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "library"
PROGRAMS = sorted(FOLDER.glob("*.py"))
ARGUMENTS = {"chat_bot": ["CRANE GY...", "hint", "SLATE ..Z", "why CRANE", "undo"]}
NEEDS = {"frames": "pandas"}


def program(path: Path) -> object:
    marks = [pytest.mark.needs(NEEDS[path.stem])] if path.stem in NEEDS else []
    return pytest.param(path, marks=marks, id=path.stem)


@pytest.mark.parametrize("path", [program(path) for path in PROGRAMS])
def test_a_program_prints_what_is_held(path: Path) -> None:
    command = [sys.executable, str(path), *ARGUMENTS.get(path.stem, [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == (FOLDER / "output" / f"{path.stem}.txt").read_text(encoding="utf-8")


def test_there_are_eight_programs_of_fewer_than_forty_lines() -> None:
    assert len(PROGRAMS) == 8
    assert all(len(path.read_text(encoding="utf-8").splitlines()) < 40 for path in PROGRAMS)


@pytest.mark.needs("matplotlib")
def test_the_false_rows_are_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "rows.svg"
    subprocess.run([sys.executable, str(FOLDER / "false_rows.py"), str(picture)], check=True)
    assert "<svg" in picture.read_text(encoding="utf-8")
