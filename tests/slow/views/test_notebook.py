"""The example notebook."""

import re
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_the_example_notebook_runs_from_its_first_cell_to_its_last():
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(EXAMPLES / "a-whole-game.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": EXAMPLES}}).execute()
    shown = [set(output["data"]) for cell in cells for output in cell.outputs]
    assert len(shown) == len(cells)
    assert all({"text/html", "image/svg+xml"} & kinds for kinds in shown)
    last = [cell.outputs[0]["data"]["text/html"] for cell in cells if "is_over" in cell.source]
    assert "BBBB" in last[0] or "solved" in last[0] or "won" in last[0]


def test_the_notebook_of_a_team_plays_a_board_with_somebody_in_a_browser():
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(EXAMPLES / "team.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": EXAMPLES}}).execute()
    boards = [
        cell.outputs[0]["data"]["text/html"] for cell in cells if cell.source.endswith("\nboard")
    ]
    assert [len(re.findall(r"> \d\. <", board)) for board in boards] == [1, 2, 2]


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("guess-who", ["112", "112"]),
        ("coins", ["Counter({3: 24})", "2", "[0, 2, 4]"]),
        ("pooled-tests", ["0.5310044064107188", "{6: (7.49, 0.35), 1: (12.17, 0.6)}", "5.886"]),
    ],
)
def test_the_notebooks_of_worked_examples_run_and_give_the_figures_of_the_page(name, figures):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(EXAMPLES / "worked" / f"{name}.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells)
    where = {"metadata": {"path": EXAMPLES / "worked"}}
    NotebookClient(notebook, timeout=300, resources=where).execute()
    assert all(cell.outputs for cell in cells)
    shown = [output.get("data", {}).get("text/plain") for cell in cells for output in cell.outputs]
    assert [text for text in shown if text in figures] == figures
