"""The pages of a board: its rows, the lines typed there, the event streams, and the QR code."""

from io import BytesIO
from typing import Annotated, Any
from urllib.parse import quote, unquote

import segno
from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel, Json, StringConstraints

from puzzlehunt.game.example import example_turn
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session.changes import load_change
from puzzlehunt.views.elements import Markup
from puzzlehunt.views.page.help_sheet import help_sheet
from puzzlehunt.views.page.keyboard import clue_hint, grid_classes, keyboard
from puzzlehunt.web.board import AlreadyAppliedError, Draft, Submission
from puzzlehunt.web.feed import BoardFeed
from puzzlehunt.web.guard import PASSWORD_COOKIE, Password, is_loopback
from puzzlehunt.web.http_errors import TEMPLATES, HttpError, check_modified, etag
from puzzlehunt.web.models import Yaml, plain_name
from puzzlehunt.web.snapshot import LineResult, TypedLine
from puzzlehunt.web.state import Server
from puzzlehunt.web.store import StatusName

NICKNAME_COOKIE = "puzzlehunt-name"
_YEAR = 365 * 24 * 3600
_WAIT_WITH_PAGE = 0.6
"""How long a board's page waits for answers about a new version (seconds)."""

router = APIRouter(include_in_schema=False)
Text = Annotated[str, Form()]


def server_of(request: Request) -> Server:
    """Return the server state of the application that got a request."""
    server: Server = request.app.state.server
    return server


async def feed_of(request: Request, board: str) -> BoardFeed:
    """Return the feed of the board with the id `board`, with the newest state of its file.

    Raises HttpError if there is no such board or if the request would write by an address that
    only looks, BrokenBoardError if it cannot be read.
    """
    feed = server_of(request).board(board, writes=request.method not in ("GET", "HEAD"))
    await feed.open()
    return feed


Feed = Annotated[BoardFeed, Depends(feed_of)]


def nickname_of(request: Request) -> str:
    """Return the name that a visitor has chosen, "" for none."""
    return plain_name(unquote(request.cookies.get(NICKNAME_COOKIE, "")))


def id_of(request: Request, feed: BoardFeed) -> str:
    """Return the last part of the address that the visitor used, or of the board's own address."""
    return str(request.path_params.get("board", feed.board.id))


def may_write(request: Request, feed: BoardFeed) -> bool:
    """Return whether the visitor's address writes, and does not only look."""
    return id_of(request, feed) == feed.board.id


def path_of(request: Request, feed: BoardFeed) -> str:
    """Return the path of a board's page, by the address that the visitor used."""
    return f"{request.scope.get('root_path', '')}/b/{id_of(request, feed)}"


def address_of(request: Request, board_id: str) -> str:
    """Return the full address of a board's page, with the host name that the visitor used."""
    return f"{str(request.base_url).rstrip('/')}/b/{board_id}"


@router.get("/b/{board}")
async def board_page(request: Request, feed: Feed) -> Response:
    """Return a board's page."""
    await feed.wait_for_answers(_WAIT_WITH_PAGE)
    board, game, example = feed.board, feed.board.game, example_turn(feed.board.game)
    fragments = {name: Markup(html) for name, html in feed.fragments().items()}
    context = {
        "feed": feed,
        "game": game,
        "fragments": fragments,
        "path": path_of(request, feed),
        "address": address_of(request, id_of(request, feed)),
        "writes": may_write(request, feed),
        "view": address_of(request, board.view_id),
        "is_local": is_loopback(request.url.hostname or "") and request.url.hostname,
        "nickname": nickname_of(request),
        "is_asked": NICKNAME_COOKIE in request.cookies,
        "example": "" if example is None else format_turn(game, example),
        "keyboard": keyboard(game),
        "clue_hint": clue_hint(game, example),
        "grid": grid_classes(game),
        "help": help_sheet(game),
    }
    return TEMPLATES.TemplateResponse(request, "board.html", context, headers=etag(board.version))


class Sent(BaseModel):
    """What a page's script sends: a typed or tapped line, or a button's change as JSON.

    `restore` is the version whose change is to be taken back. If something is sent again, since its
    answer was lost, `once` is the same text. `visitor` tells people without a name apart.
    """

    line: str = ""
    tapped: str = ""
    change: Json[Any] = None
    restore: int | None = None
    version: str = ""
    standing: str = ""
    suggested: str = ""
    once: str = ""
    visitor: Annotated[str, StringConstraints(max_length=40)] = ""


@router.post("/b/{board}")
async def submit(request: Request, feed: Feed, sent: Annotated[Sent, Form()]) -> Response:
    """Apply what a board's page sends; return the answer as JSON.

    What is sent again is applied only once, even if the server was restarted in between.
    """
    is_change = sent.change is not None or sent.restore is not None
    is_command = is_change or sent.tapped.startswith("/")
    seen = int(sent.version) if sent.version.isdecimal() and len(sent.version) < 12 else None
    pending, suggested = sent.standing[:200] or feed.board.waiting_at(seen), sent.suggested[:200]
    if sent.tapped and not sent.tapped.startswith("/"):
        # A tapped guess replaces the pending one; it is not a clue, even if it looks like one.
        pending = suggested = ""
    what: Draft = TypedLine(sent.tapped or sent.line, pending, suggested)
    if sent.restore is not None:
        what, seen = feed.board.restoring(sent.restore), None
    elif is_change:
        what = load_change(feed.board.game, sent.change)
    try:
        by, visitor = nickname_of(request), sent.visitor
        result, _ = await feed.submit(Submission(what, by, seen, sent.once, visitor=visitor))
        pending = sent.standing[:200] if is_change else result.pending
        reply = LineResult(result.html, pending=pending, line="" if is_command else result.line)
    except AlreadyAppliedError as error:
        reply = LineResult(f'<p class="note">{error}</p>')
    feed.begin_answers()
    # The rows come as an event.
    return JSONResponse(
        {
            "version": feed.board.version,
            "standing": reply.pending,
            "line": reply.line,
            "pending": feed.is_pending,
            "fragments": {"said": reply.html},
        }
    )


@router.post("/b/{board}/nickname")
async def take_name(request: Request, _feed: Feed, nickname: Text = "") -> Response:
    """Store a visitor's nickname in a cookie."""
    response = Response(status_code=204)
    set_name(request, response, nickname)
    return response


def set_name(request: Request, response: Response, nickname: str) -> None:
    """Store a visitor's nickname in a cookie of the response."""
    _set_cookie(request, response, NICKNAME_COOKIE, quote(plain_name(nickname), safe=""), _YEAR)


def _set_cookie(
    request: Request, response: Response, name: str, value: str, age: int | None = None
) -> None:
    """Set a cookie that browsers send with links from other sites, but not with their forms.

    If the request came over TLS, directly or by a trusted proxy, the cookie is sent over TLS only.
    """
    is_secret = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=age, httponly=True, samesite="lax", secure=is_secret)


@router.post("/b/{board}/status")
async def take_status(
    request: Request,
    feed: Feed,
    name: Annotated[str | None, Form(max_length=200)] = None,
    status: Annotated[StatusName | None, Form()] = None,
) -> Response:
    """Rename, archive, delete or open a board."""
    await feed.set_status(name, status, nickname_of(request))
    return Response(status_code=204)


@router.post("/b/{board}/next")
async def next_game(request: Request, feed: Feed) -> Response:
    """Create a board of the same game unless somebody has, and redirect to its page."""
    if not feed.next_board:
        board, by = feed.board, nickname_of(request)
        made = await server_of(request).create("", board.game_text(), board.title, "", by)
        feed.begin_next(made.board.id, by)
    return RedirectResponse(f"{request.scope.get('root_path', '')}/b/{feed.next_board}", 303)


@router.get("/b/{board}/events")
async def events(request: Request, feed: Feed) -> Response:
    """Return the stream of server-sent events with a board's changes."""
    if not server_of(request).may_follow(feed):
        raise HttpError(503, "too many pages follow this board", {"Retry-After": "30"})
    name = nickname_of(request) if may_write(request, feed) else ""
    headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
    return StreamingResponse(feed.follow(name), media_type="text/event-stream", headers=headers)


@router.get("/b/{board}/file")
async def board_file(request: Request, feed: Feed) -> Response:
    """Return the board's file (YAML), a session file for all commands of the program."""
    version = feed.board.version
    check_modified(request.headers.get("if-none-match"), version)
    headers = {"Content-Disposition": f'attachment; filename="{feed.board.name}.yaml"'}
    return Yaml(feed.board.record.text, headers={**etag(version), **headers})


@router.get("/b/{board}/qr.svg")
async def qr_code(request: Request, feed: Feed) -> Response:
    """Return the address that the visitor used as a QR code."""
    drawn = BytesIO()
    code = segno.make_qr(address_of(request, id_of(request, feed)), error="m")
    code.save(drawn, kind="svg", light="#fff", omitsize=True, xmldecl=False)
    return Response(drawn.getvalue(), media_type="image/svg+xml")


@router.get("/password")
async def ask_password(
    request: Request, to: Annotated[str, Query(max_length=200)] = "/"
) -> Response:
    """Return the page that asks for the password; it leads to the path `to` afterwards."""
    return TEMPLATES.TemplateResponse(request, "password.html", {"error": "", "to": _here(to)})


def _here(path: str) -> str:
    """Return the path if it is that of a board, otherwise that of the home page."""
    return path if path.startswith("/b/") and "//" not in path and "\\" not in path else "/"


@router.post("/password")
async def take_password(request: Request, password: Text = "", to: Text = "/") -> Response:
    """Set the password's cookie and redirect to `to` if the password is right."""
    wanted: Password = request.app.state.password
    if not wanted.is_right(password):
        context = {"error": "that is not the password", "to": _here(to)}
        return TEMPLATES.TemplateResponse(request, "password.html", context, 403)
    response = RedirectResponse(_here(to), 303)
    _set_cookie(request, response, PASSWORD_COOKIE, wanted.cookie)
    return response
