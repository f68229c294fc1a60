"""Who may come, and how: addresses, names, proxies, cookies, limits, bodies, and the log."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx
import pytest

from servers import ServerProcess, behind_proxies, http


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


def test_a_server_for_everybody_prints_an_address_that_others_can_open(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3", "--host", "0.0.0.0", files=128)
    try:
        assert "and make boards" in server.output
        printed = server.addresses[""]
        others = [line for line in _own_addresses() if not line.startswith("127.")]
        assert "0.0.0.0" not in printed or not others
        assert httpx.get(server.addresses["2x3"], timeout=30).status_code == 200
        assert httpx.get(printed, headers={"Host": "any.example"}).status_code == 200
    finally:
        server.stop()


def _own_addresses() -> list[str]:
    import psutil

    known = [one for addresses in psutil.net_if_addrs().values() for one in addresses]
    return [one.address for one in known if one.family == socket.AF_INET]


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with behind_proxies(tmp_path_factory.mktemp("behind")) as server:
        yield server


# Limits.


def test_connections_with_half_a_head_keep_nobody_out(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3", files=128)
    try:
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


# Bodies.


@pytest.mark.parametrize("path", ["/b/x/nickname", "/api/v1/boards", "/boards", "/password"])
def test_an_answer_to_a_large_body_in_chunks_arrives(behind: ServerProcess, path: str) -> None:
    chunks = (b"a" * 10_000 for _ in range(50))
    kind = "json" if path.startswith("/api") else "x-www-form-urlencoded"
    headers = {"Content-Type": f"application/{kind}", "Authorization": "Bearer pass word"}
    answer = http.post(behind.url(path), content=chunks, headers=headers)
    assert answer.status_code == 413
    assert answer.json()["detail"]
