"""What people have: files written by the version of 25 November 2026 open, and say the same."""

import json
import shutil
from pathlib import Path

import pytest

from puzzlehunt.web.store import Boards

KEPT = Path(__file__).parents[1] / "data" / "kept"
EXPECTED = json.loads((KEPT / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", EXPECTED["sessions"])
def test_a_session_leaves_what_it_left(run, name):
    told = json.loads(run("candidates", str(KEPT / f"sessions/{name}.yaml"), "--json").out)
    expected = EXPECTED["sessions"][name]
    assert (told["count"], told["exact"]) == (expected["count"], expected["exact"])
    codes = [code if isinstance(code, str) else code["code"] for code in told["candidates"]]
    assert codes[: len(expected["candidates"])] == expected["candidates"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name == "cryptic" else [pytest.mark.slow])
        for name in EXPECTED["sessions"]
    ],
)
def test_a_session_is_played_on_with_its_text_kept(run, name, tmp_path):
    file = shutil.copy(KEPT / f"sessions/{name}.yaml", tmp_path)
    before = Path(file).read_text(encoding="utf-8")
    assert run("play", name, "--session", file, stdin="/doubt 1\n").status < 2
    assert Path(file).read_text(encoding="utf-8") != before
    run("play", name, "--session", file, stdin="/doubt 1\n")
    assert Path(file).read_text(encoding="utf-8") == before


def test_a_board_and_its_journal_keep_rows_authors_and_times(tmp_path):
    folder = Path(shutil.copytree(KEPT / "boards", tmp_path / "boards"))
    token = json.loads((folder / ".hunt.yaml.journal").read_text().splitlines()[0])["token"]
    found = Boards(folder, 5).find(f"hunt-{token}")
    assert found is not None
    board, may_write = found
    assert (board.version, board.title, may_write) == (6, "hunt", True)
    assert Boards(folder, 5).find(board.view_id) is not None
    writers = [board.authors()[number] for number in (1, 2, 3)]
    rows = [line.removeprefix("- ").strip("'") for line in board.text.splitlines()[3:6]]
    kept = [
        [row, writer.name, writer.when.isoformat()]
        for row, writer in zip(rows, writers, strict=True)
    ]
    assert kept == EXPECTED["board"]


@pytest.mark.needs("numba")
def test_a_tournament_and_a_proof_go_on_from_their_checkpoints(run, tmp_path):
    for name, game, strategy, total in [
        ("run", "4x4", "entropy", 912),
        ("proof", "3x5", "optimal", 451),
    ]:
        file = shutil.copy(KEPT / f"{name}.part", tmp_path)
        done = run("lab", "run", game, "--strategy", strategy, "--checkpoint", file, "--json")
        assert json.loads(done.out)["total"] == total
        assert Path(file).read_text().startswith((KEPT / f"{name}.part").read_text())


def test_a_tree_finds_every_secret(run):
    assert run("lab", "verify", str(KEPT / "3x5.tree")).status == 0
