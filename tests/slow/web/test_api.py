"""The API of a running server: changes, versions, questions, refusals."""

import subprocess
import sys
from pathlib import Path

from servers import ServerProcess


def test_a_server_that_cannot_begin_says_why_in_a_line(
    server: ServerProcess, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder, port, problem in (
        (tmp_path / "boards", server.port, f"127.0.0.1:{server.port} cannot be served"),
        (server.folder, 0, "another puzzlehunt serves this folder"),
        (file, 0, "cannot be written"),
    ):
        command = ["serve", "--data", str(folder), "--port", str(port)]
        ended = subprocess.run(
            [sys.executable, "-m", "puzzlehunt", *command],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.count("\n") == 1
        assert problem in ended.stderr
