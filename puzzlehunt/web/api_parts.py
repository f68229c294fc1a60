"""What the routes of the API are made of: what they take, and the forms of their answers."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Annotated, Any

from fastapi import Header, Path, Query, Response
from fastapi.responses import PlainTextResponse

from puzzlehunt.views.escapes import csv_cell
from puzzlehunt.web.http_errors import etag
from puzzlehunt.web.models import Refused

_REFUSED = {
    "description": "Why the request was refused, in one sentence.",
    "content": {"application/json": {"schema": Refused.model_json_schema()}},
}
REFUSALS: dict[int | str, dict[str, Any]] = dict.fromkeys(
    (400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 421, 422, 429, 503, 507), _REFUSED
)
REFUSALS[304] = {"description": "The answer that is known is the newest."}
BoardId = Annotated[
    str, Path(alias="board", max_length=100, examples=["cryptic-s1kpYbbW3fLhPQ2y4tE6Cg"])
]
RowNumber = Annotated[int, Path(alias="turn", ge=1, le=100_000, examples=[1])]
Limit = Annotated[int, Query(ge=0, le=10_000, description="How many candidates are listed.")]
Top = Annotated[int, Query(ge=1, le=100, description="How many guesses are named.")]
CodeText = Annotated[str, Query(max_length=500, examples=["HEART"])]
GameName = Annotated[
    str, Query(max_length=60, description="A built-in game, or a size.", examples=["cryptic"])
]
Turns = Annotated[
    Sequence[Annotated[str, Query(max_length=500)]],
    Query(alias="turn", max_length=200, description="A row.", examples=[["HORSE B_WR_"]]),
]
IfMatch = Annotated[
    str | None, Header(description="The version that the change is for; 412 if it has passed.")
]
IfNoneMatch = Annotated[
    str | None, Header(description="The version whose answer is known; 304 if it is the newest.")
]


Once = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key", max_length=100,
        description="Another text for every change: sent again with it, a change is made once.",
    ),
]  # fmt: skip


class Yaml(PlainTextResponse):
    """A game file."""

    media_type = "text/yaml"


YAML: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/yaml": {"schema": {"type": "object"}}}}
}


class Csv(PlainTextResponse):
    """A table for a sheet."""

    media_type = "text/csv"


class Events(PlainTextResponse):
    """A stream of server-sent events."""

    media_type = "text/event-stream"


def tag_of(version: int) -> dict[str, str]:
    """Return the header of a version."""
    return {"ETag": etag(version)}


def unchanged(version: int) -> Response:
    """Return the answer to whoever has this version's already."""
    return Response(status_code=304, headers=tag_of(version))


def candidates_csv(answer: Mapping[str, Any], headers: Mapping[str, str]) -> Response:
    """Return candidates, as `candidates --json` has them, as a table."""
    codes = answer["candidates"]
    if codes and isinstance(codes[0], dict):
        rows = ([one["code"], one["probability"]] for one in codes)
        return csv_of(["candidate", "probability"], rows, headers)
    return csv_of(["candidate"], ([code] for code in codes), headers)


def csv_of(
    header: Sequence[str], rows: Iterable[Sequence[Any]], headers: Mapping[str, str]
) -> Response:
    """Return a table as CSV, none of whose cells a sheet takes for a formula."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    for row in rows:
        writer.writerow(map(_cell, row))
    return Csv(text.getvalue(), headers=dict(headers))


def _cell(value: Any) -> Any:
    """Return a cell as sheets read it: truth values in lower case, as in JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return csv_cell(value) if isinstance(value, str) else value
