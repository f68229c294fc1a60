"""Changes that come again since their answer was lost, and files that others change."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from servers import ServerProcess

CHANGES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "row": ("POST", "/rows", {"rows": ["AB w", "CC *"]}),
    "fact": ("POST", "/facts", {"fact": "no C"}),
    "edit": ("PATCH", "/rows/1", {"row": "w"}),
    "drop": ("DELETE", "/rows/1", {}),
    "undo": ("POST", "/undo", {"by": "Ann"}),
    "change": ("POST", "/changes", {"change": {"kind": "drop_row", "row": 2}}),
    "line": ("POST", "/lines", {"line": "/fact contains A"}),
    "all": ("PUT", "/history", {"turns": ["BC *"]}),
}


def send(board: str, change: str, **headers: str) -> httpx.Response:
    method, path, body = CHANGES[change]
    headers = {"If-Match": '"2"', **headers}
    with httpx.Client(headers=headers, timeout=30) as client:
        if method == "DELETE":
            return client.delete(board + path)
        return client.request(method, board + path, json=body)


def test_a_change_sent_again_after_a_kill_is_made_once(server: ServerProcess) -> None:
    boards = {}
    for change in CHANGES:
        boards[change] = server.make(game="2x3")
        for row in ("AB *", "AC *"):
            httpx.post(f"{boards[change]}/rows", json={"rows": [row], "by": "Ann"}, timeout=30)
        answer = send(boards[change], change, **{"Idempotency-Key": "k"})
        assert (answer.status_code, answer.json()["version"]) == (200, 3), answer.text
    known = {change: httpx.get(board).json()["history"] for change, board in boards.items()}
    port = server.port
    server.kill()
    server.start(port)
    for change, board in boards.items():
        for _ in range(2):
            answer = send(board, change, **{"Idempotency-Key": "k"})
            assert (answer.status_code, answer.json()["version"]) == (200, 3), change
        now = httpx.get(board).json()
        assert (now["history"], now["version"]) == (known[change], 3)
        assert send(board, change, **{"Idempotency-Key": "other"}).status_code == 412
    form = {"line": "/fact no B", "once": "0123"}
    page = boards["fact"].replace("/api/v1/boards/", "/b/")
    accept = {"Accept": "application/json"}
    assert httpx.post(page, data=form, headers=accept, timeout=30).status_code == 200
    server.kill()
    server.start(port)
    again = httpx.post(page, data=form, headers=accept, timeout=30)
    assert "already been made" in again.json()["fragments"]["said"]
    assert httpx.get(boards["fact"]).json()["facts"] == ["no C", "no B"]


@pytest.fixture
def follow(server: ServerProcess) -> Iterator[Callable[[str], Iterator[dict[str, Any]]]]:
    """A function that yields the events of a board, for a while."""
    end = time.monotonic() + 30
    with httpx.Client(timeout=20) as client:

        def events(board: str) -> Iterator[dict[str, Any]]:
            with client.stream("GET", f"{board}/events") as answer:
                for line in answer.iter_lines():
                    assert time.monotonic() < end
                    if line.startswith("data:"):
                        yield json.loads(line[5:])

        yield events


def test_a_file_edited_by_hand_reaches_those_who_follow_its_board(
    server: ServerProcess, follow: Callable[[str], Iterator[dict[str, Any]]]
) -> None:
    board = server.make(game="2x3")
    name = httpx.get(board).json()["name"]
    file = Path(server.folder, f"{name}.yaml")
    events = follow(board)
    next(events)
    file.write_text("game: 2x3\nturns: [AB b]\n")
    event = next(e for e in events if e["version"] == 1)
    assert event["items"]["length"] == 1
    file.write_text("turns: [")
    event = next(e for e in events if e["fragments"].get("trouble"))
    assert f"{name}.yaml" in event["fragments"]["trouble"]
    file.write_text("game: 2x3\nturns: [AB b, AC *]\n")
    event = next(e for e in events if e["version"] == 2)
    assert event["items"]["length"] == 2
    trouble = next(e["fragments"]["trouble"] for e in events if "trouble" in e["fragments"])
    assert trouble == ""


def test_a_server_starts_beside_a_journal_that_cannot_be_read(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3")
    server.stop()
    journal = server.folder / ".2x3.yaml.journal"
    journal.unlink()
    journal.mkdir()
    (server.folder / ".2x3.yaml.abcd1234.tmp").write_text("half")
    server = ServerProcess(server.folder, "2x3", "3x4")
    try:
        assert set(server.addresses) == {"", "3x4"}
        assert ".2x3.yaml.journal: " in server.output
        assert httpx.get(server.api("3x4"), timeout=30).status_code == 200
        answer = httpx.get(server.url(f"/api/v1/boards/2x3-{'a' * 22}"), timeout=30)
        assert answer.status_code == 503
        assert not (server.folder / ".2x3.yaml.abcd1234.tmp").exists()
    finally:
        server.stop()


def test_a_server_removes_boards_that_were_deleted_a_day_ago(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3", "3x4")
    for name in ("2x3", "3x4"):
        httpx.put(f"{server.api(name)}/status", json={"status": "deleted", "by": "Ann"}, timeout=30)
    server.stop()
    journal = server.folder / ".2x3.yaml.journal"
    head = json.loads(journal.read_text().splitlines()[-1])
    old = {**head, "at": "2020-01-01T00:00:00+00:00"}
    journal.write_text(f"{journal.read_text()}\n{json.dumps(old)}")
    server = ServerProcess(server.folder)
    try:
        for _ in range(100):
            if not journal.exists():
                break
            time.sleep(0.1)
        left = {path.name for path in server.folder.iterdir() if "yaml" in path.name}
        assert {"3x4.yaml", ".3x4.yaml.journal"} <= left
        assert not [name for name in left if "2x3" in name]
    finally:
        server.stop()
