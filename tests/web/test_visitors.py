"""Who may come, and how: addresses, names, proxies, passwords, limits, bodies, and the log."""

from collections.abc import Iterator

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from puzzlehunt.errors import SessionError
from puzzlehunt.web.guard import visitor_of
from puzzlehunt.web.server import proxies_of
from servers import ServerProcess, behind_proxies, come, http

RIGHT = ("", "pass word")


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with behind_proxies(tmp_path_factory.mktemp("behind")) as server:
        yield server


def test_a_server_with_a_name_answers_to_no_other(behind: ServerProcess) -> None:
    for host, status in (
        ("hunt.example.org", 200), ("HUNT.example.org:443", 200), ("localhost", 200),
        ("elsewhere.example", 421), ("10.1.2.3", 421), ("", 421),
    ):  # fmt: skip
        answer = come(behind, "127.0.0.1", "10.9.0.1", headers={"Host": host}, auth=RIGHT)
        assert answer.status_code == status, host


@pytest.mark.parametrize(
    ("host", "told", "another"),
    [
        ("127.0.0.1", ["10.7.0.1"] * 11, "10.7.1.1"),
        ("127.0.0.2", ["10.7.0.2"] * 11, "10.7.1.2"),
        ("127.0.1.9", ["10.7.0.9"] * 11, "10.7.1.9"),
        # Nobody else is believed who they are; an IPv6 network of 64 bits is one visitor.
        ("127.0.0.9", [f"10.6.0.{n}" for n in range(11)], None),
        ("127.0.0.1", [f"2001:db8:1:2:{n}::{n}" for n in range(1, 12)], "2001:db8:1:3::1"),
    ],
)
def test_visitors_are_told_apart_by_a_proxy_that_is_known(
    behind: ServerProcess, host: str, told: list[str], another: str | None
) -> None:
    def status(visitor: str, password: str) -> int:
        return come(behind, host, visitor, auth=("Ann", password)).status_code

    assert [status(told[0], "once") for _ in range(12)] == [401] * 12
    assert [status(one, f"wrong {n}") for n, one in enumerate(told)] == [401] * 9 + [429] * 2
    assert status(told[0], "pass word") == 429
    if another is not None:
        assert status(another, "pass word") == 200


def test_what_counts_as_a_visitor() -> None:
    for host, visitor in {
        "::ffff:10.0.0.1": "10.0.0.1", "fe80::1:2%eth0": "fe80::/64", "x": "x",
    }.items():  # fmt: skip
        assert visitor_of(host) == visitor


def test_a_proxy_is_an_address_or_a_network() -> None:
    proxies = proxies_of(["172.18.0.0/16", "10.0.0.7", "fd00::/8"])
    known = ProxyHeadersMiddleware(lambda *_: None, proxies).trusted_hosts
    for host, is_proxy in (
        ("172.18.3.4", True), ("172.19.0.1", False), ("10.0.0.7", True), ("fd00::9", True),
        ("127.0.0.1", True), ("x", False),
    ):  # fmt: skip
        assert (host in known) == is_proxy, host
    with pytest.raises(SessionError, match="--proxy: 'nginx' does not appear to be"):
        proxies_of(["nginx"])


def test_all_but_the_files_of_pages_is_behind_the_password(behind: ServerProcess) -> None:
    board = behind.addresses["2x3"].rpartition("/")[2]
    for method, path, status in (
        ("GET", f"/b/{board}/qr.svg", 401), ("GET", f"/b/{board}", 401), ("GET", "/", 401),
        ("GET", "/static/x", 404), ("POST", f"/b/{board}", 401),
        ("GET", f"/api/v1/boards/{board}", 401), ("GET", "/api/openapi.json", 401),
    ):  # fmt: skip
        answer = http.request(method, behind.url(path), headers={"Host": "localhost"})
        assert answer.status_code == status, path
        assert ("www-authenticate" in answer.headers) == (status == 401)


@pytest.mark.parametrize("path", ["/api/v1/boards", "/api/v1/boards/x/lines"])
def test_an_answer_to_a_large_body_in_chunks_arrives(behind: ServerProcess, path: str) -> None:
    chunks = (b"a" * 10_000 for _ in range(50))
    headers = {"Content-Type": "application/json"}
    answer = http.post(behind.url(path), content=chunks, headers=headers, auth=RIGHT)
    assert answer.status_code == 413
    assert answer.json()["detail"]


def test_a_server_that_ends_ends_what_is_followed_and_logs_nothing(behind: ServerProcess) -> None:
    with http.stream("GET", f"{behind.api('2x3')}/events", auth=RIGHT) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "event: state"
        behind.stop()
        assert list(lines)[-1] == ""
    assert behind.folder.with_suffix(".log").read_text() == behind.output
