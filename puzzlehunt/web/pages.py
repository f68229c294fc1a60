"""The pages: the home page, a board, what is typed there, and the events that pages follow."""

import json
from collections.abc import AsyncIterator
from typing import Annotated
from urllib.parse import quote, unquote

from fastapi import APIRouter, Depends, Form, Query, Request, Response, UploadFile
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse, StreamingResponse
from fastapi.sse import format_sse_event

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.example import example_turn
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session.changes import Change
from puzzlehunt.session.codec import load_change
from puzzlehunt.views.elements import Markup, paragraphs
from puzzlehunt.views.page.board_rows import marks, stylesheet
from puzzlehunt.web.board import MadeError, Submission
from puzzlehunt.web.feed import BoardFeed
from puzzlehunt.web.guard import PASSWORD_COOKIE, Password
from puzzlehunt.web.http_errors import TEMPLATES, HttpError, etag, http_error_of, not_modified
from puzzlehunt.web.models import plain_name
from puzzlehunt.web.snapshot import LineResult, TypedLine
from puzzlehunt.web.state import Server
from puzzlehunt.web.uploads import LARGEST_UPLOAD

NICKNAME_COOKIE = "puzzlehunt-name"
_YEAR = 365 * 24 * 3600
_MOST_ROWS_SENT = 20_000
"""Longest list of rows that is sent with the answer to a line, before the event with the change."""
_WAIT_WITH_PAGE = 0.6
"""How long a page waits for the answers of a new version (seconds)."""

router = APIRouter(include_in_schema=False)
Text = Annotated[str, Form()]


def server_of(request: Request) -> Server:
    """Return the server that a request is sent to."""
    server: Server = request.app.state.server
    return server


async def feed_of(request: Request, board_id: str) -> BoardFeed:
    """Return the board of an address. Raises HttpError where there is none."""
    return server_of(request).board(board_id)


Feed = Annotated[BoardFeed, Depends(feed_of)]


def nickname_of(request: Request) -> str:
    """Return the name that a visitor has chosen, "" for none."""
    return plain_name(unquote(request.cookies.get(NICKNAME_COOKIE, "")))


@router.get("/")
async def home(request: Request) -> Response:
    """Return the page that makes a board."""
    return TEMPLATES.TemplateResponse(request, "home.html", {"games": _games(), "error": ""})


def _games() -> list[dict[str, str]]:
    games = []
    for name, path in gamefile.built_in_games().items():
        head = path.read_text(encoding="utf-8").splitlines()
        title = next((line[6:].strip().strip('"') for line in head if line[:6] == "title:"), name)
        games.append({"name": name, "title": title})
    return games


@router.post("/boards")
async def make_board(
    request: Request,
    game: Text = "",
    name: Text = "",
    rows: Text = "",
    nickname: Text = "",
    file: UploadFile | None = None,
) -> Response:
    """Make a board, and lead to it."""
    try:
        text = "" if file is None else _decoded(await file.read(LARGEST_UPLOAD + 1))
        board = await server_of(request).create(game, text, name, rows, plain_name(nickname))
    except PuzzlehuntError as error:
        refusal = http_error_of(error)
        context = {"games": _games(), "error": str(refusal), "given": {
            "game": game, "name": name, "rows": rows, "nickname": nickname,
        }}  # fmt: skip
        return TEMPLATES.TemplateResponse(request, "home.html", context, refusal.status)
    response = RedirectResponse(_path(request, board), 303)
    if nickname:
        _set_name(request, response, nickname)
    return response


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HttpError(422, "the game file is not a text in UTF-8") from None


def _path(request: Request, live: BoardFeed) -> str:
    return f"{request.scope.get('root_path', '')}/b/{live.board.id}"


@router.get("/b/{board_id}")
async def board_page(
    request: Request, live: Feed, said: Annotated[str, Query(max_length=40)] = ""
) -> Response:
    """Return a board's page; `said` names what the last line did."""
    await live.refresh()
    await live.wait_for_answers(_WAIT_WITH_PAGE)
    reply = server_of(request).reply(said) or LineResult()
    return page(request, live, reply)


def page(request: Request, live: BoardFeed, reply: LineResult, status: int = 200) -> Response:
    """Return a board's page with what the last line did."""
    board, path = live.board, _path(request, live)
    game, example = board.game, example_turn(board.game)
    fragments = {name: Markup(html) for name, html in live.fragments().items()}
    shown = {
        "name": board.name,
        "title": game.title,
        "about": game.about,
        "address": f"{str(request.base_url).rstrip('/')}/b/{board.id}",
        "file_address": f"{path}/file",
        "post": path,
        "version": board.version,
        "nickname": nickname_of(request),
        "standing": reply.pending,
        "legend": game.rule.legend(),
        "example": "" if example is None else format_turn(game, example),
        "events": f"{path}/events",
        "people": live.people,
    }
    context = {
        "board": shown,
        "fragments": {"said": Markup(reply.html), **fragments},
        "line": reply.line,
        "pending": live.is_pending,
        "marks": Markup(marks(game)),
    }
    tag = {} if reply.html else etag(board.version)
    return TEMPLATES.TemplateResponse(request, "board.html", context, status, headers=tag)


@router.post("/b/{board_id}")
async def type_line(
    request: Request,
    live: Feed,
    line: Text = "",
    tapped: Text = "",
    change: Text = "",
    version: Text = "",
    standing: Text = "",
    suggested: Text = "",
    once: Text = "",
) -> Response:
    """Apply a typed line, a tapped one or a button's change; redirect, or answer a script.

    What a script sends again, since its answer was lost, has the same text `once`: it is not done
    again, even where the server was started anew.
    """
    server = server_of(request)
    sent = f"{live.board.id} {once[:100]}" if once else ""
    if sent and (known := server.reply(sent)) is not None:
        return JSONResponse(_as_json(live, known))
    pending, is_typed, status = standing[:200], not (tapped or change), 200
    if tapped and not tapped.startswith("/"):
        # A tapped guess stands in place of another; it is no clue, even where it looks like one.
        pending = suggested = ""
    seen = int(version) if version.isdecimal() and len(version) < 12 else None
    is_script = "application/json" in request.headers.get("accept", "")
    try:
        what: Change | TypedLine = TypedLine(tapped or line, pending, suggested[:200])
        if change:
            what = load_change(live.board.game, _json(change))
        result, _ = await live.submit(Submission(what, nickname_of(request), seen, once))
        pending = pending if change else result.pending
        reply = LineResult(result.html, pending=pending, line=result.line if is_typed else "")
    except MadeError as error:
        reply = LineResult(f'<p class="note">{error}</p>')
    except PuzzlehuntError as error:
        refusal = http_error_of(error)
        if is_script:
            raise refusal from None
        status, typed = refusal.status, line if is_typed else ""
        html = paragraphs(str(refusal), kind="error")
        reply = LineResult(html, pending=standing, line=typed)
    live.begin_answers()
    if is_script:
        server.keep_reply(reply, sent)
        return JSONResponse(_as_json(live, reply))
    if status != 200:
        return page(request, live, reply, status)
    return RedirectResponse(f"{_path(request, live)}?said={server.keep_reply(reply)}", 303)


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise HttpError(422, "a button's change is JSON") from None


def _as_json(live: BoardFeed, reply: LineResult) -> dict[str, object]:
    fragments = {"said": reply.html}
    if len(rows := live.fragments()["rows"]) < _MOST_ROWS_SENT:
        fragments["rows"] = rows
    return {
        "version": live.board.version,
        "standing": reply.pending,
        "line": reply.line,
        "pending": live.is_pending,
        "fragments": fragments,
    }


@router.post("/b/{board_id}/nickname")
async def take_name(request: Request, live: Feed, nickname: Text = "") -> Response:
    """Remember a visitor's nickname."""
    response = RedirectResponse(_path(request, live), 303)
    _set_name(request, response, nickname)
    return response


def _set_name(request: Request, response: Response, nickname: str) -> None:
    _set_cookie(request, response, NICKNAME_COOKIE, quote(plain_name(nickname), safe=""), _YEAR)


def _set_cookie(
    request: Request, response: Response, name: str, value: str, age: int | None = None
) -> None:
    """Set a cookie that links from elsewhere bring along, but no form of another site.

    Over TLS, also where a trusted proxy says so, it never goes out without.
    """
    is_secret = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=age, httponly=True, samesite="lax", secure=is_secret)


@router.get("/b/{board_id}/events")
async def events(request: Request, live: Feed) -> Response:
    """Return the stream of a board's changes."""
    await live.refresh()
    if not server_of(request).may_follow(live):
        raise HttpError(503, "too many pages follow this board", {"Retry-After": "30"})
    name = nickname_of(request)

    async def stream() -> AsyncIterator[bytes]:
        async for version, text in live.follow(name):
            if text:
                yield format_sse_event(event="state", id=str(version), data_str=text, retry=1000)
            else:
                yield format_sse_event(comment="still here")

    headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
    return StreamingResponse(stream(), media_type="text/event-stream", headers=headers)


@router.get("/b/{board_id}/file")
async def board_file(request: Request, live: Feed) -> Response:
    """Return the board's file, which every command of the program takes."""
    version = await live.refresh()
    headers = {
        **etag(version),
        "Content-Disposition": f'attachment; filename="{live.board.name}.yaml"',
    }
    if not_modified(request.headers.get("if-none-match"), version):
        return Response(status_code=304, headers=headers)
    return PlainTextResponse(live.board.file_text(), media_type="text/yaml", headers=headers)


@router.get("/password")
async def ask_password(
    request: Request, to: Annotated[str, Query(max_length=200)] = "/"
) -> Response:
    """Return the page that asks for the password, and leads to the page `to`."""
    return TEMPLATES.TemplateResponse(request, "password.html", {"error": "", "to": _here(to)})


def _here(path: str) -> str:
    """Return a path of this server; the home page's for anything else."""
    return path if path.startswith("/b/") and "//" not in path and "\\" not in path else "/"


@router.post("/password")
async def take_password(request: Request, password: Text = "", to: Text = "/") -> Response:
    """Let a visitor in who gives the password."""
    wanted: Password = request.app.state.password
    if not wanted.is_right(password):
        context = {"error": "that is not the password", "to": _here(to)}
        return TEMPLATES.TemplateResponse(request, "password.html", context, 403)
    response = RedirectResponse(_here(to), 303)
    _set_cookie(request, response, PASSWORD_COOKIE, wanted.cookie)
    return response


@router.get("/static/colours.css")
async def colours() -> Response:
    """Return the style sheet of symbols and marks."""
    return Response(stylesheet(), media_type="text/css", headers={"Cache-Control": "max-age=300"})
