"""Who may come, and how: addresses, names, proxies, cookies, limits, bodies, and the log."""

from collections.abc import Iterator

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from puzzlehunt.errors import SessionError
from puzzlehunt.web.guard import proxies_of, visitor_of
from servers import ServerProcess, behind_proxies, come, http


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with behind_proxies(tmp_path_factory.mktemp("behind")) as server:
        yield server


def test_a_server_with_a_name_answers_to_no_other(behind: ServerProcess) -> None:
    for host, status in (
        ("hunt.example.org", 200), ("HUNT.example.org:443", 200), ("localhost", 200),
        ("elsewhere.example", 421), ("10.1.2.3", 421), ("", 421),
    ):  # fmt: skip
        answer = come(behind, "127.0.0.1", f"10.9.0.{len(host)}", headers={"Host": host})
        assert answer.status_code == status, host


def test_a_cookie_is_sent_from_links_elsewhere_and_over_tls_alone(behind: ServerProcess) -> None:
    form = {"password": "pass word", "to": "/"}
    for host, scheme, is_secure in (
        ("127.0.0.1", "https", True),
        ("127.0.0.2", "https", True),
        ("127.0.0.1", "http", False),
        ("127.0.0.3", "https", False),
    ):
        told = {"X-Forwarded-Proto": scheme}
        entered = come(behind, host, "10.8.0.1", "POST", data=form, headers=told)
        assert entered.status_code == 303
        cookie = set(entered.headers["set-cookie"].casefold().split("; "))
        assert {"samesite=lax", "httponly"} <= cookie
        assert ("secure" in cookie) == is_secure, (host, scheme)


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
    def status(visitor: str, password: str = "wrong") -> int:
        return come(behind, host, visitor, "POST", data={"password": password}).status_code

    assert [status(one) for one in told] == [403] * 10 + [429]
    assert status(told[0], "pass word") == 429
    if another is not None:
        assert status(another) == 403


def test_what_counts_as_a_visitor() -> None:
    for host, visitor in {
        "::ffff:10.0.0.1": "10.0.0.1", "::1": "::1", "fe80::1:2%eth0": "fe80::/64", "x": "x",
    }.items():  # fmt: skip
        assert visitor_of(host) == visitor


def test_a_proxy_is_an_address_a_network_or_a_name() -> None:
    proxies = proxies_of(["172.18.0.0/16", "10.0.0.7", "fd00::/8", "localhost"])
    known = ProxyHeadersMiddleware(lambda *_: None, proxies).trusted_hosts
    for host, is_proxy in (
        ("172.18.3.4", True), ("172.19.0.1", False), ("10.0.0.7", True), ("fd00::9", True),
        ("127.0.0.1", True), ("::ffff:10.0.0.7", True), ("::ffff:172.19.0.1", False), ("x", False),
    ):  # fmt: skip
        assert (host in known) == is_proxy, host
    with pytest.raises(SessionError, match="--proxy no such host: no address, no network"):
        proxies_of(["no such host"])


def test_all_but_what_the_page_of_the_password_needs_is_behind_it(behind: ServerProcess) -> None:
    board = behind.addresses["2x3"].rpartition("/")[2]
    for number, (method, path, status) in enumerate((
        ("GET", f"/b/{board}/qr.svg", 401), ("GET", f"/b/{board}", 401), ("GET", "/", 401),
        ("GET", "/password", 200), ("GET", "/static/x", 404), ("POST", "/check", 401),
        ("POST", f"/b/{board}/status", 401), ("GET", f"/api/v1/boards/{board}", 401),
    )):  # fmt: skip
        headers = {"Host": "localhost", "X-Forwarded-For": f"10.4.0.{number}"}
        assert http.request(method, behind.url(path), headers=headers).status_code == status, path


@pytest.mark.parametrize("path", ["/b/x/nickname", "/api/v1/boards", "/boards", "/password"])
def test_an_answer_to_a_large_body_in_chunks_arrives(behind: ServerProcess, path: str) -> None:
    chunks = (b"a" * 10_000 for _ in range(50))
    kind = "json" if path.startswith("/api") else "x-www-form-urlencoded"
    headers = {"Content-Type": f"application/{kind}", "Authorization": "Bearer pass word"}
    answer = http.post(behind.url(path), content=chunks, headers=headers)
    assert answer.status_code == 413
    assert answer.json()["detail"]


def test_a_server_that_ends_ends_what_is_followed_and_logs_nothing(behind: ServerProcess) -> None:
    headers = {"Authorization": "Bearer pass word", "X-Forwarded-For": "10.5.0.1"}
    address = behind.api("2x3")
    with http.stream("GET", f"{address}/events", headers=headers) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "event: state"
        behind.stop()
        assert list(lines)[-1] == ""
    assert behind.folder.with_suffix(".log").read_text() == behind.output
