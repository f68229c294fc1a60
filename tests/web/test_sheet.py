"""The functions of a Google Sheet in `examples/reach`, run in node, and a server of boards."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from servers import ServerProcess

ROOT = Path(__file__).resolve().parents[2]
SHEET = ROOT / "examples" / "reach" / "sheet.gs"
NODE = shutil.which("node") or shutil.which("nodejs")

CELLS = [
    (["PUZZLEHUNT", "2x3", [["Guess", "Clue"], ["AB", "w"], ["", ""]]], "BC"),
    (["PUZZLEHUNT", "2x3", [["AB", "w"]], 2], "BC, CA"),
    (["PUZZLEHUNT_LEFT", "2x3", "AB w"], "2 left: BC, CA"),
    (
        ["PUZZLEHUNT", "2x3", [["AB", "w"], ["AC", "bw"]]],
        "line 2: 1 black, 1 white cannot happen with 2 pegs",
    ),
    (["PUZZLEHUNT", "2x3&game=4x6", ""], "no game is called '2x3&game=4x6'"),
]


@pytest.mark.skipif(NODE is None, reason="node is not installed: apt install nodejs")
def test_a_cell_shows_the_answer_or_what_is_wrong(server: ServerProcess) -> None:
    program = ROOT / "tests" / "support" / "programs" / "sheet.js"
    calls = json.dumps([call for call, _ in CELLS])
    command = [str(NODE), str(program), str(SHEET), server.url(""), calls]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    shown = json.loads(done.stdout)
    assert [cell.partition(";")[0] for cell in shown] == [cell for _, cell in CELLS]
