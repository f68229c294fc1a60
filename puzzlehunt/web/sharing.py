"""What a team shares of a board: its address as a QR code, and its rows as a picture."""

import asyncio
from io import BytesIO

import segno
from fastapi import APIRouter, Request, Response

from puzzlehunt.views.page.people import PEOPLE_COLOURS
from puzzlehunt.views.picture import board_picture
from puzzlehunt.web.http_errors import etag
from puzzlehunt.web.pages import Feed, address_of, id_of

_SVG = "image/svg+xml"

router = APIRouter(include_in_schema=False)


@router.get("/b/{board}/qr.svg")
async def qr_code(request: Request, feed: Feed) -> Response:
    """Return the address that the visitor used as a QR code."""
    drawn = BytesIO()
    code = segno.make_qr(address_of(request, id_of(request, feed)), error="m")
    code.save(drawn, kind="svg", light="#fff", omitsize=True, xmldecl=False)
    return Response(drawn.getvalue(), media_type=_SVG)


@router.get("/b/{board}/picture.svg")
async def picture(feed: Feed) -> Response:
    """Return the rows as a picture."""
    board, colour = feed.board, feed.presence.colour
    writers = {
        number: (author.name, PEOPLE_COLOURS[colour(author.name)])
        for number, author in board.authors().items()
        if author.name
    }
    game, history = board.game, board.session.history
    drawn = await asyncio.to_thread(board_picture, game, history, board.title, writers)
    headers = {"Content-Disposition": f'inline; filename="{board.name}.svg"'}
    return Response(drawn, media_type=_SVG, headers={**etag(board.version), **headers})
