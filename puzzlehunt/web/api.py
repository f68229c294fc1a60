"""The routes of programs and spreadsheets: JSON as `--json` prints it, and CSV."""

import asyncio
import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO
from typing import Annotated, Any, NamedTuple, TypeAlias

from fastapi import APIRouter, Body, Depends, Header, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse
from pydantic import AfterValidator, Field, WithJsonSchema
from starlette.exceptions import HTTPException

from puzzlehunt.errors import unknown_name
from puzzlehunt.explanation.why import parse_question
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import read_row, read_rows
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import Turn
from puzzlehunt.game.merging import merge
from puzzlehunt.game.turn_notation import format_row
from puzzlehunt.session import changes
from puzzlehunt.session.changes import Change, Question
from puzzlehunt.views import json as forms
from puzzlehunt.views.escapes import csv_cell
from puzzlehunt.views.json import TEXT, WHOLE, Form, list_of, object_of, written
from puzzlehunt.views.page.board_rows import Author
from puzzlehunt.web import pages
from puzzlehunt.web.board import LONGEST_LINE, MOST_ROWS, StatusName, Submission, plain_name
from puzzlehunt.web.guard import etag
from puzzlehunt.web.live import BoardFeed
from puzzlehunt.web.snapshot import BoardSnapshot, answer_of, build_upload
from puzzlehunt.web.uploads import LARGEST_UPLOAD, as_game_file, check_game
from puzzlehunt.web.workers import WorkerRequestError


async def _check_keys(request: Request) -> None:
    """Raise UnknownNameError if a body has a key that its route does not know."""
    route = request.scope["route"]
    body = await request.json() if route.body_field and await request.body() else None
    for key in body if isinstance(body, dict) else ():
        if key not in (keys := route.body_field.field_info.annotation.model_fields):
            raise unknown_name("key", key, keys)


# The forms of answers.

_Described: TypeAlias = dict[int | str, dict[str, Any]]


def _answers(form: Form, media: str = "application/json", status: int = 200) -> _Described:
    return {status: {"content": {media: {"schema": form.schema}}}}


class _Row(NamedTuple):
    row: int
    turn: Turn
    author: Author | None


def _rows(feed: BoardFeed) -> list[_Row]:
    turns = enumerate(feed.snapshot.history.turns, start=1)
    return [_Row(number, turn, feed.authors.get(number)) for number, turn in turns]


_TEXTS = list_of(TEXT)
_ROW = {
    **forms.TURN, "text": Form(TEXT.schema, format_row).of("turn"), "note": TEXT.of("turn.note"),
    "doubt": forms.NUMBER.of("turn.doubt"),
    "by": TEXT.of(lambda row: row.author.name if row.author else ""),
    "at": TEXT.of(lambda row: row.author.when.isoformat() if row.author else ""),
}  # fmt: skip
_ROWS = list_of(_ROW).of(_rows)
_HISTORY = object_of({"facts": _TEXTS, "turns": _TEXTS})
_BOARD = {
    "name": TEXT.of("board.title"), "title": TEXT.of("board.game.title"), "version": WHOLE,
    "status": TEXT.of("board.status.status"), "game": TEXT.of("board.session.reference"),
    "facts": forms.FACTS.of("snapshot.history.facts"), "rows": _ROWS,
    "history": Form(_HISTORY.schema, gamefile.history_keys).of("snapshot.history"),
    "game_tag": TEXT.of("board.game_tag"), "people": _TEXTS.of("names"), "guests": WHOLE,
}  # fmt: skip
BOARD = object_of({**_BOARD, "board": TEXT, "address": TEXT, "view": TEXT, "won": forms.TRUTH})
_PLACED = {
    "turn": WHOLE.of("row"), "text": Form(TEXT.schema, format_row).of("turn"), "effect": TEXT
}  # fmt: skip
_CHANGED = {
    "said": _TEXTS.of("text"), "standing": TEXT.of("pending"),
    "rows": list_of(_PLACED).of("effects"),
}  # fmt: skip
CHANGED = object_of({"version": WHOLE, **_CHANGED})

_REFUSED = _answers(object_of({"detail": TEXT}))[200] | {"description": "Why, in one sentence."}
router = APIRouter(
    prefix="/api/v1",
    default_response_class=Response,
    responses={"default": _REFUSED, 304: {"description": "It is known."}},
    dependencies=[Depends(_check_keys)],
    generate_unique_id_function=lambda route: route.name,
)
_post = partial(router.post, responses=_answers(CHANGED))


async def _known(feed: pages.Feed, if_none_match: Annotated[str, Header()] = "") -> BoardFeed:
    """Return a board. Raises HTTPException (304) if the program has its newest version."""
    if f'"{feed.version}"' in if_none_match:
        raise HTTPException(304, headers=etag(feed.version))
    return feed


Board: TypeAlias = Annotated[BoardFeed, Depends(_known)]
Name: TypeAlias = Annotated[str, Body(max_length=60)]
Nickname: TypeAlias = Annotated[Name, AfterValidator(plain_name)]
Row: TypeAlias = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"^[^\r\n]*$")]
Rows: TypeAlias = Annotated[
    Sequence[Row], Body(min_length=1, max_length=MOST_ROWS, examples=[["HORSE B_WR_"]])
]

# Boards.


@router.post("/boards", status_code=201, responses=_answers(BOARD, status=201))
async def make_board(
    request: Request,
    game: Annotated[Name, Body(examples=["cryptic"])] = "",
    file: Annotated[str, Body(max_length=LARGEST_UPLOAD, examples=[""])] = "",
    name: Name = "",
    rows: Annotated[str, Body(max_length=LONGEST_LINE, examples=["HORSE B_WR_"])] = "",
    by: Nickname = "",
) -> Response:
    """Make a board of a built-in game, of a size or of a file: a game file, or a list of words.

    The answer has its secret address.
    """
    server, game, file = pages.server_of(request), game.strip(), as_game_file(file)
    if file:
        await server.workers.ask(None, build_upload, file)
    else:
        check_game(game)
    board = await asyncio.to_thread(server.boards.create, game, name, rows, by, file or None)
    answer = await get_board(request, await server.feed(board))
    answer.status_code = 201
    answer.headers["Location"] = f"{request.scope['root_path']}/api/v1/boards/{board.id}"
    return answer


@router.get("/boards/{board}", responses=_answers(BOARD))
async def get_board(request: Request, feed: Board) -> Response:
    """Return a board: its game, rows, facts and people; `view` is an address that only looks."""
    game, used = feed.board.game, pages.id_of(request, feed)
    won = meaning.is_won(game, feed.snapshot.history)
    if game.only_questions:
        _, won = await feed.ask(Question("status"))
    addresses = {
        "board": used,
        "address": pages.address_of(request, used),
        "view": pages.address_of(request, feed.board.view_id),
    }
    answer = {**addresses, "won": won, **written(_BOARD, game, feed)}
    return JSONResponse(answer, headers=etag(feed.version))


@router.put("/boards/{board}/status", responses=_answers(BOARD))
async def set_status(
    request: Request,
    feed: pages.Feed,
    name: Annotated[str | None, Body(max_length=60)] = None,
    status: Annotated[StatusName | None, Body()] = None,
    by: Nickname = "",
) -> Response:
    """Name a board, archive it, delete it, or open it again, which is possible for a day."""
    await feed.do(partial(feed.board.set_status, name, status, by))
    return await get_board(request, feed)


@router.get("/boards/{board}/file", responses=_answers(forms.OBJECT, "text/yaml"))
async def get_file(feed: Board) -> Response:
    """Return the board's file (YAML), which every command of the program takes."""
    name = f"{feed.board.name}.yaml"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', **etag(feed.version)}
    return Response(feed.board.text, media_type="text/yaml", headers=headers)


@router.get("/boards/{board}/game", responses=_answers(forms.OBJECT, "text/yaml"))
def get_game(feed: Board) -> Response:
    """Return the game without its rows as a game file that needs no other file."""
    return Response(feed.board.game_text(), 200, etag(feed.version), "text/yaml")


@router.get("/boards/{board}/events", responses=_answers(TEXT, "text/event-stream"))
async def follow(
    request: Request,
    feed: pages.Feed,
    since: Annotated[int, Query(include_in_schema=False)] = 0,
    page: Annotated[str, Query(max_length=40, include_in_schema=False)] = "",
) -> Response:
    """Return an endless stream of server-sent events `state`, one for each change of the board.

    The id is the version. `fragments` and `items` (rows and facts, by place from 0) are HTML for
    the board's page.
    """
    await pages.server_of(request).let_in()
    name = pages.nickname_of(request) if pages.id_of(request, feed) == feed.board.id else ""
    headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
    return StreamingResponse(feed.follow(name, since, page), 200, headers, "text/event-stream")


@router.get("/boards/{board}/rows.csv", responses=_answers(TEXT, "text/csv"))
async def get_rows_as_csv(feed: Board) -> Response:
    """Return the rows as a table for a sheet."""
    columns = {key: _ROW[key] for key in ("turn", "guess", "clue", "note", "by", "at")}
    rows = [written(columns, feed.board.game, row).values() for row in _rows(feed)]
    return _csv(["row", *list(columns)[1:]], rows, feed.version)


def _csv(header: Sequence[str], rows: Iterable[Iterable[object]], version: int) -> Response:
    """Return a table as CSV, none of whose cells a sheet takes for a formula."""
    text = StringIO()
    csv.writer(text).writerows(map(csv_cell, map(str, row)) for row in (header, *rows))
    return Response(text.getvalue(), media_type="text/csv", headers=etag(version))


# Changes.


@dataclass(frozen=True, slots=True)
class _Sender:
    """Who changes which board, and what they saw, as in a `Submission`."""

    feed: pages.Feed
    by: Nickname = ""
    version: Annotated[int | None, Body(ge=0, le=10**9, examples=[None])] = None
    if_match: Annotated[str, Header()] = ""
    idempotency_key: Annotated[str, Header()] = ""
    visitor: Annotated[str, Header(max_length=40, include_in_schema=False)] = ""
    accept: Annotated[str, Header(include_in_schema=False)] = ""

    async def submit(self, change: Change | str, **more: Any) -> Response:
        """Apply a change or a line, `more` of whose `Submission` is given; return its effect.

        A board's page accepts HTML: what it shows of the effect, or of a line that failed.
        """
        key, only = self.idempotency_key, self.if_match
        submission = Submission(change, self.by, self.version, key, only, self.visitor, **more)
        result, version = await self.feed.submit(submission)
        if "text/html" in self.accept:
            return HTMLResponse(result.html, 422 if result.failed else 200, etag(version))
        if result.failed is not None:
            raise WorkerRequestError(result.failed.kind, result.failed.message)
        answer = {"version": version, **written(_CHANGED, self.feed.board.game, result)}
        return JSONResponse(answer, headers=etag(version))


Sender: TypeAlias = Annotated[_Sender, Depends()]


def _change_schema() -> dict[str, Any]:
    # Without references to other schemas.
    kinds = changes.change_adapter().json_schema()["$defs"].values()
    return {"oneOf": [{**one, "required": ["kind", *one.get("required", [])]} for one in kinds]}


@_post("/boards/{board}/changes")
async def make_change(
    sender: Sender, change: Annotated[dict[str, Any], Body(), WithJsonSchema(_change_schema())]
) -> Response:
    """Make any change, as one step of undo. Rows are turns, numbered from 1.

    The answer has lines that describe the change, and the effect of each row that was sent: `new`,
    or what it made of the board's row of that guess (`completed`, `replaced`, `known`).
    """
    return await sender.submit(changes.load_change(sender.feed.board.game, change))


@_post("/boards/{board}/rows")
async def add_rows(sender: Sender, rows: Rows) -> Response:
    """Add rows, as one step of undo. A guess that is on the board is completed or replaced."""
    turns = map(partial(read_row, sender.feed.board.game), rows)
    return await sender.submit(changes.RecordTurns(tuple(turns)))


@_post("/boards/{board}/restore/{number}")
async def restore(sender: Sender, number: Annotated[int, Path(ge=1, le=10**9)]) -> Response:
    """Take back the change to a version, whoever made it; later changes are kept."""
    return await sender.submit(changes.Undo(), restored=number)


@_post("/boards/{board}/lines")
async def type_line(
    sender: Sender,
    line: Annotated[str, Body(min_length=1, max_length=LONGEST_LINE, examples=["/why HEART"])],
    suggested: Annotated[str, Body(max_length=200)] = "",
) -> Response:
    """Apply a line typed as in a terminal: a row, a pasted block, a command; return its answer."""
    return await sender.submit(line, suggested=suggested)


# Questions, about a board or about rows in the address.

_Keys: TypeAlias = dict[str, Any]
"""The number, the code or the board of a question."""
Code: TypeAlias = Annotated[str, Query(max_length=500, examples=["HEART"])]


def _position(
    game: Annotated[str, Query(max_length=60, description="A built-in game, or a size.")],
    row: Annotated[Sequence[str], Query(max_length=200, description="A row.")] = (),
    rows: Annotated[
        str, Query(max_length=4_000, description="Rows, one per line or separated by `;`.")
    ] = "",
) -> BoardSnapshot:
    check_game(game)
    played = gamefile.load(game)
    given = read_rows(played, "\n".join([*row, rows]).replace(";", "\n"), played.history)
    history = merge(played, played.history, given, is_log=True).history
    return BoardSnapshot(f"/{game}", game, {}, history)


Position: TypeAlias = Annotated[BoardSnapshot, Depends(_position)]


def _top(top: Annotated[int, Query(ge=1, le=100)] = 5) -> _Keys:
    return {"number": top}


def _limit(limit: Annotated[int, Query(ge=0, le=10_000)] = 20) -> _Keys:
    return {"number": limit}


def _guess(feed: Board, code: Code) -> _Keys:
    return {"code": feed.board.game.parse_guess(code)}


def _secret(feed: Board, code: Code) -> _Keys:
    secret, board = parse_question(feed.board.game, code)
    return {"code": secret, "board": board}


def _nothing() -> _Keys:
    return {}


def _add(path: str, kind: Any, about: str, given: Callable[..., _Keys] = _nothing) -> None:
    """Add the routes of a question; `given` reads its parameters."""
    asked = Annotated[_Keys, Depends(given)]
    options: dict[str, Any] = {"responses": _answers(forms.FORMS[kind]), "description": about}

    @router.get(f"/boards/{{board}}/{path}", name=path, **options)
    async def answer(feed: Board, keys: asked) -> Response:
        version, found = await feed.ask(Question(kind, **keys))
        return JSONResponse(found, headers=etag(version))

    if kind in ("suggest", "candidates"):

        @router.get(f"/{kind}", name=f"{kind}_once", **options)
        async def answer_alone(request: Request, position: Position, keys: asked) -> Response:
            workers, question = pages.server_of(request).workers, Question(kind, **keys)
            return JSONResponse(await workers.ask(position, answer_of, question))


for _question in (
    ("suggestions", "suggest", "The best next guesses, as `suggest --json` prints them.", _top),
    ("worth", "try", "The value of a guess, as `suggest --try --json` prints it.", _guess),
    ("candidates", "candidates", "The candidates, as `candidates --json` prints them.", _limit),
    ("why", "why", "Which rows rule a code out, as `explain --json` prints it.", _secret),
    ("conflicts", "conflicts", "Smallest sets of rows and facts that contradict each other.",
     _limit),
    ("unread", "unread", "The unread marks that would tell most (bits).", _top),
    ("certain", "certain",
     "What all candidates have in common, and which rows and facts prove it."),
    ("repairs", "repairs",
     "Changes of one row (`with`: of two) after which something fits, likeliest first."),
    ("suspects", "suspects", "The rows likeliest to be wrong."),
    ("explanation", "explain", "All that `explain --json` prints."),
    ("review", "review",
     "How good each guess was: bits expected, told and at most; `skill` from 0 to 1."),
    ("legend", "legend",
     "What the marks mean in a game with `legend: unknown`, as `identify --json` says."),
):  # fmt: skip
    _add(*_question)


@router.get("/boards/{board}/candidates.csv", responses=_answers(TEXT, "text/csv"))
async def candidates_as_csv(
    feed: Board, limit: Annotated[int, Query(ge=0, le=10_000)] = 1_000
) -> Response:
    """Return the candidates as a CSV table for a spreadsheet."""
    version, answer = await feed.ask(Question("candidates", limit))
    rows = [one.values() if isinstance(one, dict) else [one] for one in answer["candidates"]]
    header = ["candidate", "probability"][: max(map(len, rows), default=1)]
    return _csv(header, rows, version)


@router.get("/boards/{board}/export", responses=_answers(TEXT, "text/plain"))
async def export(feed: Board) -> Response:
    """Return the game and its rows as a script for a solver."""
    version, text = await feed.ask(Question("export"))
    return Response(text, media_type="text/plain", headers=etag(version))
