"""The API for programs and spreadsheets: JSON as `--json` prints it, and CSV."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.serialise import history_keys
from puzzlehunt.game.history import History
from puzzlehunt.game.lines import format_row
from puzzlehunt.game.merging import MergeResult, RowEffect, merged_with_itself
from puzzlehunt.session.session import Session
from puzzlehunt.web.api_parts import (
    REFUSALS,
    YAML,
    BoardId,
    CodeText,
    Csv,
    Events,
    GameName,
    IfMatch,
    IfNoneMatch,
    Limit,
    Once,
    RowNumber,
    Top,
    Turns,
    Yaml,
    candidates_csv,
    csv_of,
    tag_of,
    unchanged,
)
from puzzlehunt.web.board import MadeError, OvertakenError, Result, Submission
from puzzlehunt.web.feed import SECONDS, BoardFeed
from puzzlehunt.web.http_errors import (
    HttpError,
    http_error_of,
    not_modified,
    status_of,
    wanted_version,
)
from puzzlehunt.web.models import (
    BoardAnswer,
    ChangeAnswer,
    NewBoard,
    NewFact,
    NewHistory,
    NewRows,
    PlacedRow,
    Row,
    RowChange,
    RowsAnswer,
    Settings,
    Steps,
    TypedLine,
)
from puzzlehunt.web.pages import board_file, check_game, create_board, events, plain_name, server_of
from puzzlehunt.web.snapshot import BoardSnapshot, WorkerRequest
from puzzlehunt.web.workers import AnswerError, InterruptedAnswerError

router = APIRouter(prefix="/api/v1", responses=REFUSALS)


@router.post("/boards", status_code=201, response_model=BoardAnswer)
async def make_board(request: Request, body: NewBoard) -> Response:
    """Make a board, and return it with its address, which nobody can guess."""
    server, by = server_of(request), plain_name(body.by)
    live = await create_board(server, body.game, body.file, body.name, body.rows, by)
    headers = {"Location": f"/api/v1/boards/{live.board.id}", **tag_of(live.board.version)}
    return JSONResponse(_board_json(request, live).model_dump(), 201, headers=headers)


@router.get("/boards/{board}", response_model=BoardAnswer)
async def get_board(
    request: Request, board: BoardId, if_none_match: IfNoneMatch = None
) -> Response:
    """Return a board: its game, rows, facts and people."""
    live = server_of(request).board(board)
    version = await live.refresh()
    if not_modified(request, version):
        return unchanged(version)
    return JSONResponse(_board_json(request, live).model_dump(), headers=tag_of(version))


@router.patch("/boards/{board}", response_model=ChangeAnswer)
async def set_settings(
    request: Request,
    board: BoardId,
    body: Settings,
    if_match: IfMatch = None,
    once: Once = None,
) -> Response:
    """Change the game's strategy, its word list, or how often marks are read."""
    lines = [
        f"/{command} {value}"
        for command, value in (
            ("strategy", body.strategy), ("widen", body.words), ("rates", body.reads),
        )
        if value is not None and value.strip()
    ]  # fmt: skip
    if not lines:
        raise HttpError(422, "name a strategy, words or reads")
    by = plain_name(body.by)
    for number, line in enumerate(lines):
        # The version that its author saw is the first change's; the next ones are made on that.
        change = Submission(line, by, None if number else body.version)
        key = once and f"{number} {once}"
        answer = await _say(request, board, change, key, is_first=not number)
    return answer


@router.get("/boards/{board}/file", response_class=Yaml, responses=YAML)
async def get_file(request: Request, board: BoardId, if_none_match: IfNoneMatch = None) -> Response:
    """Return the board's file, which every command of the program takes."""
    return await board_file(request, board)


@router.get("/boards/{board}/game", response_class=Yaml, responses=YAML)
async def get_game(request: Request, board: BoardId) -> Response:
    """Return the game without its rows as a game file that needs no other file."""
    live = server_of(request).board(board)
    version = await live.refresh()
    text = await asyncio.to_thread(live.board.game_text)
    return Yaml(text, headers=tag_of(version))


@router.get("/boards/{board}/events", response_class=Events)
async def follow(request: Request, board: BoardId) -> Response:
    """Return the stream of changes, as server-sent events that never end."""
    return await events(request, board)


def _board_json(request: Request, live: BoardFeed) -> BoardAnswer:
    board = live.board
    session = board.session
    keys = history_keys(session.game, session.history)
    return BoardAnswer(
        board=board.id,
        name=board.name,
        title=session.game.title,
        version=board.version,
        address=f"{str(request.base_url).rstrip('/')}/b/{board.id}",
        game=session.reference,
        won=session.is_won,
        facts=[fact.text for fact in session.history.facts],
        rows=_rows(live),
        history=keys,
        game_tag=board.game_tag,
        people=live.people,
    )


def _rows(live: BoardFeed) -> list[Row]:
    session, authors, rows = live.board.session, live.board.authors(), []
    game = session.game
    for number, turn in enumerate(session.history.turns, start=1):
        author = authors.get(number)
        rows.append(
            Row(
                turn=number,
                guess=game.format_code(turn.guess),
                clue=game.rule.format(turn.clue),
                text=format_row(game, turn),
                note=turn.note,
                doubt=turn.doubt,
                by="" if author is None else author.name,
                at="" if author is None else author.when.isoformat(),
            )
        )
    return rows


# Rows.


@router.get("/boards/{board}/rows", response_model=RowsAnswer)
async def get_rows(request: Request, board: BoardId, if_none_match: IfNoneMatch = None) -> Response:
    """Return the rows, and who wrote each when."""
    live = server_of(request).board(board)
    version = await live.refresh()
    if not_modified(request, version):
        return unchanged(version)
    answer = RowsAnswer(version=version, rows=_rows(live))
    return JSONResponse(answer.model_dump(), headers=tag_of(version))


@router.get("/boards/{board}/rows.csv", response_class=Csv)
async def get_rows_as_csv(
    request: Request, board: BoardId, if_none_match: IfNoneMatch = None
) -> Response:
    """Return the rows as a table for a sheet."""
    live = server_of(request).board(board)
    version = await live.refresh()
    if not_modified(request, version):
        return unchanged(version)
    rows = ([r.turn, r.guess, r.clue, r.note, r.by, r.at] for r in _rows(live))
    return csv_of(["row", "guess", "clue", "note", "by", "at"], rows, tag_of(version))


@router.post("/boards/{board}/rows", response_model=ChangeAnswer)
async def add_rows(
    request: Request,
    board: BoardId,
    body: NewRows,
    if_match: IfMatch = None,
    once: Once = None,
) -> Response:
    """Add rows, as one step of undo. A guess that is on the board is completed or replaced."""

    def play(session: Session) -> MergeResult:
        return session.play(*(session.game.parse_turn(row) for row in body.rows), is_log=body.log)

    change = Submission("; ".join(body.rows), plain_name(body.by), body.version)
    merged, version = await _apply(request, board, change, play, once)
    live = server_of(request).board(board)
    placed = _placed_again(live, body.rows) if merged is None else merged.placed
    rows = [
        PlacedRow(turn=one.number, text=format_row(live.board.game, one.turn), effect=one.effect)
        for one in placed
    ]
    return _changed(version, rows=rows)


def _placed_again(live: BoardFeed, rows: Iterable[str]) -> Iterator[RowEffect]:
    """Yield where rows are that were added before, of those that are still on the board."""
    session = live.board.session
    for row in rows:
        turn = session.game.parse_turn(row)
        if (number := session.history.number_of(turn.guess)) is not None:
            yield RowEffect(number, session.history.turn(number), "known")


@router.patch("/boards/{board}/rows/{turn}", response_model=ChangeAnswer)
async def change_row(
    request: Request,
    board: BoardId,
    number: RowNumber,
    body: RowChange,
    if_match: IfMatch = None,
    once: Once = None,
) -> Response:
    """Change a row: its clue, or guess and clue, or how likely it is to be wrong."""
    if bool(body.row.strip()) == (body.doubt is not None):
        raise HttpError(422, "name either row, a clue or a row, or doubt, such as 20%")
    line = f"/edit {number} {body.row}" if body.row.strip() else f"/doubt {number} {body.doubt}"
    return await _say(request, board, Submission(line, plain_name(body.by), body.version), once)


@router.delete("/boards/{board}/rows/{turn}", response_model=ChangeAnswer)
async def drop_row(
    request: Request,
    board: BoardId,
    number: RowNumber,
    by: Annotated[str, Query(max_length=60)] = "",
    version: Annotated[int | None, Query(ge=0, le=10**9)] = None,
    if_match: IfMatch = None,
    once: Once = None,
) -> Response:
    """Take a row out."""
    return await _say(request, board, Submission(f"/drop {number}", plain_name(by), version), once)


@router.put("/boards/{board}/history", response_model=ChangeAnswer)
async def replace_history(
    request: Request,
    board: BoardId,
    body: NewHistory,
    if_match: IfMatch = None,
    once: Once = None,
) -> Response:
    """Replace all facts and turns, as one step of undo; If-Match is needed."""
    if if_match is None:
        raise HttpError(422, "If-Match: name the version that is replaced")

    def revise(session: Session) -> None:
        items = [f"/fact {fact}" for fact in body.facts] + body.turns
        session.revise(merged_with_itself(session.game, map(session.game.as_item, items)))

    change = Submission("all rows", plain_name(body.by))
    _, version = await _apply(request, board, change, revise, once)
    return _changed(version)


@router.post("/boards/{board}/facts", response_model=ChangeAnswer)
async def add_fact(
    request: Request,
    board: BoardId,
    body: NewFact,
    if_match: IfMatch = None,
    once: Once = None,
) -> Response:
    """Add a fact about the secret."""
    line = f"/fact {body.fact}"
    return await _say(request, board, Submission(line, plain_name(body.by), body.version), once)


@router.post("/boards/{board}/undo", response_model=ChangeAnswer)
async def undo(
    request: Request,
    board: BoardId,
    body: Steps,
    if_match: IfMatch = None,
    once: Once = None,
) -> Response:
    """Take the newest steps back, whoever made them."""
    change = Submission(f"/undo {body.steps}", plain_name(body.by), body.version)
    return await _say(request, board, change, once)


@router.post("/boards/{board}/redo", response_model=ChangeAnswer)
async def redo(
    request: Request,
    board: BoardId,
    body: Steps,
    if_match: IfMatch = None,
    once: Once = None,
) -> Response:
    """Do again what was taken back last."""
    change = Submission(f"/redo {body.steps}", plain_name(body.by), body.version)
    return await _say(request, board, change, once)


@router.post("/boards/{board}/lines", response_model=ChangeAnswer)
async def type_line(
    request: Request,
    board: BoardId,
    body: TypedLine,
    if_match: IfMatch = None,
    once: Once = None,
) -> Response:
    """Say a line as in a terminal: a row, a pasted block, a command; return what it printed."""
    change = Submission(body.line, plain_name(body.by), body.version, body.standing, body.suggested)
    return await _say(request, board, change, once)


async def _say(
    request: Request, board: str, change: Submission, once: str | None, *, is_first: bool = True
) -> Response:
    """Say a line. Raises HttpError where it fails, or where If-Match names another version.

    If-Match is about the first line of a request alone.
    """
    live = server_of(request).board(board)
    version, wanted = await live.refresh(), None
    change = replace(change, once=once or "")
    try:
        live.board.check_once(change.once)
        wanted = wanted_version(request, version) if is_first else None
        said, version = await live.submit(change, wanted)
    except MadeError as error:
        return _changed(error.version, said=[str(error)])
    except OvertakenError as error:
        raise HttpError(409 if wanted is None else 412, str(error)) from None
    except (PuzzlehuntError, AnswerError, InterruptedAnswerError) as error:
        raise http_error_of(error) from None
    if said.failed:
        raise HttpError(status_of(said.kind), said.failed)
    return _changed(version, said=list(said.text), standing=said.standing)


async def _apply(
    request: Request, board: str, change: Submission, step: Callable[[Session], Result],
    once: str | None,
) -> tuple[Result | None, int]:  # fmt: skip
    """Make a change; return its result, None where it was made before, and the version after it.

    Raises HttpError where it fails, or where If-Match names another version.
    """
    live = server_of(request).board(board)
    version, wanted = await live.refresh(), None
    change = replace(change, once=once or "")
    try:
        live.board.check_once(change.once)
        wanted = wanted_version(request, version)
        return await live.apply(change, step, wanted)
    except MadeError as error:
        return None, error.version
    except OvertakenError as error:
        raise HttpError(409 if wanted is None else 412, str(error)) from None
    except PuzzlehuntError as error:
        raise http_error_of(error) from None


def _changed(version: int, **keys: Any) -> Response:
    answer = ChangeAnswer(version=version, **keys)
    return JSONResponse(answer.model_dump(), headers=tag_of(version))


@router.get("/boards/{board}/suggestions")
async def suggestions(
    request: Request, board: BoardId, top: Top = 5, if_none_match: IfNoneMatch = None
) -> Response:
    """Return the best next guesses, under the keys of `suggest --json`."""
    return await _answer(request, board, "suggestions", {"top": top})


@router.get("/boards/{board}/worth")
async def worth(
    request: Request, board: BoardId, code: CodeText, if_none_match: IfNoneMatch = None
) -> Response:
    """Return what a guess would be worth, under the keys of `suggest --try --json`."""
    return await _answer(request, board, "suggestions", {"try": code})


@router.get("/boards/{board}/candidates")
async def candidates(
    request: Request, board: BoardId, limit: Limit = 20, if_none_match: IfNoneMatch = None
) -> Response:
    """Return what is still possible, under the keys of `candidates --json`."""
    return await _answer(request, board, "candidates", {"limit": limit})


@router.get("/boards/{board}/candidates.csv", response_class=Csv)
async def candidates_as_csv(
    request: Request, board: BoardId, limit: Limit = 1_000, if_none_match: IfNoneMatch = None
) -> Response:
    """Return what is still possible as a table for a sheet."""
    live = server_of(request).board(board)
    version = await live.refresh()
    if not_modified(request, version):
        return unchanged(version)
    version, answer = await _ask(live, "candidates", {"limit": limit})
    return candidates_csv(answer, tag_of(version))


@router.get("/boards/{board}/why")
async def why(
    request: Request, board: BoardId, code: CodeText, if_none_match: IfNoneMatch = None
) -> Response:
    """Return which rows rule a code out, under the keys of `explain --json`."""
    return await _answer(request, board, "explanation", {"code": code})


@router.get("/boards/{board}/certain")
async def certain(request: Request, board: BoardId, if_none_match: IfNoneMatch = None) -> Response:
    """Return what all candidates have in common, and which rows prove it."""
    return await _answer(request, board, "certain", {})


@router.get("/boards/{board}/conflicts")
async def conflicts(
    request: Request,
    board: BoardId,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Return smallest sets of rows that cannot all be right."""
    return await _answer(request, board, "conflicts", {"conflicts": limit})


@router.get("/boards/{board}/repairs")
async def repairs(request: Request, board: BoardId, if_none_match: IfNoneMatch = None) -> Response:
    """Return the changes of one row after which something fits, the likeliest first."""
    return await _answer(request, board, "repairs", {})


@router.get("/boards/{board}/suspects")
async def suspects(request: Request, board: BoardId, if_none_match: IfNoneMatch = None) -> Response:
    """Return the rows that are likeliest to be wrong."""
    return await _answer(request, board, "suspects", {})


@router.get("/boards/{board}/unread")
async def unread(
    request: Request, board: BoardId, top: Top = 5, if_none_match: IfNoneMatch = None
) -> Response:
    """Return which unread marks would tell most, under the keys of `suggest --unread --json`."""
    return await _answer(request, board, "unread", {"top": top})


@router.get("/boards/{board}/explanation")
async def explanation(
    request: Request, board: BoardId, if_none_match: IfNoneMatch = None
) -> Response:
    """Return conflicts, repairs, suspects and what is certain, as `explain --json`."""
    return await _answer(request, board, "explanation", {})


@router.get("/boards/{board}/review")
async def review(request: Request, board: BoardId, if_none_match: IfNoneMatch = None) -> Response:
    """Return how good each guess was, under the keys of `review --json`."""
    return await _answer(request, board, "review", {})


@router.get("/boards/{board}/export", response_class=PlainTextResponse)
async def export(
    request: Request,
    board: BoardId,
    script: Annotated[Literal["smtlib", "lp"], Query(alias="format")] = "smtlib",
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Return the game and its rows as a script for a solver."""
    live = server_of(request).board(board)
    version = await live.refresh()
    if not_modified(request, version):
        return unchanged(version)
    version, text = await _ask(live, "export", {"format": script})
    return PlainTextResponse(text, headers=tag_of(version))


async def _answer(
    request: Request, board: str, question: str, parameters: Mapping[str, Any]
) -> Response:
    """Return an answer as JSON with the version that it belongs to. Raises HttpError."""
    live = server_of(request).board(board)
    version = await live.refresh()
    if not_modified(request, version):
        return unchanged(version)
    version, answer = await _ask(live, question, parameters)
    return JSONResponse(answer, headers=tag_of(version))


async def _ask(live: BoardFeed, question: str, parameters: Mapping[str, Any]) -> tuple[int, Any]:
    try:
        return await live.ask(question, parameters)
    except (PuzzlehuntError, AnswerError, InterruptedAnswerError) as error:
        raise http_error_of(error) from None


# One question in one address.


@router.get("/suggest")
async def suggest_once(
    request: Request,
    game: GameName,
    turn: Turns = (),
    top: Top = 5,
) -> Response:
    """Return the best next guesses after some rows, without a board."""
    return JSONResponse(await _ask_once(request, game, turn, "suggestions", {"top": top}))


@router.get("/suggest.csv", response_class=Csv)
async def suggest_once_as_csv(
    request: Request,
    game: GameName,
    turn: Turns = (),
    top: Top = 5,
) -> Response:
    """Return the best next guesses after some rows as a table, as spreadsheets import it."""
    answer = await _ask_once(request, game, turn, "suggestions", {"top": top})
    keys = ["guess", "value", "worst", "candidate"]
    rows = ([one[key] for key in keys] for one in answer["suggestions"])
    return csv_of(["guess", answer["measure"], "at worst left", "may win"], rows, {})


@router.get("/candidates")
async def candidates_once(
    request: Request,
    game: GameName,
    turn: Turns = (),
    limit: Limit = 20,
) -> Response:
    """Return what is possible after some rows, without a board."""
    return JSONResponse(await _ask_once(request, game, turn, "candidates", {"limit": limit}))


@router.get("/candidates.csv", response_class=Csv)
async def candidates_once_as_csv(
    request: Request,
    game: GameName,
    turn: Turns = (),
    limit: Limit = 1_000,
) -> Response:
    """Return what is possible after some rows as a table, as spreadsheets import it."""
    answer = await _ask_once(request, game, turn, "candidates", {"limit": limit})
    return candidates_csv(answer, {})


async def _ask_once(
    request: Request, game: str, turns: Sequence[str], question: str, parameters: Mapping[str, Any]
) -> Any:
    check_game(game)
    try:
        snapshot = await asyncio.to_thread(_snapshot, game, tuple(turns))
        is_large = gamefile.load(game).secrets.size > 2_000_000
        job = server_of(request).workers.ask(
            WorkerRequest(snapshot, question, dict(parameters), SECONDS), is_large
        )
        return await job.result()
    except (PuzzlehuntError, AnswerError, InterruptedAnswerError) as error:
        raise http_error_of(error) from None


@lru_cache(500)
def _snapshot(name: str, turns: tuple[str, ...]) -> BoardSnapshot:
    """Return the snapshot of a built-in game after some rows. Raises PuzzlehuntError."""
    game = gamefile.load(name)
    history: History = merged_with_itself(game, [*game.history, *map(game.parse_turn, turns)])
    return BoardSnapshot(f"/{name}", name, {}, history)
