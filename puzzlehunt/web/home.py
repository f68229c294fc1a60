"""The home page: the games to choose from, and a game of one's own."""

import asyncio
import re
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response, UploadFile
from fastapi.responses import JSONResponse, RedirectResponse

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.example import example_turn
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.views.page.board_rows import example_html
from puzzlehunt.web.http_errors import TEMPLATES, HttpError, http_error_of
from puzzlehunt.web.models import plain_name
from puzzlehunt.web.pages import Text, path_of, server_of, set_name
from puzzlehunt.web.snapshot import BoardSnapshot, Upload, WorkerRequest
from puzzlehunt.web.state import LONGEST_BUILD
from puzzlehunt.web.uploads import LARGEST_UPLOAD, as_game_file

_POPULAR = {
    "Words": ["wordle", "quordle", "dordle", "octordle", "lingo", "jotto", "absurdle", "fibble",
              "warmle", "peaks", "word-mastermind"],
    "Codes": ["mastermind", "bulls-and-cows", "super-mastermind", "nerdle", "mini-nerdle",
              "number-mastermind", "bagels", "logik", "primel", "grand", "liar"],
    "Puzzle hunts": ["cryptic", "nethack", "fallout", "safe-cracker", "mansions-of-madness",
                     "mansions-digits", "mansions-hard", "secret-search", "heart-2018"],
}  # fmt: skip
"""The built-in games by kind, the best known first."""
_NUMBERED = re.compile(r"the game file:(\d+): (.*)", re.DOTALL)

router = APIRouter(include_in_schema=False)


@cache
def _games() -> list[dict[str, object]]:
    """Return the built-in games by kind, each with its title and an example of a row."""
    known = [*gamefile.built_in_games()]
    named = {name for names in _POPULAR.values() for name in names}
    others = [name for name in known if name not in named]
    kinds = {**_POPULAR, **({"More": others} if others else {})}
    return [
        {"title": title, "games": [_game(name) for name in names if name in known]}
        for title, names in kinds.items()
    ]


def _game(name: str) -> dict[str, object]:
    game = gamefile.load(name)
    turn = example_turn(game)
    picture = "" if turn is None else example_html(game, turn)
    return {"name": name, "title": game.title, "picture": picture}


async def _page(request: Request, status: int = 200, **given: str) -> Response:
    kinds = await asyncio.to_thread(_games)
    context = {"kinds": kinds, "shown": 4, "given": given, "error": given.pop("error", "")}
    return TEMPLATES.TemplateResponse(request, "home.html", context, status)


@router.get("/")
async def home(request: Request) -> Response:
    """Return the home page, where visitors create a board."""
    return await _page(request)


@router.post("/boards")
async def make_board(
    request: Request,
    game: Text = "",
    name: Text = "",
    rows: Text = "",
    text: Text = "",
    nickname: Text = "",
    file: UploadFile | None = None,
) -> Response:
    """Create a board and redirect to its page; return the home page if that fails."""
    try:
        upload = "" if file is None else _decoded(await file.read(LARGEST_UPLOAD + 1))
        own = as_game_file(upload or ("" if game.strip() else text))
        board = await server_of(request).create(game, own, name, rows, plain_name(nickname))
    except PuzzlehuntError as error:
        refusal = http_error_of(error)
        return await _page(
            request, refusal.status, error=str(refusal), game=game, name=name, rows=rows,
            text=text, nickname=nickname,
        )  # fmt: skip
    response = RedirectResponse(path_of(request, board), 303)
    if nickname:
        set_name(request, response, nickname)
    return response


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HttpError(422, "the game file is not a text in UTF-8") from None


@router.post("/check")
async def check(
    request: Request, text: Annotated[str, Form(max_length=LARGEST_UPLOAD)] = ""
) -> Response:
    """Return what a game file means, or its error with the line, as `puzzlehunt check` does.

    A sheet of words becomes a game file, which is returned, too.
    """
    written = as_game_file(text)
    snapshot = BoardSnapshot("/upload", "", {}, History())
    task = WorkerRequest(snapshot, Upload(written), LONGEST_BUILD)
    answer: dict[str, object] = {"text": written}
    try:
        answer["meaning"] = await server_of(request).workers.ask(task).result()
    except PuzzlehuntError as error:
        found = _NUMBERED.fullmatch(str(error))
        line, problem = (int(found[1]), found[2]) if found else (0, str(error))
        answer |= {"line": line, "problem": problem}
    return JSONResponse(answer)
