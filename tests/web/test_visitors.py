"""Who may come, and how: names, proxies, passwords, bodies, and the log."""

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from puzzlehunt import connect
from servers import ServerProcess, free_port, http

RIGHT = ("", "pass word")
LOCAL = {"Host": "localhost"}


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a password that visitors know by a name."""
    folder = tmp_path_factory.mktemp("behind")
    (folder / "secret").write_text("pass word\n")
    server = ServerProcess(
        folder / "boards", "2x3", "--host", "0.0.0.0", "--name", "hunt.example.org",
        "--password-file", str(folder / "secret"), port=free_port(),
    )  # fmt: skip
    yield server
    server.stop()


def test_a_server_with_a_name_answers_to_no_other(behind: ServerProcess) -> None:
    for host, status in (
        ("hunt.example.org", 200), ("HUNT.example.org:443", 200), ("localhost", 200),
        ("elsewhere.example", 421), ("10.1.2.3", 421), ("", 421),
    ):  # fmt: skip
        answer = http.get(behind.url("/"), headers={"Host": host}, auth=RIGHT)
        assert answer.status_code == status, host


def test_whoever_has_not_the_password_is_refused_however_often(behind: ServerProcess) -> None:
    wrong = [("Ann", f"wrong {n}") for n in range(12)]
    for auth, status in (*((one, 401) for one in wrong), (("Ann", RIGHT[1]), 200)):
        assert http.get(behind.url("/"), headers=LOCAL, auth=auth).status_code == status
    page = http.get(behind.url("/"), headers=LOCAL | {"Accept": "text/html"})
    assert "with any user name" in page.text
    for header in ("", "Basic", "Basic ?", "Bearer x", "Basic \xff"):
        told = LOCAL | {"Authorization": header.encode("latin-1")}
        assert http.get(behind.url("/"), headers=told).status_code == 401


def test_a_proxy_says_how_visitors_have_come(behind: ServerProcess) -> None:
    told = {"Host": "hunt.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "10.9.0.1"}
    for headers, path in ((told, ""), (LOCAL | {"X-Forwarded-Prefix": "/hunt/"}, "/hunt")):
        board = http.get(behind.api("2x3"), headers=headers, auth=RIGHT).json()
        assert board["address"] == f"https://hunt.example.org{path}/b/{board['board']}"
        refused = http.get(behind.url("/api/v1/boards/x"), headers=headers, auth=RIGHT)
        assert refused.json() == {"detail": "there is no board with this address"}


def test_a_server_may_have_all_below_a_path_whether_a_proxy_takes_it_away_or_not(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3", "--root-path", "hunt/")
    try:
        address = server.addresses["2x3"]
        origin, board = address.split("/hunt/b/")
        page = http.get(address).text + http.get(server.url("")).text
        paths = set(re.findall(r'(?:href|src|action|data-api|data-typing)="(/.*?)"', page))
        assert {path.split("/")[2] for path in paths} == {"", "static", "api", "b"}
        for path in {*paths, f"/hunt/api/v1/boards/{board}/events"}:
            for asked in (path, path.removeprefix("/hunt")):
                method = "POST" if path.endswith(("/next", "/typing")) else "GET"
                with http.stream(method, origin + asked) as answer:
                    assert answer.status_code in (200, 303, 422), asked
        assert http.post(f"{origin}/hunt/api/v1/boards", content="x").status_code == 415
        ann = connect(address)
        ann.play("AB b")
        assert http.get(server.make(game="2x3")).json()["address"].startswith(f"{origin}/hunt/b/")
        assert http.get(server.api("2x3")).json()["history"]["turns"] == ["AB B"]
        ann.close()
    finally:
        server.stop()


def test_all_but_the_files_of_pages_is_behind_the_password(behind: ServerProcess) -> None:
    board = behind.addresses["2x3"].rpartition("/")[2]
    for method, path, status in (
        ("GET", f"/b/{board}", 401), ("GET", "/", 401),
        ("GET", "/static/x", 404), ("POST", f"/b/{board}", 401),
        ("GET", f"/api/v1/boards/{board}", 401), ("GET", "/api/openapi.json", 401),
    ):  # fmt: skip
        answer = http.request(method, behind.url(path), headers=LOCAL)
        assert answer.status_code == status, path
        assert ("www-authenticate" in answer.headers) == (status == 401)


@pytest.mark.parametrize("path", ["/api/v1/boards", "/api/v1/boards/x/lines"])
def test_an_answer_to_a_large_body_arrives(behind: ServerProcess, path: str) -> None:
    whole, chunks = b"a" * 500_000, (b"a" * 10_000 for _ in range(50))
    for body, status in ((whole, 413), (chunks, 411)):
        headers = {"Content-Type": "application/json"}
        answer = http.post(behind.url(path), content=body, headers=headers, auth=RIGHT)
        assert answer.status_code == status
        assert answer.json()["detail"]


def test_a_server_that_ends_ends_what_is_followed_and_logs_nothing(behind: ServerProcess) -> None:
    events = f"{behind.api('2x3')}/events"
    with ThreadPoolExecutor(40) as crowd, http.stream("GET", events, auth=RIGHT) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "event: state"
        for _ in range(40):  # of whom some are still let in
            crowd.submit(http.get, events, auth=RIGHT)
        time.sleep(0.1)
        behind.stop()
        assert list(lines)[-1] == ""
    assert behind.folder.with_suffix(".log").read_text() == behind.output
