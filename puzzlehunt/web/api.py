"""The routes of programs and spreadsheets: JSON as `--json` prints it, and CSV."""

import asyncio
import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema

from puzzlehunt.explanation.why import parse_question
from puzzlehunt.game.blocks import read_rows
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.serialise import history_keys
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import RowEffect, merge
from puzzlehunt.game.turn_notation import format_row, parse_doubt
from puzzlehunt.session import changes
from puzzlehunt.session.changes import Change, Question
from puzzlehunt.session.commands import row_edited
from puzzlehunt.views.escapes import csv_cell
from puzzlehunt.web import pages, schemas
from puzzlehunt.web.board import LONGEST_LINE, MOST_ROWS, AlreadyAppliedError, Draft, Submission
from puzzlehunt.web.feed import BoardFeed
from puzzlehunt.web.http_errors import HttpError, check_modified, etag, wanted_versions
from puzzlehunt.web.snapshot import BoardSnapshot, IsWon, LineResult, TypedLine, WorkerRequest
from puzzlehunt.web.state import check_game
from puzzlehunt.web.store import StatusName
from puzzlehunt.web.uploads import LARGEST_UPLOAD
from puzzlehunt.web.workers import WorkerRequestError

_REFUSED = schemas.answers({"detail": str})[200] | {"description": "Why, in one sentence."}
_STATUSES = (400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 421, 422, 429, 503, 507)
router = APIRouter(
    prefix="/api/v1",
    responses={**dict.fromkeys(_STATUSES, _REFUSED), 304: {"description": "It is known."}},
    generate_unique_id_function=lambda route: route.name,
)
_changes = APIRouter(responses=schemas.answers(schemas.CHANGED))


def _text(media: str, form: Any = str) -> dict[str, Any]:
    """Return the options of a route that answers with a text."""
    return {"response_class": Response, "responses": schemas.answers(form, media)}


async def _feed(
    request: Request, board: Annotated[str, Path(max_length=100, examples=["cryptic-s1kpYbbW3fLh"])]
) -> BoardFeed:
    """Return a board. Raises HttpError (304) if the program has its newest version already."""
    feed = await pages.feed_of(request, board)
    if request.method == "GET":
        check_modified(request.headers.get("if-none-match"), feed.board.version)
    return feed


Board: TypeAlias = Annotated[BoardFeed, Depends(_feed)]

# Boards.

_ONE = r"^[^\r\n]*$"
"""Pattern of a text without line breaks."""
Name: TypeAlias = Annotated[str, Field(max_length=60)]
OneLine: TypeAlias = Annotated[str, Field(min_length=1, max_length=2_000, pattern=_ONE)]
Lines: TypeAlias = Annotated[list[OneLine], Field(max_length=MOST_ROWS)]
Setting: TypeAlias = Annotated[str, Field(max_length=200, pattern=_ONE)]


class ByWhom(BaseModel, extra="forbid"):
    """Who asks for it."""

    by: Annotated[Name, AfterValidator(pages.plain_name)] = ""


class NewBoard(ByWhom):
    """A board to create: from a built-in game, from a size, or from the text of a game file."""

    game: Annotated[Name, Field(examples=["cryptic"])] = ""
    file: Annotated[str, Field(max_length=LARGEST_UPLOAD, examples=[""])] = ""
    name: Name = ""
    rows: Annotated[str, Field(max_length=LONGEST_LINE, examples=["HORSE B_WR_"])] = ""


class NewStatus(ByWhom):
    """The name of a board, and whether it may be changed; None keeps what it is.

    A deleted board can be opened again for a day.
    """

    name: Name | None = None
    status: StatusName | None = None


@router.post("/boards", status_code=201, responses=schemas.answers(schemas.BOARD, status=201))
async def make_board(request: Request, body: NewBoard) -> Response:
    """Make a board, and return it with its secret address."""
    server = pages.server_of(request)
    feed = await server.create(body.game, body.file, body.name, body.rows, body.by)
    answer = await get_board(request, feed)
    answer.status_code = 201
    answer.headers["Location"] = f"/api/v1/boards/{feed.board.id}"
    return answer


@router.get("/boards/{board}", responses=schemas.answers(schemas.BOARD))
async def get_board(request: Request, feed: Board) -> Response:
    """Return a board: its game, rows, facts and people; `view` is an address that only looks."""
    board, session = feed.board, feed.board.session
    won = session.game.is_won(session.history)
    if session.game.only_questions:
        _, won = await feed.ask(IsWon())
    used = pages.id_of(request, feed)
    answer = {
        "board": used,
        "name": board.title,
        "title": session.game.title,
        "version": board.version,
        "address": pages.address_of(request, used),
        "view": pages.address_of(request, board.view_id),
        "status": board.record.status.status,
        "game": session.reference,
        "won": won,
        "facts": [fact.text for fact in session.history.facts],
        "rows": _rows(feed),
        "history": history_keys(session.game, session.history),
        "game_tag": board.game_tag,
        "people": feed.presence.names,
        "guests": feed.presence.guests,
    }
    return JSONResponse(answer, headers=etag(board.version))


def _rows(feed: BoardFeed) -> list[dict[str, Any]]:
    game, authors = feed.board.game, feed.board.authors()
    rows = []
    for number, turn in enumerate(feed.board.session.history.turns, start=1):
        author = authors.get(number)
        row = {
            "turn": number,
            "guess": game.format_code(turn.guess),
            "clue": game.rule.notation.format(turn.clue),
            "text": format_row(game, turn),
            "note": turn.note,
            "doubt": turn.doubt,
            "by": author.name if author else "",
            "at": author.when.isoformat() if author else "",
        }
        rows.append(row)
    return rows


@router.put("/boards/{board}/status", responses=schemas.answers(schemas.BOARD))
async def set_status(request: Request, feed: Board, body: NewStatus) -> Response:
    """Name a board, archive it, delete it, or open it again."""
    await feed.set_status(body.name, body.status, body.by)
    return await get_board(request, feed)


@router.get("/boards/{board}/file", **_text("text/yaml", {}))
async def get_file(feed: Board) -> Response:
    """Return the board's file, which every command of the program takes."""
    return await pages.board_file(feed)


@router.get("/boards/{board}/game", **_text("text/yaml", {}))
async def get_game(feed: Board) -> Response:
    """Return the game without its rows as a game file that needs no other file."""
    text = await asyncio.to_thread(feed.board.game_text)
    return Response(text, media_type="text/yaml", headers=etag(feed.board.version))


@router.get("/boards/{board}/events", **_text("text/event-stream", schemas.EVENT))
async def follow(request: Request, feed: Board) -> Response:
    """Return an endless stream of server-sent events `state`, one for each change of the board.

    The id is the version. `news` are pairs of a version and what its change did; these, `fragments`
    and `items` (rows and facts, by place from 0) are HTML for the board's page.
    """
    return await pages.events(request, feed)


@router.get("/boards/{board}/rows", responses=schemas.answers(schemas.ROWS))
async def get_rows(feed: Board) -> Response:
    """Return the rows, each with its author and time."""
    version = feed.board.version
    return JSONResponse({"version": version, "rows": _rows(feed)}, headers=etag(version))


@router.get("/boards/{board}/rows.csv", **_text("text/csv"))
async def get_rows_as_csv(feed: Board) -> Response:
    """Return the rows as a table for a sheet."""
    rows = ([r["turn"], r["guess"], r["clue"], r["note"], r["by"], r["at"]] for r in _rows(feed))
    return _csv(["row", "guess", "clue", "note", "by", "at"], rows, feed.board.version)


def _csv(header: list[str], rows: Iterable[Sequence[object]], version: int) -> Response:
    """Return a table as CSV, none of whose cells a sheet takes for a formula."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([csv_cell(str(cell)) for cell in row] for row in rows)
    return Response(text.getvalue(), media_type="text/csv", headers=etag(version))


# Changes.


class _Change(ByWhom):
    """The body of a change, with the version of the board that its author saw (None: newest)."""

    version: Annotated[int | None, Field(ge=0, le=10**9, examples=[None])] = None


class NewRows(_Change):
    """Rows to add; `log` is true if they are a whole log, which may begin with known rows."""

    rows: Annotated[Lines, Field(min_length=1, examples=[["HORSE B_WR_"]])]
    log: bool = False


class RowChange(_Change):
    """A correction: `row`, a clue or a guess and a clue, or `doubt`, a chance such as `20%`."""

    row: Annotated[str, Field(max_length=2_000, pattern=_ONE, examples=["B_WRR"])] = ""
    doubt: Annotated[str, Field(max_length=10, pattern=r"^[0-9.]*%?$")] | None = None


def _change_schema() -> dict[str, Any]:
    """Return the JSON schema of a change, without references to other schemas."""
    kinds = changes.change_adapter().json_schema()["$defs"].values()
    return {"oneOf": [{**one, "required": ["kind", *one.get("required", [])]} for one in kinds]}


class NewChange(_Change):
    """A change of any kind, as a JSON object with the key `kind`."""

    change: Annotated[dict[str, Any], WithJsonSchema(_change_schema())]


class NewFact(_Change):
    """A fact about the secret to add, written as after the command `/fact`."""

    fact: Annotated[OneLine, Field(examples=["contains E"])]


class Steps(_Change):
    """The number of steps to undo or redo."""

    steps: Annotated[int, Field(ge=1, le=10_000)] = 1


class NewHistory(ByWhom):
    """Facts and turns that replace all those of the board, written as in a game file."""

    facts: Lines = []
    turns: Annotated[Lines, Field(examples=[["HORSE B_WR_"]])] = []


class NewLine(_Change):
    """A line as a player types it in a terminal: a row, a pasted block or a command."""

    line: Annotated[str, Field(min_length=1, max_length=LONGEST_LINE, examples=["/why HEART"])]
    standing: Name = ""
    suggested: Name = ""


class Settings(_Change):
    """One setting of the game: its strategy, its word list, or how often marks are read."""

    strategy: Annotated[Setting, Field(examples=["entropy"])] = ""
    words: Setting = ""
    reads: Setting = ""


async def _submit(
    request: Request, feed: BoardFeed, change: Draft, by: str, seen: int | None = None
) -> Response:
    """Apply a change or a line; return its effect.

    If it was sent and made before, it is not made again: its rows are found where they are now.
    """
    only = wanted_versions(request.headers.get("if-match"))
    once = request.headers.get("idempotency-key", "")
    try:
        result, version = await feed.submit(Submission(change, by, seen, once, only))
    except AlreadyAppliedError as error:
        sent = change.turns if isinstance(change, changes.RecordTurns) else ()
        history = feed.board.session.history
        numbers = (history.number_of(turn.guess) for turn in sent)
        known = tuple(RowEffect(n, history.turn(n), "known") for n in numbers if n is not None)
        result, version = LineResult(text=(str(error),), effects=known), error.version
    if result.failed is not None:
        raise WorkerRequestError(result.failed.kind, result.failed.message)
    rows = [
        {"turn": one.number, "text": format_row(feed.board.game, one.turn), "effect": one.effect}
        for one in result.effects
    ]
    answer = {"version": version, "said": result.text, "standing": result.pending, "rows": rows}
    return JSONResponse(answer, headers=etag(version))


@_changes.post("/boards/{board}/changes")
async def make_change(request: Request, feed: Board, body: NewChange) -> Response:
    """Make any change, as one step of undo. Rows are turns, numbered from 1.

    The answer has lines that describe the change, and the effect of each row that was sent: `new`,
    or what it made of the board's row of that guess (`completed`, `replaced`, `known`).
    """
    change = changes.load_change(feed.board.game, body.change)
    return await _submit(request, feed, change, body.by, body.version)


@_changes.post("/boards/{board}/rows")
async def add_rows(request: Request, feed: Board, body: NewRows) -> Response:
    """Add rows, as one step of undo. A guess that is on the board is completed or replaced."""
    turns = tuple(map(feed.board.game.parse_turn, body.rows))
    change = changes.RecordTurns(turns, body.log)
    return await _submit(request, feed, change, body.by, body.version)


RowNumber: TypeAlias = Annotated[int, Path(alias="turn", ge=1, le=100_000, examples=[1])]


@_changes.patch("/boards/{board}/rows/{turn}")
async def change_row(request: Request, feed: Board, number: RowNumber, body: RowChange) -> Response:
    """Change a row: its clue, or guess and clue, or how likely it is to be wrong."""
    if bool(body.row.strip()) == (body.doubt is not None):
        raise HttpError(422, "name either row, a clue or a row, or doubt, such as 20%")

    def change(game: Game, history: History) -> Change:
        if body.doubt is None:
            return row_edited(game, history, number, body.row.strip())
        chance = parse_doubt(body.doubt) if body.doubt else None
        return changes.SetDoubt(number, history.doubt_after(number, chance))

    return await _submit(request, feed, change, body.by, body.version)


@_changes.delete("/boards/{board}/rows/{turn}")
async def drop_row(
    request: Request,
    feed: Board,
    number: RowNumber,
    by: Annotated[str, Query(max_length=60)] = "",
    version: Annotated[int | None, Query(ge=0, le=10**9)] = None,
) -> Response:
    """Remove a row."""
    change = changes.DropRow(number)
    return await _submit(request, feed, change, pages.plain_name(by), version)


@_changes.put("/boards/{board}/history")
async def replace_history(request: Request, feed: Board, body: NewHistory) -> Response:
    """Replace all facts and turns, as one step of undo; If-Match is needed."""
    if "if-match" not in request.headers:
        raise HttpError(422, "If-Match: name the version that is replaced")
    game, items = feed.board.game, [f"/fact {fact}" for fact in body.facts] + body.turns
    history = merge(game, History(), map(game.as_item, items)).history
    return await _submit(request, feed, changes.ReplaceHistory(history), body.by)


@_changes.post("/boards/{board}/facts")
async def add_fact(request: Request, feed: Board, body: NewFact) -> Response:
    """Add a fact about the secret."""
    change = changes.AddFact(feed.board.game.parse_fact(body.fact))
    return await _submit(request, feed, change, body.by, body.version)


@_changes.post("/boards/{board}/undo")
async def undo(request: Request, feed: Board, body: Steps) -> Response:
    """Undo the newest steps of `by`, unless somebody has changed their rows since."""
    return await _submit(request, feed, changes.Undo(body.steps), body.by, body.version)


@_changes.post("/boards/{board}/redo")
async def redo(request: Request, feed: Board, body: Steps) -> Response:
    """Redo the steps that `by` undid last."""
    return await _submit(request, feed, changes.Redo(body.steps), body.by, body.version)


@_changes.post("/boards/{board}/restore/{version}")
async def restore(
    request: Request, feed: Board, version: Annotated[int, Path(ge=1, le=10**9)], body: ByWhom
) -> Response:
    """Take back the change to a version, whoever made it; later changes are kept."""
    return await _submit(request, feed, feed.board.restoring(version), body.by)


@_changes.post("/boards/{board}/lines")
async def type_line(request: Request, feed: Board, body: NewLine) -> Response:
    """Apply a line typed as in a terminal: a row, a pasted block, a command; return its answer."""
    standing = body.standing or feed.board.waiting_at(body.version)
    line = TypedLine(body.line, standing, body.suggested)
    return await _submit(request, feed, line, body.by, body.version)


@_changes.patch("/boards/{board}")
async def set_settings(request: Request, feed: Board, body: Settings) -> Response:
    """Change the game's strategy, its word list, or how often marks are read."""
    kinds = changes.SetStrategy, changes.SetWordList, changes.SetReadRates
    named = zip(kinds, (body.strategy, body.words, body.reads), strict=True)
    made = [kind(text.strip()) for kind, text in named if text.strip()]
    if len(made) != 1:
        raise HttpError(422, "name a strategy, words or reads, one in a request")
    return await _submit(request, feed, made[0], body.by, body.version)


router.include_router(_changes)

# Questions, about a board or about rows in the address.

_Keys: TypeAlias = dict[str, Any]

Texts: TypeAlias = Annotated[
    Sequence[Annotated[str, Query(max_length=500)]], Query(max_length=200, description="A row.")
]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Some rows of a built-in game, without a board: each a parameter, or all in one."""

    request: Request
    game: Annotated[str, Query(max_length=60, description="A built-in game, or a size.")]
    turn: Texts = ()
    row: Texts = ()
    rows: Annotated[
        str, Query(max_length=4_000, description="Rows, one per line or separated by `;`.")
    ] = ""

    async def ask(self, question: Question) -> Any:
        """Return the answer to a question."""
        task = WorkerRequest(await asyncio.to_thread(self._snapshot), question)
        return await pages.server_of(self.request).workers.ask(task).result()

    def _snapshot(self) -> BoardSnapshot:
        check_game(self.game)
        game = gamefile.load(self.game)
        text = "\n".join([*self.turn, *self.row, self.rows]).replace(";", "\n")
        rows = read_rows(game, text, game.history)
        history = merge(game, game.history, rows, is_log=True).history
        return BoardSnapshot(f"/{self.game}", self.game, {}, history)


Limit: TypeAlias = Annotated[int, Query(ge=0, le=10_000, description="How many are listed.")]
Code: TypeAlias = Annotated[str, Query(max_length=500, examples=["HEART"])]


def _nothing() -> _Keys:
    return {}


def _top(top: Annotated[int, Query(ge=1, le=100, description="How many are named.")] = 5) -> _Keys:
    return {"number": top}


def _limit(limit: Limit = 20) -> _Keys:
    return {"number": limit}


def _most(limit: Annotated[int, Query(ge=1, le=100)] = 20) -> _Keys:
    return {"number": limit}


def _guess(feed: Board, code: Code) -> _Keys:
    return {"code": feed.board.game.parse_guess(code)}


def _secret(feed: Board, code: Code) -> _Keys:
    secret, board = parse_question(feed.board.game, code)
    return {"code": secret, "board": board}


def _add(path: str, kind: Any, form: Any, about: str, given: Callable[..., _Keys]) -> None:
    """Add the routes of a question; `given` reads its parameters."""
    asked = Annotated[_Keys, Depends(given)]
    options: dict[str, Any] = {"responses": schemas.answers(form), "description": about}

    @router.get(f"/boards/{{board}}/{path}", name=path, **options)
    async def answer(feed: Board, keys: asked) -> Response:
        version, found = await feed.ask(Question(kind, **keys))
        return JSONResponse(found, headers=etag(version))

    if kind in ("suggest", "candidates"):

        @router.get(f"/{kind}", name=f"{kind}_once", **options)
        async def answer_alone(rows: Annotated[_Rows, Depends()], keys: asked) -> Response:
            return JSONResponse(await rows.ask(Question(kind, **keys)))


for _question in (
    ("suggestions", "suggest", schemas.SUGGESTIONS,
     "The best next guesses, as `suggest --json` prints them.", _top),
    ("worth", "try", schemas.SUGGESTIONS,
     "The value of a guess, as `suggest --try --json` prints it.", _guess),
    ("candidates", "candidates", schemas.CANDIDATES,
     "The candidates, as `candidates --json` prints them.", _limit),
    ("why", "why", schemas.WHY,
     "Which rows rule a code out, as `explain --json` prints it.", _secret),
    ("conflicts", "conflicts", schemas.CONFLICTS,
     "Smallest sets of rows and facts that contradict each other.", _most),
    ("unread", "unread", schemas.UNREAD, "The unread marks that would tell most (bits).", _top),
    ("certain", "certain", schemas.CERTAIN,
     "What all candidates have in common, and which rows and facts prove it.", _nothing),
    ("repairs", "repairs", schemas.REPAIRS,
     "Changes of one row (`with`: of two) after which something fits, likeliest first.", _nothing),
    ("suspects", "suspects", schemas.SUSPECTS, "The rows likeliest to be wrong.", _nothing),
    ("explanation", "explain", schemas.EXPLANATION, "All that `explain --json` prints.", _nothing),
    ("review", "review", schemas.REVIEW,
     "How good each guess was: bits expected, told and at most; `skill` from 0 to 1.", _nothing),
    ("legend", "legend", schemas.LEGEND,
     "What the marks mean in a game with `legend: unknown`, as `identify --json` says.", _nothing),
):  # fmt: skip
    _add(*_question)


@router.get("/boards/{board}/candidates.csv", **_text("text/csv"))
async def candidates_as_csv(feed: Board, limit: Limit = 1_000) -> Response:
    """Return the candidates as a CSV table for a spreadsheet."""
    version, answer = await feed.ask(Question("candidates", limit))
    codes = answer["candidates"]
    if codes and isinstance(codes[0], dict):
        rows = [[one["code"], one["probability"]] for one in codes]
        return _csv(["candidate", "probability"], rows, version)
    return _csv(["candidate"], [[code] for code in codes], version)


@router.get("/boards/{board}/export", **_text("text/plain"))
async def export(feed: Board) -> Response:
    """Return the game and its rows as a script for a solver."""
    version, text = await feed.ask(Question("export"))
    return Response(text, media_type="text/plain", headers=etag(version))
