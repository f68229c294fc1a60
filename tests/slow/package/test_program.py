"""The program as one file, where neither Python nor any package is found."""

import subprocess
import sys
from pathlib import Path

import pytest

from cases import cases
from servers import ServerProcess, http

pytestmark = pytest.mark.nightly
SPEC = Path(__file__).resolve().parents[3] / "tools" / "program.spec"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("program") / "puzzlehunt"
    to = [f"--distpath={made.parent}", f"--workpath={made.parent / 'work'}"]
    subprocess.run([sys.executable, "-m", "PyInstaller", *to, str(SPEC)], check=True)
    assert made.stat().st_size < 90_000_000
    return made


@pytest.mark.parametrize(("line", "row", "printed"), cases("commands"))
def test_a_command_answers(program: Path, line: str, row: str, printed: str) -> None:
    alone = {"HOME": str(program.parent), "PATH": ""}
    command = [program, *line.split()]
    assert printed in subprocess.check_output(command, input=row, env=alone, text=True, timeout=60)


def test_a_board_is_served_and_answers(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ServerProcess, "program", [str(program)])
    server = ServerProcess(tmp_path / "boards", "cryptic")
    try:
        assert "Cryptic Mastermind" in http.get(server.addresses["cryptic"]).text
        assert http.get(f"{server.api('cryptic')}/suggestions").json()["count"] == 3386
    finally:
        server.stop()
