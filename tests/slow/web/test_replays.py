"""Changes that come again since their answer was lost, and boards that are removed."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from servers import ServerProcess

CHANGES: dict[str, tuple[str, dict[str, Any]]] = {
    "row": ("/rows", {"rows": ["AB w", "CC *"]}),
    "fact": ("/lines", {"line": "/fact no C"}),
    "edit": ("/lines", {"line": "/edit 1 w"}),
    "undo": ("/lines", {"line": "/undo", "by": "Ann"}),
    "drop": ("/changes", {"change": {"kind": "drop_row", "row": 2}}),
    "all": ("/changes", {"change": {"kind": "replace_history", "history": ["BC *"]}}),
}


def send(board: str, change: str, **headers: str) -> httpx.Response:
    path, body = CHANGES[change]
    headers = {"If-Match": '"2"', **headers}
    return httpx.post(board + path, json=body, headers=headers, timeout=30)


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
            assert "already been made" in answer.json()["said"][0]
        now = httpx.get(board).json()
        assert (now["history"], now["version"]) == (known[change], 3)
        assert send(board, change, **{"Idempotency-Key": "other"}).status_code == 412


def test_a_server_removes_boards_that_were_deleted_a_day_ago(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "boards", "2x3", "3x4")
    for name in ("2x3", "3x4"):
        httpx.put(f"{server.api(name)}/status", json={"status": "deleted", "by": "Ann"}, timeout=30)
    server.stop()
    with closing(sqlite3.connect(server.folder / "boards.sqlite")) as db, db:
        old = "json_set(status, '$.at', '2020-01-01T00:00:00+00:00')"
        db.execute(f"UPDATE boards SET status = {old} WHERE name = '2x3'")
    server = ServerProcess(server.folder)
    try:
        with closing(sqlite3.connect(server.folder / "boards.sqlite")) as db:
            for _ in range(100):
                left = db.execute("SELECT name FROM boards").fetchall()
                if len(left) == 1:
                    break
                time.sleep(0.1)
        assert left == [("3x4",)]
    finally:
        server.stop()
