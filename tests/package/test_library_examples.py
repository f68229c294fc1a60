"""The programs in examples/library print what is held beside them."""

import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "library"
PROGRAMS = sorted(FOLDER.glob("*.py"))
MESSAGES = "CRANE GY...; /fact no U; hint; SLATE ..Z; why CRANE; CLOTS GGGG.; repair 1; undo; undo"
ARGUMENTS = {"chat_bot": f"{MESSAGES}; CHOIR won; hint".split("; ")}
NEEDS = {"frames": "pandas"}


def program(path: Path) -> object:
    marks = [pytest.mark.needs(NEEDS[path.stem])] if path.stem in NEEDS else []
    return pytest.param(path, marks=marks, id=path.stem)


@pytest.mark.parametrize("path", [program(path) for path in PROGRAMS])
def test_a_program_prints_what_is_held(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(path), *ARGUMENTS.get(path.stem, [])])
    # Programs between pipes wait for each other if a line is held back.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    runpy.run_path(str(path), run_name="__main__")
    expected = (FOLDER / "output" / f"{path.stem}.txt").read_text(encoding="utf-8")
    assert capsys.readouterr() == (expected, "")


@pytest.mark.needs("matplotlib")
def test_the_false_rows_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = tmp_path / "rows.svg"
    monkeypatch.setattr(sys, "argv", ["false_rows.py", str(picture)])
    runpy.run_path(str(FOLDER / "false_rows.py"), run_name="__main__")
    assert "<svg" in picture.read_text(encoding="utf-8")
