"""The description of the API: complete, and true of the answers."""

from typing import Any

import pytest

from forms import strict
from puzzlehunt.web import schemas
from servers import ServerProcess, http


@pytest.fixture(scope="module")
def api(server: ServerProcess) -> dict[str, Any]:
    described: dict[str, Any] = http.get(server.url("/api/openapi.json")).json()
    return described


def test_every_operation_has_a_name_a_group_and_described_forms(
    api: dict[str, Any],
) -> None:
    names = set()
    kinds = {tag["name"] for tag in api["tags"]}
    for path, operations in api["paths"].items():
        for operation in operations.values():
            where = f"{path}: {operation['operationId']}"
            names.add(operation["operationId"])
            assert set(operation["tags"]) <= kinds, where
            assert operation["description"], where
            answer = next(
                operation["responses"][n] for n in ("200", "201") if n in operation["responses"]
            )
            for form in answer["content"].values():
                schema = form["schema"]
                if "$ref" in schema:
                    schema = api["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
                assert schema.get("type"), where
                assert "example" in form or schema.get("description"), where
            if body := operation.get("requestBody"):
                ref = body["content"]["application/json"]["schema"]["$ref"]
                assert api["components"]["schemas"][ref.rpartition("/")[2]]["examples"], where
    assert len(names) == sum(len(operations) for operations in api["paths"].values())
    assert {"basic", "bearer"} == set(api["components"]["securitySchemes"])
    assert {} in api["security"]


def test_what_marks_mean_is_as_it_is_described(server: ServerProcess) -> None:
    text = "{secret: {symbols: ABCD, length: 3}, rule: pegs, legend: unknown}"
    board = server.make(file=text, rows="ABC X\nABD XX")
    answer = strict(schemas.LegendAnswer).validate_json(http.get(f"{board}/legend").text)
    assert sum(one["probability"] for one in answer["hypotheses"]) == pytest.approx(1, abs=1e-4)
    known = http.get(f"{server.make(game='2x3')}/legend")
    assert known.status_code == 422
    assert "legend: unknown" in known.json()["detail"]


def test_events_are_as_they_are_described(server: ServerProcess) -> None:
    board = server.make(game="2x3", rows="AB *")
    with http.stream("GET", f"{board}/events") as answer:
        lines = answer.iter_lines()
        first = next(line for line in lines if line.startswith("data: "))
        http.request("DELETE", f"{board}/rows/1")
        later = next(line for line in lines if '"version": 2' in line)
    for text in (first, later):
        event = strict(schemas.Event).validate_json(text.removeprefix("data: "))
    assert event["news"][0][0] == 2
