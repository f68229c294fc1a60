"""Who may come, and how: addresses, names, proxies, cookies, limits, bodies, and the log."""

import logging
import random
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from puzzlehunt.errors import SessionError
from puzzlehunt.web import guard
from puzzlehunt.web.connections import ConnectionLimits, OneOfAKind, Proxies, visitor_of
from puzzlehunt.web.guard import RateLimiter
from servers import ServerProcess, behind_proxies, from_host, http


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind others: visitors know it by a name, and may come six times a minute."""
    server = behind_proxies(tmp_path_factory.mktemp("behind"))
    yield server
    server.stop()


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
    limits = ConnectionLimits.of_files(files)
    most = limits.connections + limits.boards + 2 * limits.backlog
    assert files - most >= files // 8
    assert limits.a_visitor <= limits.connections // 2
    assert limits.followers < limits.connections


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(guard, "time", made)
    return made


def test_what_is_not_used_up_adds_up_to_a_minute_and_no_more(clock: Clock) -> None:
    rates = RateLimiter(60)
    assert rates.take("ann")
    clock.now += 24 * 3600
    assert rates.left("ann") == 60
    assert [rates.take("ann") for _ in range(61)] == [True] * 60 + [False]
    clock.now += 1.5
    assert rates.left("ann") == pytest.approx(1.5)
    assert [rates.take("ann") for _ in range(2)] == [True, False]


def test_visitors_have_an_allowance_each_and_nobody_owes_more_than_all(clock: Clock) -> None:
    rates, rng = RateLimiter(10), random.Random(0)
    for _ in range(300):
        visitor = rng.choice(["ann", "bob", "cid"])
        left = rates.left(visitor)
        assert 0 <= left <= 10
        assert rates.take(visitor) == (left >= 1)
        clock.now += rng.choice([0, 0.1, 3, 600])
    assert all(RateLimiter(0).take("ann") for _ in range(100))


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


def test_a_server_that_ends_ends_what_is_followed_and_logs_nothing(behind: ServerProcess) -> None:
    headers = {"Authorization": "Bearer pass word", "X-Forwarded-For": "10.5.0.1"}
    address = behind.api("2x3")
    with http.stream("GET", f"{address}/events", headers=headers) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "event: state"
        behind.stop()
        assert list(lines)[-1] == ""
    assert behind.folder.with_suffix(".log").read_text() == behind.output
