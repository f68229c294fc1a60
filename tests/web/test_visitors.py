"""Who may come, and how: addresses, names, proxies, cookies, limits, bodies, and the log."""

import asyncio
import json
import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from puzzlehunt.errors import SessionError
from puzzlehunt.web.boards import Boards
from puzzlehunt.web.connections import Limits, OneOfAKind, Proxies, visitor_of
from puzzlehunt.web.guard import Password
from puzzlehunt.web.http_errors import HttpError
from puzzlehunt.web.server import make_app
from puzzlehunt.web.state import Server
from servers import ServerProcess


def from_host(host: str) -> httpx.Client:
    """Return a visitor who comes from an address of this machine."""
    return httpx.Client(transport=httpx.HTTPTransport(local_address=host), timeout=30)


# Addresses that are printed.


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
        assert "everybody who can reach this machine can come" in server.output
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


# Names, proxies, cookies.


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind others: visitors know it by a name, and may come six times a minute."""
    folder = tmp_path_factory.mktemp("behind")
    secret = folder / "secret"
    secret.write_text("pass word\n")
    server = ServerProcess(
        folder / "boards", "2x3", "--host", "0.0.0.0", "--name", "hunt.example.org",
        "--proxy", "127.0.0.2", "--proxy", "127.0.1.0/24", "--requests", "6",
        "--password-file", str(secret), port=free_port(),
    )  # fmt: skip
    yield server
    server.stop()


def free_port() -> int:
    """Return a port that nothing listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _come(
    behind: ServerProcess, host: str, told: str, method: str = "GET", **more: Any
) -> httpx.Response:
    headers = {"X-Forwarded-For": told, **more.pop("headers", {})}
    with from_host(host) as visitor:
        address = f"http://127.0.0.1:{behind.port}/password"
        return visitor.request(method, address, headers=headers, **more)


def test_a_server_with_a_name_answers_to_no_other(behind: ServerProcess) -> None:
    for host, status in (
        ("hunt.example.org", 200),
        ("HUNT.example.org:443", 200),
        ("localhost", 200),
        ("elsewhere.example", 421),
        ("10.1.2.3", 421),
        ("", 421),
    ):
        answer = _come(behind, "127.0.0.1", f"10.9.0.{len(host)}", headers={"Host": host})
        assert answer.status_code == status, host


def test_a_cookie_is_sent_from_links_elsewhere_and_over_tls_alone(behind: ServerProcess) -> None:
    for host, scheme, is_secure in (
        ("127.0.0.1", "https", True),
        ("127.0.0.2", "https", True),
        ("127.0.0.1", "http", False),
        ("127.0.0.3", "https", False),
    ):
        form = {"password": "pass word", "to": "/"}
        entered = _come(
            behind, host, "10.8.0.1", "POST", data=form, headers={"X-Forwarded-Proto": scheme}
        )
        assert entered.status_code == 303
        cookie = entered.headers["set-cookie"].casefold()
        assert "samesite=lax" in cookie
        assert "httponly" in cookie
        assert ("; secure" in cookie) == is_secure, (host, scheme)


@pytest.mark.parametrize("proxy", ["127.0.0.1", "127.0.0.2", "127.0.1.9"])
def test_visitors_by_a_proxy_are_told_apart(behind: ServerProcess, proxy: str) -> None:
    one, other = f"10.7.0.{proxy[-1]}", f"10.7.1.{proxy[-1]}"
    assert [_come(behind, proxy, one).status_code for _ in range(7)] == [200] * 6 + [429]
    assert _come(behind, proxy, other).status_code == 200


def test_nobody_else_is_believed_who_they_are(behind: ServerProcess) -> None:
    came = [_come(behind, "127.0.0.9", f"10.6.0.{n}").status_code for n in range(7)]
    assert came == [200] * 6 + [429]


def test_an_ipv6_network_of_64_bits_is_one_visitor(behind: ServerProcess) -> None:
    same = [f"2001:db8:1:2:{n}::{n}" for n in range(1, 8)]
    came = [_come(behind, "127.0.0.1", host).status_code for host in same]
    assert came == [200] * 6 + [429]
    assert _come(behind, "127.0.0.1", "2001:db8:1:3::1").status_code == 200


@pytest.mark.parametrize(
    ("host", "visitor"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("::1", "::1"),
        ("fe80::1:2%eth0", "fe80::/64"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_what_counts_as_a_visitor(host: str, visitor: str) -> None:
    assert visitor_of(host) == visitor


def test_a_proxy_is_an_address_a_network_or_a_name() -> None:
    proxies = Proxies(["172.18.0.0/16", "10.0.0.7", "fd00::/8", "localhost"])
    for host, is_proxy in (("172.18.3.4", True), ("172.19.0.1", False), ("10.0.0.7", True),
                           ("fd00::9", True), ("127.0.0.1", True), ("x", False)):  # fmt: skip
        assert (host in proxies) == is_proxy, host
    with pytest.raises(SessionError, match="--proxy no such host: no address, no network"):
        Proxies(["no such host"])


# Limits.


@pytest.mark.parametrize("files", [64, 256, 1024, 4096, 20_000])
def test_limits_leave_files_for_everything_else(files: int) -> None:
    limits = Limits.of_files(files)
    most = limits.connections + limits.boards + 2 * limits.backlog
    assert files - most >= files // 8
    assert limits.a_visitor <= limits.connections // 2
    assert limits.followers < limits.connections


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
def test_connections_with_half_a_head_keep_nobody_out(tmp_path: Path, host: str) -> None:
    """From a proxy's address, which any number of visitors may share, and from another one."""
    server = ServerProcess(tmp_path / "boards", "2x3", files=128)
    most = (
        Limits.of_files(128).connections if host == "127.0.0.1" else Limits.of_files(128).a_visitor
    )
    try:
        with ExitStack() as held:
            for _ in range(3):
                heads = []
                for _ in range(100):
                    head = held.enter_context(closing(socket.socket()))
                    head.bind((host, 0))
                    with suppress(OSError):
                        head.connect(("127.0.0.1", server.port))
                        head.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
                        heads.append(head)
                answer = httpx.get(server.api("2x3"), timeout=30)
                assert answer.status_code == 200
            ended = [_ended_with(head) for head in heads]
            assert ended.count(None) <= most
            refused = [text for text in ended if text]
            assert refused
            assert all(b" 503 " in text.splitlines()[0] for text in refused)
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


def test_boards_that_are_followed_are_not_more_than_may_be_open(tmp_path: Path) -> None:
    limits = Limits(connections=8, a_visitor=8, followers=8, boards=2, backlog=1)
    boards = Boards(tmp_path, 10)
    server = Server(boards, 2, limits)

    async def follow() -> None:
        made = [boards.create("2x3") for _ in range(4)]
        for board in made:
            server.live(board)
        assert [board._session is None for board in made[:2]] == [True, True]
        for board in made[2:]:
            server.live(board)._followers["somebody"] = ""
        with pytest.raises(HttpError, match="too many boards"):
            server.live(made[0])
        assert server.live(made[3]).followers == 1

    asyncio.run(follow())


# Bodies.


@pytest.mark.parametrize("path", ["/b/x/nickname", "/api/v1/boards", "/boards", "/password"])
@pytest.mark.parametrize(("kind", "status"), [("slow", 408), ("large", 413)])
def test_a_body_in_chunks_that_is_slow_or_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, kind: str, status: int
) -> None:
    if kind == "slow":
        monkeypatch.setattr("puzzlehunt.web.guard._LONGEST_BODY", 0.3)
    server = Server(Boards(tmp_path, 5), 2, Limits.of_files(256))
    app = make_app(server, Password("", ""), 0, ())
    is_api = path.startswith("/api")
    kind_of_body = b"application/json" if is_api else b"application/x-www-form-urlencoded"
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.05 if kind == "slow" else 0)
        body = b"a" if kind == "slow" else b"a" * 50_000
        return {"type": "http.request", "body": body, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
        "query_string": b"", "root_path": "", "scheme": "http", "http_version": "1.1",
        "headers": [(b"host", b"localhost"), (b"content-type", kind_of_body)],
        "client": ("10.0.0.1", 9), "server": ("localhost", 80), "state": {},
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    assert [message.get("status") for message in sent[:1]] == [status]
    assert json.loads(sent[1]["body"])["detail"]


def test_an_answer_to_a_large_body_in_chunks_arrives(behind: ServerProcess) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(50):
            yield b"a" * 10_000

    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = _come(behind, "127.0.0.1", "10.5.0.1", "POST", content=chunks(), headers=form)
    assert answer.status_code == 413


# The log.


def test_of_a_kind_of_trouble_one_line_a_minute_is_logged() -> None:
    logger, lines = logging.Logger("trouble"), list[str]()
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    few = OneOfAKind()
    logger.addFilter(few)
    logger.addHandler(handler)

    def fail(error: Exception) -> None:
        try:
            raise error
        except Exception:
            logger.exception("failed: %s", error)

    for number in range(50):
        fail(ValueError(f"no. {number}"))
        logger.error("%d is another kind", number)
    fail(KeyError("other"))
    assert lines == ["failed: no. 0", "0 is another kind", "failed: 'other'"]
    few._kinds = {kind: (then - 30, left) for kind, (then, left) in few._kinds.items()}
    fail(ValueError("in between"))
    few._kinds = {kind: (then - 31, left) for kind, (then, left) in few._kinds.items()}
    fail(ValueError("again"))
    assert lines[-1] == "failed: again (50 more of this kind since the last)"
