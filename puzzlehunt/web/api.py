"""The routes of programs and spreadsheets: JSON as `--json` prints it, and CSV."""

import asyncio
import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response, Security
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.security import HTTPBasic, HTTPBearer
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
from puzzlehunt.session.changes import Change, Question, RecordTurns, change_adapter, load_change
from puzzlehunt.session.commands import row_edited
from puzzlehunt.views.escapes import csv_cell
from puzzlehunt.web import pages, schemas
from puzzlehunt.web.board import (
    LONGEST_LINE,
    MOST_ROWS,
    AlreadyAppliedError,
    Draft,
    OutdatedChangeError,
    Submission,
)
from puzzlehunt.web.feed import BoardFeed
from puzzlehunt.web.http_errors import HttpError, check_modified, etag, wanted_versions
from puzzlehunt.web.pages import address_of, plain_name, server_of
from puzzlehunt.web.snapshot import BoardSnapshot, IsWon, LineResult, TypedLine, WorkerRequest
from puzzlehunt.web.state import check_game
from puzzlehunt.web.store import StatusName
from puzzlehunt.web.uploads import LARGEST_UPLOAD
from puzzlehunt.web.workers import WorkerRequestError

_REFUSED = schemas.answers({"detail": str})[200] | {"description": "Why, in one sentence."}
_REFUSALS: dict[int | str, dict[str, Any]] = dict.fromkeys(
    (400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 421, 422, 429, 503, 507), _REFUSED
)
_REFUSALS[304] = {"description": "The answer that is known is the newest."}
_PASSWORD = [
    Security(HTTPBasic(scheme_name="basic", auto_error=False)),
    Security(HTTPBearer(scheme_name="bearer", auto_error=False)),
]
"""How programs may send the server's password, if it has one; the guard reads it."""
router = APIRouter(
    prefix="/api/v1", responses=_REFUSALS, dependencies=_PASSWORD, tags=["answers"],
    generate_unique_id_function=lambda route: route.name,
)  # fmt: skip
_changes = APIRouter(responses=schemas.answers(schemas.CHANGED))


def _text(media: str, form: Any = str) -> dict[str, Any]:
    """Return the options of a route that answers with a text."""
    return {"response_class": Response, "responses": schemas.answers(form, media)}


# Bodies.

_ONE = r"^[^\r\n]*$"
"""Pattern of a text without line breaks."""
Name: TypeAlias = Annotated[str, Field(max_length=60)]
OneLine: TypeAlias = Annotated[str, Field(min_length=1, max_length=2_000, pattern=_ONE)]
Lines: TypeAlias = Annotated[list[OneLine], Field(max_length=MOST_ROWS)]
Setting: TypeAlias = Annotated[str, Field(max_length=200, pattern=_ONE)]


def _example(**keys: object) -> dict[str, Any]:
    return {"examples": [keys]}


def _change_schema() -> dict[str, Any]:
    """Return the JSON schema of a change, without references to other schemas."""
    described = change_adapter().json_schema()
    kinds = described["$defs"].values()
    return {"oneOf": [{**one, "required": ["kind", *one.get("required", [])]} for one in kinds]}


class ByWhom(BaseModel, extra="forbid", json_schema_extra=_example(by="Ann")):
    """Who asks for it; a body may have no unknown keys."""

    by: Annotated[Name, AfterValidator(plain_name)] = ""


class _Change(ByWhom):
    """The body of a change, with the version of the board that its author saw (None: newest)."""

    version: Annotated[int | None, Field(ge=0, le=10**9)] = None


class NewBoard(ByWhom, json_schema_extra=_example(game="cryptic", rows="HORSE B_WR_", by="Ann")):
    """A board to create: from a built-in game, from a size, or from the text of a game file."""

    game: Name = ""
    file: Annotated[str, Field(max_length=LARGEST_UPLOAD)] = ""
    name: Name = ""
    rows: Annotated[str, Field(max_length=LONGEST_LINE)] = ""


class NewStatus(ByWhom, json_schema_extra=_example(name="Tuesday", status="archived", by="Ann")):
    """The name of a board, and whether it may be changed; None keeps what it is.

    A deleted board can be opened again for a day.
    """

    name: Name | None = None
    status: StatusName | None = None


class NewRows(_Change, json_schema_extra=_example(rows=["HORSE B_WR_"], by="Ann")):
    """Rows to add; `log` is true if they are a whole log, which may begin with known rows."""

    rows: Annotated[Lines, Field(min_length=1)]
    log: bool = False


class RowChange(_Change, json_schema_extra=_example(row="B_WRR", by="Ann")):
    """A correction: `row`, a clue or a guess and a clue, or `doubt`, a chance such as `20%`."""

    row: Annotated[str, Field(max_length=2_000, pattern=_ONE)] = ""
    doubt: Annotated[str, Field(max_length=10, pattern=r"^[0-9.]*%?$")] | None = None


class NewChange(
    _Change, json_schema_extra=_example(change={"kind": "drop_row", "row": 2}, by="Ann")
):
    """A change of any kind, as a JSON object with the key `kind`."""

    change: Annotated[dict[str, Any], WithJsonSchema(_change_schema())]


class NewFact(_Change, json_schema_extra=_example(fact="contains E", by="Ann")):
    """A fact about the secret to add, written as after the command `/fact`."""

    fact: OneLine


class Steps(_Change, json_schema_extra=_example(steps=1, by="Ann")):
    """The number of steps to undo or redo."""

    steps: Annotated[int, Field(ge=1, le=10_000)] = 1


class NewHistory(ByWhom, json_schema_extra=_example(facts=[], turns=["HORSE B_WR_"], by="Ann")):
    """Facts and turns that replace all those of the board, written as in a game file."""

    facts: Lines = []
    turns: Lines = []


class NewLine(_Change, json_schema_extra=_example(line="/why HEART", by="Ann")):
    """A line as a player types it in a terminal: a row, a pasted block or a command."""

    line: Annotated[str, Field(min_length=1, max_length=LONGEST_LINE)]
    standing: Name = ""
    suggested: Name = ""


class Settings(_Change, json_schema_extra=_example(strategy="entropy", by="Ann")):
    """One setting of the game: its strategy, its word list, or how often marks are read."""

    strategy: Setting = ""
    words: Setting = ""
    reads: Setting = ""


# Boards.


async def _feed(
    request: Request,
    board: Annotated[str, Path(max_length=100, examples=["cryptic-s1kpYbbW3fLhPQ2y4tE6Cg"])],
    if_none_match: Annotated[
        str | None, Header(description="The version whose answer is known; 304 if it is newest.")
    ] = None,
) -> BoardFeed:
    feed = await pages.feed_of(request, board)
    if request.method == "GET":
        check_modified(if_none_match, feed.board.version)
    return feed


Board: TypeAlias = Annotated[BoardFeed, Depends(_feed)]


@router.post("/boards", status_code=201, responses=schemas.answers(schemas.BOARD, status=201))
async def make_board(request: Request, body: NewBoard) -> Response:
    """Make a board, and return it with its secret address."""
    server = server_of(request)
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
    name = pages.id_of(request, feed)
    answer = {
        "board": name,
        "name": board.title,
        "title": session.game.title,
        "version": board.version,
        "address": address_of(request, name),
        "view": address_of(request, board.view_id),
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
        rows.append({
            "turn": number,
            "guess": game.format_code(turn.guess),
            "clue": game.rule.notation.format(turn.clue),
            "text": format_row(game, turn),
            "note": turn.note,
            "doubt": turn.doubt,
            "by": author.name if author else "",
            "at": author.when.isoformat() if author else "",
        })  # fmt: skip
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


@dataclass(frozen=True, slots=True)
class _Target:
    """The board that a request changes, the version that it is for, and the request's key."""

    feed: Board
    if_match: Annotated[
        str | None, Header(description="The version that the change is for; 412 if it has passed.")
    ] = None
    once: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key", max_length=100,
            description="Another text for every change: sent again with it, it is made once.",
        ),
    ] = None  # fmt: skip

    async def submit(self, change: Draft, by: str, seen: int | None = None) -> Response:
        """Apply a change or a line; return its effect.

        A change that was sent and made before is not made again: its rows are found where they are
        now.
        """
        board = self.feed.board
        submission = Submission(change, by, seen, self.once or "", wanted_versions(self.if_match))
        try:
            result, version = await self.feed.submit(submission)
        except AlreadyAppliedError as error:
            sent = change.turns if isinstance(change, RecordTurns) else ()
            history = board.session.history
            numbers = (history.number_of(turn.guess) for turn in sent)
            known = (RowEffect(n, history.turn(n), "known") for n in numbers if n is not None)
            result, version = LineResult(text=(str(error),), effects=tuple(known)), error.version
        except OutdatedChangeError as error:
            if self.if_match is None:
                raise
            raise HttpError(412, str(error), etag(board.version)) from None
        if result.failed is not None:
            raise WorkerRequestError(result.failed.kind, result.failed.message)
        rows = [
            {"turn": one.number, "text": format_row(board.game, one.turn), "effect": one.effect}
            for one in result.effects
        ]
        answer = {"version": version, "said": result.text, "standing": result.pending}
        return JSONResponse({**answer, "rows": rows}, headers=etag(version))


Target: TypeAlias = Annotated[_Target, Depends()]


@_changes.patch("/boards/{board}")
async def set_settings(target: Target, body: Settings) -> Response:
    """Change the game's strategy, its word list, or how often marks are read."""
    kinds = changes.SetStrategy, changes.SetWordList, changes.SetReadRates
    named = zip(kinds, (body.strategy, body.words, body.reads), strict=True)
    made = [kind(text.strip()) for kind, text in named if text.strip()]
    if len(made) != 1:
        raise HttpError(422, "name a strategy, words or reads, one in a request")
    return await target.submit(made[0], body.by, body.version)


@_changes.post("/boards/{board}/restore/{version}")
async def restore(
    target: Target, version: Annotated[int, Path(ge=1, le=10**9, examples=[1])], body: ByWhom
) -> Response:
    """Take back the change to a version, whoever made it; later changes are kept."""
    return await target.submit(target.feed.board.restoring(version), body.by)


@_changes.post("/boards/{board}/changes")
async def make_change(target: Target, body: NewChange) -> Response:
    """Make any change, as one step of undo. Rows are turns, numbered from 1.

    The answer has lines that describe the change, and the effect of each row that was sent: `new`,
    or what it made of the board's row of that guess (`completed`, `replaced`, `known`).
    """
    change = load_change(target.feed.board.game, body.change)
    return await target.submit(change, body.by, body.version)


@_changes.post("/boards/{board}/rows")
async def add_rows(target: Target, body: NewRows) -> Response:
    """Add rows, as one step of undo. A guess that is on the board is completed or replaced."""
    turns = tuple(map(target.feed.board.game.parse_turn, body.rows))
    return await target.submit(RecordTurns(turns, body.log), body.by, body.version)


RowNumber: TypeAlias = Annotated[int, Path(alias="turn", ge=1, le=100_000, examples=[1])]


@_changes.patch("/boards/{board}/rows/{turn}")
async def change_row(target: Target, number: RowNumber, body: RowChange) -> Response:
    """Change a row: its clue, or guess and clue, or how likely it is to be wrong."""
    if bool(body.row.strip()) == (body.doubt is not None):
        raise HttpError(422, "name either row, a clue or a row, or doubt, such as 20%")

    def change(game: Game, history: History) -> Change:
        if body.doubt is None:
            return row_edited(game, history, number, body.row.strip())
        chance = parse_doubt(body.doubt) if body.doubt else None
        return changes.SetDoubt(number, history.doubt_after(number, chance))

    return await target.submit(change, body.by, body.version)


@_changes.delete("/boards/{board}/rows/{turn}")
async def drop_row(
    target: Target,
    number: RowNumber,
    by: Annotated[str, Query(max_length=60)] = "",
    version: Annotated[int | None, Query(ge=0, le=10**9)] = None,
) -> Response:
    """Remove a row."""
    return await target.submit(changes.DropRow(number), plain_name(by), version)


@_changes.put("/boards/{board}/history")
async def replace_history(target: Target, body: NewHistory) -> Response:
    """Replace all facts and turns, as one step of undo; If-Match is needed."""
    if target.if_match is None:
        raise HttpError(422, "If-Match: name the version that is replaced")
    game = target.feed.board.game
    items = [f"/fact {fact}" for fact in body.facts] + body.turns
    history = merge(game, History(), map(game.as_item, items)).history
    return await target.submit(changes.ReplaceHistory(history), body.by)


@_changes.post("/boards/{board}/facts")
async def add_fact(target: Target, body: NewFact) -> Response:
    """Add a fact about the secret."""
    fact = target.feed.board.game.parse_fact(body.fact)
    return await target.submit(changes.AddFact(fact), body.by, body.version)


@_changes.post("/boards/{board}/undo")
async def undo(target: Target, body: Steps) -> Response:
    """Undo the newest steps of `by`, unless somebody has changed their rows since."""
    return await target.submit(changes.Undo(body.steps), body.by, body.version)


@_changes.post("/boards/{board}/redo")
async def redo(target: Target, body: Steps) -> Response:
    """Redo the steps that `by` undid last."""
    return await target.submit(changes.Redo(body.steps), body.by, body.version)


@_changes.post("/boards/{board}/lines")
async def type_line(target: Target, body: NewLine) -> Response:
    """Apply a line typed as in a terminal: a row, a pasted block, a command; return its answer."""
    standing = body.standing or target.feed.board.waiting_at(body.version)
    line = TypedLine(body.line, standing, body.suggested)
    return await target.submit(line, body.by, body.version)


# Questions, about a board or about rows in the address.

Limit: TypeAlias = Annotated[int, Query(ge=0, le=10_000, description="How many are listed.")]
Top: TypeAlias = Annotated[int, Query(ge=1, le=100, description="How many are named.")]
CodeText: TypeAlias = Annotated[str, Query(max_length=500, examples=["HEART"])]
Texts: TypeAlias = Sequence[Annotated[str, Query(max_length=500)]]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Some rows of a built-in game, without a board: each a parameter, or all in one."""

    request: Request
    game: Annotated[str, Query(max_length=60, description="A built-in game, or a size.")]
    turn: Annotated[Texts, Query(max_length=200, description="A row.")] = ()
    row: Annotated[Texts, Query(max_length=200, description="A row.")] = ()
    rows: Annotated[
        str, Query(max_length=4_000, description="Rows, one per line or separated by `;`.")
    ] = ""

    async def ask(self, question: Question) -> Any:
        """Return the answer to a question."""
        task = WorkerRequest(await asyncio.to_thread(self._snapshot), question)
        return await server_of(self.request).workers.ask(task).result()

    def _snapshot(self) -> BoardSnapshot:
        check_game(self.game)
        game = gamefile.load(self.game)
        text = "\n".join([*self.turn, *self.row, self.rows]).replace(";", "\n")
        rows = read_rows(game, text, game.history)
        history = merge(game, game.history, rows, is_log=True).history
        return BoardSnapshot(f"/{self.game}", self.game, {}, history)


def _add(
    name: str, form: Any, asked: Question | Callable[..., Question], about: str, alone: str = ""
) -> None:
    """Add the routes of a question, or of what a function of parameters asks.

    `alone` is the path that needs no board, "" for none.
    """
    given = Annotated[Question, Depends(asked if callable(asked) else lambda: asked)]
    options: dict[str, Any] = {"responses": schemas.answers(form), "description": about}

    @router.get(f"/boards/{{board}}/{name}", name=name, **options)
    async def answer(feed: Board, question: given) -> Response:
        version, found = await feed.ask(question)
        return JSONResponse(found, headers=etag(version))

    if alone:

        @router.get(f"/{alone}", name=f"{alone}_once", **options)
        async def answer_alone(rows: Annotated[_Rows, Depends()], question: given) -> Response:
            return JSONResponse(await rows.ask(question))


def _suggest(top: Top = 5) -> Question:
    return Question("suggest", top)


def _worth(feed: Board, code: CodeText) -> Question:
    return Question("try", code=feed.board.game.parse_guess(code))


def _candidates(limit: Limit = 20) -> Question:
    return Question("candidates", limit)


def _why(feed: Board, code: CodeText) -> Question:
    secret, board = parse_question(feed.board.game, code)
    return Question("why", code=secret, board=board)


def _conflicts(limit: Top = 20) -> Question:
    return Question("conflicts", limit)


def _unread(top: Top = 5) -> Question:
    return Question("unread", top)


for _question in (
    ("suggestions", schemas.SUGGESTIONS, _suggest,
     "The best next guesses, as `suggest --json` prints them.", "suggest"),
    ("worth", schemas.SUGGESTIONS, _worth,
     "The value of a guess, as `suggest --try --json` prints it."),
    ("candidates", schemas.CANDIDATES, _candidates,
     "The candidates, as `candidates --json` prints them.", "candidates"),
    ("why", schemas.WHY, _why, "Which rows rule a code out, as `explain --json` prints it."),
    ("conflicts", schemas.CONFLICTS, _conflicts,
     "Smallest sets of rows and facts that contradict each other."),
    ("unread", schemas.UNREAD, _unread, "The unread marks that would tell most (bits)."),
    ("certain", schemas.CERTAIN, Question("certain"),
     "What all candidates have in common, and which rows and facts prove it."),
    ("repairs", schemas.REPAIRS, Question("repairs"),
     "Changes of one row (`with`: of two) after which something fits, likeliest first."),
    ("suspects", schemas.SUSPECTS, Question("suspects"), "The rows likeliest to be wrong."),
    ("explanation", schemas.EXPLANATION, Question("explain"), "All that `explain --json` prints."),
    ("review", schemas.REVIEW, Question("review"),
     "How good each guess was: bits expected, told and at most; `skill` from 0 to 1."),
    ("legend", schemas.LEGEND, Question("legend"),
     "What the marks mean in a game with `legend: unknown`, as `identify --json` prints it."),
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
    return PlainTextResponse(text, headers=etag(version))


router.include_router(_changes, tags=["changes"])
