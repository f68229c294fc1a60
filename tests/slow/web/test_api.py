"""The API of a running server: changes, versions, questions, refusals."""

import subprocess
import sys
from pathlib import Path

import httpx

from servers import ServerProcess


def test_a_password_is_asked_for(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("pass word\n")
    server = ServerProcess(tmp_path / "boards", "2x3", "--password-file", str(secret))
    try:
        address = server.addresses["2x3"]
        page = httpx.get(address, headers={"Accept": "text/html"})
        assert (page.status_code, "with any user name" in page.text) == (401, True)
        for path in (address, server.api("2x3")):
            assert httpx.get(path).headers["www-authenticate"][:5] == "Basic"
            assert httpx.get(path, auth=("", "pass word")).status_code == 200
        assert httpx.get(address, auth=("", "wrong")).status_code == 401
        assert "pass word" not in server.folder.with_suffix(".log").read_text()
    finally:
        server.stop()


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
