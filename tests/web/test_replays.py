"""Changes that come again since their answer was lost, and files that others change."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from servers import ServerProcess

CHANGES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "row": ("POST", "/rows", {"rows": ["AB w", "CC *"]}),
    "fact": ("POST", "/facts", {"fact": "no C"}),
    "edit": ("PATCH", "/rows/1", {"row": "w"}),
    "drop": ("DELETE", "/rows/1", {}),
    "undo": ("POST", "/undo", {}),
    "change": ("POST", "/changes", {"change": {"kind": "drop_row", "row": 2}}),
    "line": ("POST", "/lines", {"line": "/fact contains A"}),
    "all": ("PUT", "/history", {"turns": ["BC *"]}),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("boards"), "--requests", "0")
    yield server
    server.stop()
    assert "Traceback" not in server.folder.with_suffix(".log").read_text()


def test_rows_that_are_added_are_answered_with_numbers_and_effects(server: ServerProcess) -> None:
    board = server.make(game="2x3")

    def add(*rows: str, **headers: str) -> list[tuple[int, str, str]]:
        answer = httpx.post(f"{board}/rows", json={"rows": rows}, headers=headers, timeout=30)
        return [(row["turn"], row["text"], row["effect"]) for row in answer.json()["rows"]]

    assert add("AB b_", "AC *") == [(1, "AB B_", "new"), (2, "AC *", "new")]
    assert add("AB b", "AC *", "CC w") == [
        (1, "AB B", "completed"),
        (2, "AC *", "known"),
        (3, "CC W", "new"),
    ]
    key = {"Idempotency-Key": "again"}
    assert add("AB ww", **key) == [(1, "AB WW", "replaced")]
    assert add("AB ww", **key) == [(1, "AB WW", "known")]


def test_a_sheet_reads_truth_values_in_lower_case(server: ServerProcess) -> None:
    answer = httpx.get(server.url("/api/v1/suggest.csv?game=2x3&turn=AB+w"), timeout=30)
    assert answer.text.splitlines()[1].rpartition(",")[2] in ("true", "false")
    assert "True" not in answer.text
