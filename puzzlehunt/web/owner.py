"""The page of whoever runs the server: all boards. The files of several boards in one archive."""

import asyncio
from secrets import compare_digest
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import StreamingResponse

from puzzlehunt.web.board import BrokenBoardError, TeamBoard
from puzzlehunt.web.board_folder import is_gone
from puzzlehunt.web.http_errors import TEMPLATES, HttpError
from puzzlehunt.web.pages import server_of

_IN_MEMORY = 5_000_000
"""Longest archive that is not written to a temporary file (bytes)."""
_MOST_NAMED = 100
"""Largest number of boards that a visitor may name for an archive."""

router = APIRouter(include_in_schema=False)


async def _all_boards(request: Request, key: str) -> list[TeamBoard]:
    """Return all boards for the owner's key. Raises HttpError for any other key."""
    server = server_of(request)
    if not compare_digest(key.encode(), server.owner_key.encode()):
        raise HttpError(404, "there is nothing at this address")
    boards = await asyncio.to_thread(server.boards.all)
    return [board for board in boards if not is_gone(board)]


AllBoards = Annotated[list[TeamBoard], Depends(_all_boards)]


@router.get("/all/{key}")
async def list_boards(request: Request, key: str, boards: AllBoards) -> Response:
    """Return the page that lists all boards, each with its secret address."""
    return TEMPLATES.TemplateResponse(request, "all.html", {"boards": boards, "key": key})


@router.get("/all/{key}/boards.zip")
async def archive(boards: AllBoards) -> Response:
    """Return the files of all boards as a zip archive."""
    return await _archive(boards)


@router.post("/boards.zip")
async def archive_of(
    request: Request, board: Annotated[list[str], Form(max_length=_MOST_NAMED)]
) -> Response:
    """Return the files of boards as a zip archive; `board` has the last parts of their addresses.

    Boards that are no longer there are left out. Raises HttpError if none is.
    """
    server = server_of(request)
    found = [server.boards.find(board_id) for board_id in board]
    boards = {one[0].name: one[0] for one in found if one is not None}
    if not boards:
        raise HttpError(404, "there is no board with any of these addresses")
    return await _archive([*boards.values()])


async def _archive(boards: list[TeamBoard]) -> Response:
    file = await asyncio.to_thread(_zipped, boards)
    headers = {"Content-Disposition": 'attachment; filename="boards.zip"'}
    return StreamingResponse(file, media_type="application/zip", headers=headers)


def _zipped(boards: list[TeamBoard]) -> IO[bytes]:
    file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - the response reads it
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for board in boards:
            try:
                archive.writestr(f"{board.name}.yaml", board.file_text())
            except BrokenBoardError as error:
                archive.writestr(f"{board.name}.unreadable.txt", str(error))
    file.seek(0)
    return file
