"""Who may come, and how: addresses, names, proxies, cookies, limits, bodies, and the log."""

import socket
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx

from servers import ServerProcess


def test_serve_prints_the_addresses_of_the_boards_that_are_named(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3")
    try:
        server.make(game="2x3", name="Our hunt")
        assert set(server.addresses) == {"", "2x3"}
        server.stop()
        server.start()
        assert set(server.addresses) == {"", "2x3"}
        assert f"1 more in {server.folder}" in server.output
        server.stop()
        server = ServerProcess(server.folder)
        assert set(server.addresses) == {""}
        server.stop()
        server = ServerProcess(server.folder, "our-hunt")
        assert set(server.addresses) == {"", "our-hunt"}
    finally:
        server.stop()


def test_connections_with_half_a_head_keep_nobody_out(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3", "--host", "0.0.0.0", files=128)
    try:
        assert "and make boards" in server.output
        printed = server.addresses[""]
        assert "0.0.0.0" not in printed
        assert httpx.get(printed, headers={"Host": "any.example"}).status_code == 200
        # Who sits at the server shares the address by which others know it.
        path = server.api("2x3").removeprefix(printed.rstrip("/"))
        board = httpx.get(f"http://127.0.0.1:{server.port}{path}").json()
        assert board["address"].startswith(printed)
        with ExitStack() as held:
            for _ in range(3):
                heads = []
                for _ in range(100):
                    head = held.enter_context(closing(socket.socket()))
                    with suppress(OSError):
                        head.connect(("127.0.0.1", server.port))
                        head.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
                        heads.append(head)
                answer = httpx.get(server.api("2x3"), timeout=30)
                assert answer.status_code == 200
            ended = [_ended_with(head) for head in heads]
            assert ended.count(None) <= 80  # half of the files, and those accepted at once
        assert server.folder.with_suffix(".log").read_text().count("\n") < 8
    finally:
        server.stop()


def _ended_with(head: socket.socket) -> bytes | None:
    """Return what came before a connection was closed; None where it is open."""
    head.setblocking(False)
    try:
        return head.recv(1_000)
    except BlockingIOError:
        return None
    except OSError:
        return b""
