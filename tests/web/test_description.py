"""The description of the API: complete, and true of the answers."""

import json
import re

import pytest

from forms import fits
from puzzlehunt.views.json import FORMS
from puzzlehunt.web import api
from servers import ServerProcess, http


def test_every_operation_has_a_name_and_described_forms(server: ServerProcess) -> None:
    api = http.get(server.url("/api/openapi.json")).json()
    names, headers = [], set[str]()
    for operations in api["paths"].values():
        for operation in operations.values():
            names.append(operation["operationId"])
            assert operation["description"]
            parameters = operation.get("parameters", ())
            headers |= {one["name"] for one in parameters if one["in"] == "header"}
            answers = operation["responses"]
            (form,) = answers["201" if "201" in answers else "200"]["content"].values()
            assert form["schema"]["type"]
    assert len(names) == len({*names}) == 27
    assert headers == {"if-none-match", "if-match", "idempotency-key"}
    page = http.get(server.url("/api/docs")).text
    needed = re.findall(r"""(?:href=|src=|url: )["'](/[^"']+)["']""", page)
    assert len(needed) == 4
    for path in needed:
        assert http.get(server.url(path)).status_code == 200


def test_answers_about_boards_are_as_they_are_described(server: ServerProcess) -> None:
    board = server.make(game="2x3", rows="AB *")
    assert fits(api.BOARD.schema, http.get(board).json())
    added = http.post(f"{board}/rows", json={"rows": ["AC w"], "by": "Ann"})
    assert fits(api.CHANGED.schema, added.json())


def test_what_marks_mean_is_as_it_is_described(server: ServerProcess) -> None:
    text = "{secret: {symbols: ABCD, length: 3}, rule: pegs, legend: unknown}"
    board = server.make(file=text, rows="ABC X\nABD XX")
    answer = http.get(f"{board}/legend").json()
    assert fits(FORMS["legend"].schema, answer)
    assert sum(one["probability"] for one in answer["hypotheses"]) == pytest.approx(1, abs=1e-4)
    known = http.get(f"{server.make(game='2x3')}/legend")
    assert known.status_code == 422
    assert "legend: unknown" in known.json()["detail"]


def test_events_are_as_they_are_described(server: ServerProcess) -> None:
    board = server.make(game="2x8", rows="\n".join(f"{a}{b} *" for a in "ABCDEFGH" for b in "ABCD"))
    with http.stream("GET", f"{board}/events") as answer:
        assert "content-encoding" not in answer.headers
        lines = answer.iter_lines()
        assert next(lines) == "event: state"
        first = next(line for line in lines if line.startswith("data: "))
        http.post(f"{board}/lines", json={"line": "/drop 1"})
        later = next(line for line in lines if '"version": 2' in line)
    for text in (first, later):
        event = json.loads(text.removeprefix("data: "))
        assert ", ".join(event) == "version, pending, people, guests, typing, fragments, items"
    assert "took back: 1. AA *" in event["fragments"]["gone"]
    # A page is not told again what it has.
    page = http.get(board.replace("/api/v1/boards/", "/b/")).text
    since = re.search(r'data-since="(\d+)"', page)
    assert since is not None
    with http.stream("GET", f"{board}/events?since={since[1]}") as answer:
        first = next(line for line in answer.iter_lines() if line.startswith("data: "))
    event = json.loads(first.removeprefix("data: "))
    assert event["items"] == {"length": 31, "changed": []}
    assert not {"gone", "status"} & event["fragments"].keys()
