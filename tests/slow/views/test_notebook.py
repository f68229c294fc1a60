"""The example notebooks run from their first cell to their last."""

from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def executed(name: str) -> list[Any]:
    """The cells of code of a notebook, run, each of which was kept without output."""
    import nbformat
    from nbclient import NotebookClient

    path = EXAMPLES / name
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": path.parent}}).execute()
    return cells


def test_a_whole_game_shows_pictures_and_ends():
    cells = executed("a-whole-game.ipynb")
    shown = [set(output["data"]) for cell in cells for output in cell.outputs]
    assert len(shown) == len(cells)
    assert all({"text/html", "image/svg+xml"} & kinds for kinds in shown)
    last = [cell.outputs[0]["data"]["text/html"] for cell in cells if "is_over" in cell.source]
    assert "BBBB" in last[0] or "solved" in last[0] or "won" in last[0]


def test_a_team_plays_a_board_with_somebody_in_a_browser():
    cells = [cell for cell in executed("team.ipynb") if cell.source.endswith("\nboard")]
    boards = [cell.outputs[0]["data"]["text/html"] for cell in cells]
    assert [board.count("\n") for board in boards] == [1, 2, 2]


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("guess-who", ["112", "112"]),
        ("coins", ["Counter({3: 24})", "2", "[0, 2, 4]"]),
        ("pooled-tests", ["0.5310044064107188", "{6: (7.49, 0.35), 1: (12.17, 0.6)}", "5.886"]),
    ],
)
def test_worked_examples_give_the_figures_of_the_page(name, figures):
    cells = executed(f"worked/{name}.ipynb")
    assert all(cell.outputs for cell in cells)
    shown = [output.get("data", {}).get("text/plain") for cell in cells for output in cell.outputs]
    assert [text for text in shown if text in figures] == figures
