"""Models of requests and answers over HTTP: bodies, parameters and responses."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Header, Path, Query
from fastapi.responses import PlainTextResponse
from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, WithJsonSchema

from puzzlehunt.game.merging import Effect
from puzzlehunt.session.changes import change_adapter
from puzzlehunt.web.board import LONGEST_LINE, MOST_ROWS
from puzzlehunt.web.schemas import Event
from puzzlehunt.web.store import StatusName
from puzzlehunt.web.uploads import LARGEST_UPLOAD


def plain_name(text: str) -> str:
    """Return a nickname on one line, cut to 30 characters."""
    return " ".join(text.split())[:30].strip()


Name = Annotated[str, Field(max_length=60)]
Nickname = Annotated[Name, AfterValidator(plain_name)]
Line = Annotated[str, Field(min_length=1, max_length=LONGEST_LINE)]
_ONE = r"^[^\r\n]*$"
"""Pattern of a text without line breaks."""
OneLine = Annotated[str, Field(min_length=1, max_length=2_000, pattern=_ONE)]
Version = Annotated[int | None, Field(ge=0, le=10**9)]


# Bodies.


def _change_schema() -> dict[str, Any]:
    """Return the JSON schema of a change, without references to other schemas."""
    schema = change_adapter().json_schema()
    kinds = schema.pop("$defs")
    objects = [kinds[one["$ref"].rpartition("/")[2]] for one in schema["oneOf"]]
    return {"oneOf": [{**one, "required": ["kind", *one.get("required", [])]} for one in objects]}


def _example(**keys: object) -> dict[str, Any]:
    return {"examples": [keys]}


class _Body(BaseModel, extra="forbid"):
    """The body of a request, which may have no unknown keys."""


class _Change(_Body):
    """The body of a change: who makes it, and the version of the board that its author saw."""

    by: Nickname = ""
    version: Version = None
    """The version that the author saw; None for the newest."""


class NewBoard(_Body, json_schema_extra=_example(game="cryptic", rows="HORSE B_WR_", by="Ann")):
    """A board to create: from a built-in game, from a size, or from the text of a game file."""

    game: Name = ""
    file: Annotated[str, Field(max_length=LARGEST_UPLOAD)] = ""
    name: Name = ""
    rows: Annotated[str, Field(max_length=LONGEST_LINE)] = ""
    by: Nickname = ""


class NewRows(_Change, json_schema_extra=_example(rows=["HORSE B_WR_"], by="Ann")):
    """Rows to add, each as a player types it.

    `log` is true if the rows are a whole log, whose first rows may already be on the board.
    """

    rows: Annotated[list[OneLine], Field(min_length=1, max_length=MOST_ROWS)]
    log: bool = False


class RowChange(_Change, json_schema_extra=_example(row="B_WRR", by="Ann")):
    """A correction of a row: either its new text, or its doubt.

    `row` is a new clue, or a guess and a clue. `doubt` is how likely the row is to be wrong, such
    as `20%`.
    """

    row: Annotated[str, Field(max_length=2_000, pattern=_ONE)] = ""
    doubt: Annotated[str, Field(max_length=10, pattern=r"^[0-9.]*%?$")] | None = None


class NewChange(
    _Change, json_schema_extra=_example(change={"kind": "drop_row", "row": 2}, by="Ann")
):
    """A change of any kind, as a JSON object with the key `kind`."""

    change: Annotated[dict[str, Any], WithJsonSchema(_change_schema())]


class ByWhom(_Body, json_schema_extra=_example(by="Ann")):
    """Who asks for it."""

    by: Nickname = ""


class NewStatus(_Body, json_schema_extra=_example(name="Tuesday", status="archived", by="Ann")):
    """The name of a board, and whether it may be changed; None keeps what it is.

    A deleted board can be opened again for a day.
    """

    name: Name | None = None
    status: StatusName | None = None
    by: Nickname = ""


class NewFact(_Change, json_schema_extra=_example(fact="contains E", by="Ann")):
    """A fact about the secret to add, written as after the command `/fact`."""

    fact: OneLine


class Steps(_Change, json_schema_extra=_example(steps=1, by="Ann")):
    """The number of steps to undo or redo."""

    steps: Annotated[int, Field(ge=1, le=10_000)] = 1


class NewHistory(_Body, json_schema_extra=_example(facts=[], turns=["HORSE B_WR_"], by="Ann")):
    """Facts and turns that replace all those of the board, written as in a game file."""

    facts: Annotated[list[OneLine], Field(max_length=MOST_ROWS)] = []
    turns: Annotated[list[OneLine], Field(max_length=MOST_ROWS)] = []
    by: Nickname = ""


class NewLine(_Change, json_schema_extra=_example(line="/why HEART", by="Ann")):
    """A line as a player types it in a terminal: a row, a pasted block or a command."""

    line: Line
    standing: Name = ""
    suggested: Name = ""


class Settings(_Change, json_schema_extra=_example(strategy="entropy", by="Ann")):
    """Settings of the game to change: its strategy, its word list, how often marks are read."""

    strategy: Annotated[str, Field(max_length=60, pattern=_ONE)] | None = None
    words: Annotated[str, Field(max_length=60, pattern=_ONE)] | None = None
    reads: Annotated[str, Field(max_length=200, pattern=_ONE)] | None = None


class Row(BaseModel):
    """A row of a board: its number, its guess, its clue, its text, its author and its time."""

    turn: int
    guess: str
    clue: str
    text: str
    note: str = ""
    doubt: float = 0.0
    by: str = ""
    at: str = ""


_SHOWN = {
    "turn": 1, "guess": "HORSE", "clue": "B_WR_", "text": "HORSE B_WR_", "note": "", "doubt": 0.0,
    "by": "Ann", "at": "2026-01-02T20:15:00+00:00",
}  # fmt: skip
_ADDRESS = "https://hunt.example.org/b/tuesday-s1kpYbbW3fLhPQ2y4tE6Cg"


class BoardAnswer(
    BaseModel,
    json_schema_extra=_example(
        board="tuesday-s1kpYbbW3fLhPQ2y4tE6Cg",
        name="Tuesday",
        title="Cryptic Mastermind",
        version=1,
        address=_ADDRESS,
        view=f"{_ADDRESS[:-22]}cfW1eLr0Zb7QxT5uYd2a9g",
        status="open",
        game="cryptic",
        won=False,
        facts=[],
        rows=[_SHOWN],
        history={"turns": ["HORSE B_WR_"]},
        game_tag="0f3a",
        people=["Ann"],
        guests=1,
    ),
):
    """A board at one version; `view` is an address that only looks."""

    board: str
    name: str
    title: str
    version: int
    address: str
    view: str
    status: StatusName
    game: str
    won: bool
    facts: list[str]
    rows: list[Row]
    history: dict[str, list[str]]
    game_tag: str
    people: list[str]
    guests: int


class RowsAnswer(BaseModel, json_schema_extra=_example(version=1, rows=[_SHOWN])):
    """The rows of a board at one version."""

    version: int
    rows: list[Row]


class PlacedRow(BaseModel):
    """The effect of an added row: the number and the text of its guess's row on the board.

    `effect` is `new` if the board did not have the guess. Otherwise the board's row of that guess
    was `completed` or `replaced`, or already said the same (`known`).
    """

    turn: int
    text: str
    effect: Effect


class ChangeAnswer(
    BaseModel,
    json_schema_extra=_example(
        version=1,
        said=["1. HORSE: 1 black"],
        standing="",
        rows=[{"turn": 1, "text": "HORSE B_WR_", "effect": "new"}],
    ),
):
    """The result of a change: the board's version after the change, and lines that describe it.

    `rows` are the effects of the added rows, in the order in which the rows were sent.
    """

    version: int
    said: list[str] = []
    standing: str = ""
    rows: list[PlacedRow] = []


class Refused(BaseModel):
    """The reason why a request was refused, in one sentence."""

    detail: str


# Parameters, and forms of answers.

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
VersionNumber = Annotated[int, Path(ge=1, le=10**9, examples=[1])]
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
SheetRows = Annotated[
    Sequence[Annotated[str, Query(max_length=500)]],
    Query(alias="row", max_length=200, description="A row.", examples=[["HORSE B_WR_"]]),
]
PastedRows = Annotated[
    str, Query(max_length=4_000, description="Rows, one per line or separated by `;`.")
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
    """A response with a game file."""

    media_type = "text/yaml"


def _text_answer(form: str, example: str, schema: str = "string") -> dict[int | str, Any]:
    """Return the description of a response with a text, and an example of it."""
    return {200: {"content": {form: {"schema": {"type": schema}, "example": example}}}}


YAML = _text_answer("text/yaml", "game: cryptic\nturns:\n- HORSE B_WR_\n", "object")
CSV = _text_answer("text/csv", "candidate,probability\r\nHEART,0.18\r\n")
SCRIPT = _text_answer("text/plain", "; cryptic\n(set-logic QF_LIA)\n")


class Csv(PlainTextResponse):
    """A response with a table for a spreadsheet."""

    media_type = "text/csv"


_EVENT = TypeAdapter(Event).json_schema()
EVENTS: dict[int | str, Any] = {
    200: {
        "description": "Events `state`: the id is the version, the data are JSON of this form.",
        "content": {
            "text/event-stream": {
                "schema": _EVENT,
                "example": 'event: state\nid: 3\ndata: {"version": 3, "pending": false, ...}\n\n',
            }
        },
    }
}


class Events(PlainTextResponse):
    """A response that is a stream of server-sent events."""

    media_type = "text/event-stream"
