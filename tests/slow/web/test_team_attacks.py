"""A server that is killed loses nothing; answers are of one version, and right."""

import socket
import time
from pathlib import Path

from servers import ServerProcess
from team_attacks import kills, readers


def test_a_server_that_is_killed_loses_no_row(tmp_path: Path) -> None:
    counts = kills(3, 3, tmp_path)
    assert counts["kills"] == 3
    assert counts["rows acknowledged"] > 5
    bad = ("rows lost", "rows nobody sent", "boards that moved")
    assert [counts[name] for name in bad] == [0, 0, 0]


def test_each_answer_is_that_of_the_library_for_its_version(tmp_path: Path) -> None:
    counts = readers(300, 3, tmp_path)
    assert counts["compared"] > 120
    assert counts["different"] == 0
    assert counts["refused"] == 0


def test_a_head_that_takes_too_long_is_refused_and_an_idle_connection_closed(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3")
    try:
        half, idle = (socket.create_connection(("127.0.0.1", server.port)) for _ in range(2))
        for part in (b"GET / HTTP/1.1\r\n", b"Host: localhost\r\n", b"X: 1"):
            half.send(part)
            time.sleep(0.5)
        for connection in (half, idle):
            connection.settimeout(30)
        assert half.recv(1_000).startswith(b"HTTP/1.1 408 ")
        assert idle.recv(1_000) == b""
        half.close()
        idle.close()
    finally:
        server.stop()
