"""A server that is killed loses nothing; answers are of one version, and right."""

import socket
from contextlib import suppress
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


def test_connections_that_keep_the_server_waiting_are_cut(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3")
    try:
        head = b"POST /api/v1/boards HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
        head += b"Content-Type: application/json\r\n"
        waiting = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        for connection, sent in zip(waiting, (b"", head, head + b"\r\ngame=2"), strict=True):
            connection.sendall(sent)
            connection.settimeout(30)
        for connection in waiting:
            with connection, suppress(ConnectionResetError):
                assert connection.recv(1_000) == b""
        with socket.create_connection(("127.0.0.1", server.port)) as last:
            last.sendall(head + b"\r\ngame=2")
            server.stop()
        assert server.folder.with_suffix(".log").read_text() == server.output
    finally:
        server.stop()
