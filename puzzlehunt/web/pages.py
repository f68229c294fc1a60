"""The pages: home and boards; and the files that they load."""

import asyncio
import hashlib
from functools import cache
from typing import Annotated
from urllib.parse import unquote

import segno
from fastapi import APIRouter, Body, Depends, Path, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field
from starlette.exceptions import HTTPException

from puzzlehunt.game.blocks import example_turn
from puzzlehunt.game.files import gamefile
from puzzlehunt.views.page.board_rows import example_html, stylesheet
from puzzlehunt.views.page.fragments import help_sheet, picture
from puzzlehunt.views.page.keyboard import grid_classes, keyboard, table_fields
from puzzlehunt.web.board import plain_name
from puzzlehunt.web.guard import HERE, TEMPLATES, etag, is_loopback
from puzzlehunt.web.live import BoardFeed, Server

_NICKNAME_COOKIE = "puzzlehunt-nickname"
_KINDS = {
    "Words": ("wordle", "quordle", "dordle", "octordle"),
    "Codes": ("mastermind", "bulls-and-cows", "super-mastermind", "nerdle"),
    "Puzzle hunts": ("cryptic", "nethack", "fallout", "safe-cracker"),
}
"""The built-in games that the home page shows at first, by kind."""

router = APIRouter(include_in_schema=False)

# Files: their addresses have a digest, so that browsers may keep them for ever.

FILES = HERE / "static"
STYLE = (FILES / "style.css").read_text(encoding="utf-8") + stylesheet()
"""The style sheet of all pages, with the colours of symbols, marks and people."""
_files = b"".join(path.read_bytes() for path in sorted(FILES.iterdir()))
STATIC = f"/static/{hashlib.sha256(STYLE.encode() + _files).hexdigest()[:12]}"
drawn = {"grid": grid_classes, "picture": picture, "help": help_sheet, "static": STATIC}
TEMPLATES.env.globals |= {"keyboard": keyboard, "fields": table_fields, **drawn}


@router.get(f"{STATIC}/style.css")
async def get_style() -> Response:
    """Return the style sheet."""
    return Response(STYLE, media_type="text/css")


# What routes ask for.


def server_of(request: Request) -> Server:
    """Return the server state of the application that got a request."""
    server: Server = request.app.state.server
    return server


async def feed_of(
    request: Request, board: Annotated[str, Path(max_length=100, examples=["cryptic-s1kpYbbW3fLh"])]
) -> BoardFeed:
    """Return the feed of the board with the id `board`, the last part of its address.

    Raises HTTPException if there is none, or if the request would write by an address that only
    looks, BrokenBoardError if it cannot be read.
    """
    server = server_of(request)
    found, may_write = server.boards.find(board) or (None, False)
    if found is None:
        raise HTTPException(404, "there is no board with this address")
    if request.method != "GET" and not may_write:
        raise HTTPException(403, "this link only looks; ask your team for the link that writes")
    return await server.feed(found)


Feed = Annotated[BoardFeed, Depends(feed_of)]


def nickname_of(request: Request) -> str:
    """Return the name that a visitor has chosen, "" for none."""
    return plain_name(unquote(request.cookies.get(_NICKNAME_COOKIE, "")))


def id_of(request: Request, feed: BoardFeed) -> str:
    """Return the last part of the address that the visitor used, or of the board's own."""
    return str(request.path_params.get("board", feed.board.id))


def address_of(request: Request, board_id: str) -> str:
    """Return the address of a board's page, as other machines know it if they can reach it."""
    base, known = str(request.base_url).rstrip("/"), server_of(request).address
    if known and is_loopback(request.url.hostname or ""):
        base = known + request.scope["root_path"]
    return f"{base}/b/{board_id}"


# Home.


@cache
def _games() -> dict[str, list[dict[str, str]]]:
    kinds: dict[str, list[dict[str, str]]] = {kind: [] for kind in (*_KINDS, "More games")}
    kind_of = {name: kind for kind, names in _KINDS.items() for name in names}
    for name in dict.fromkeys([*kind_of, *gamefile.built_in_games()]):
        turn = example_turn(game := gamefile.load(name))
        tiles = "" if turn is None else example_html(game, turn)
        shown = {"name": name, "title": game.title, "picture": tiles}
        kinds[kind_of.get(name, "More games")].append(shown)
    return kinds


@router.get("/")
async def home(request: Request) -> Response:
    """Return the home page, where visitors create a board."""
    context = {"kinds": await asyncio.to_thread(_games), "nickname": nickname_of(request)}
    return TEMPLATES.TemplateResponse(request, "home.html", context)


# Boards.


@router.get("/b/{board}")
async def board_page(request: Request, feed: Feed) -> Response:
    """Return a board's page."""
    await feed.wait_for_answers(0.6)
    board, used = feed.board, id_of(request, feed)
    context = {
        "feed": feed,
        "game": board.game,
        "fragments": feed.fragments(),
        "id": used,
        "address": (address := address_of(request, used)),
        "qr": segno.make_qr(address, error="m").svg_data_uri(light="#fff", omitsize=True),
        "writes": used == board.id,
        "view": address_of(request, board.view_id),
        "is_local": is_loopback(request.url.hostname or "") and not server_of(request).address,
        "nickname": nickname_of(request),
    }
    return TEMPLATES.TemplateResponse(request, "board.html", context, headers=etag(feed.version))


@router.post("/b/{board}/typing", status_code=204)
async def typing(
    feed: Feed,
    page: Annotated[str, Body()],
    symbols: Annotated[list[Annotated[str, Field(max_length=100)]], Body(max_length=40)],
) -> None:
    """Show others the symbols that are typed on a page."""
    feed.show_typing(page, symbols)


@router.post("/b/{board}/next")
async def next_game(request: Request, feed: Feed) -> Response:
    """Create a board of the same game unless somebody has, and redirect to its page."""
    root, made = request.scope["root_path"], await feed.begin_next(nickname_of(request))
    return RedirectResponse(f"{root}/b/{made}", 303)
