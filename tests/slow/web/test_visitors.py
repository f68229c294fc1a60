"""Who may come, and how: addresses, names, proxies, cookies, limits, bodies, and the log."""

import asyncio
import json
import socket
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from puzzlehunt.web.board_folder import Boards
from puzzlehunt.web.guard import Password
from puzzlehunt.web.http_errors import HttpError
from puzzlehunt.web.server import make_app
from puzzlehunt.web.state import Server
from servers import ServerProcess, behind_proxies, come


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
            assert ended.count(None) <= 64
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


def test_boards_that_are_followed_are_not_more_than_may_be_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlehunt.web.state._MOST_OPEN", 2)
    boards = Boards(tmp_path, 10)
    server = Server(boards, 2, 8)

    async def follow() -> None:
        made = [boards.create("2x3") for _ in range(4)]
        for board in made:
            server.live(board)
        assert [board._session is None for board in made[:2]] == [True, True]
        for board in made[2:]:
            server.live(board).presence.come("somebody", "")
        with pytest.raises(HttpError, match="too many boards"):
            server.live(made[0])
        assert server.live(made[3]).followers == 1

    asyncio.run(follow())


# Bodies.


@pytest.mark.parametrize("path", ["/b/x/nickname", "/api/v1/boards", "/boards", "/password"])
def test_a_body_in_chunks_that_is_large_is_refused(tmp_path: Path, path: str) -> None:
    app = make_app(Server(Boards(tmp_path, 5), 2, 128), Password("", ""), ())
    is_api = path.startswith("/api")
    kind_of_body = b"application/json" if is_api else b"application/x-www-form-urlencoded"
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"a" * 50_000, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
        "query_string": b"", "root_path": "", "scheme": "http", "http_version": "1.1",
        "headers": [(b"host", b"localhost"), (b"content-type", kind_of_body)],
        "client": ("10.0.0.1", 9), "server": ("localhost", 80), "state": {},
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    assert [message.get("status") for message in sent[:1]] == [413]
    assert json.loads(sent[1]["body"])["detail"]


def test_an_answer_to_a_large_body_in_chunks_arrives(tmp_path: Path) -> None:
    chunks = (b"a" * 10_000 for _ in range(50))
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    with behind_proxies(tmp_path) as server:
        answer = come(server, "127.0.0.1", "10.5.0.1", "POST", content=chunks, headers=form)
    assert answer.status_code == 413
