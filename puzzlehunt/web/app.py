"""The application: its routes, its guard, its errors, and the page about its API."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from puzzlehunt import __version__
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.web import api, pages
from puzzlehunt.web.guard import Guard, Password
from puzzlehunt.web.refusals import (
    HERE,
    TEMPLATES,
    Refusal,
    answer_to,
    invalid_request,
    refusal_of,
)
from puzzlehunt.web.state import Server

_WRITERS = 32
"""How many boards' files may be written at the same time."""
_ABOUT = (
    "Boards of a team, as programs and spreadsheets use them. Every answer belongs to one version "
    "of a board, its ETag; a change with If-Match is made on that version or refused."
)


def make_app(
    server: Server, password: Password, requests_a_minute: int, names: Iterable[str]
) -> FastAPI:
    """Return the application of a server; `names` are the hosts that it answers to, empty: all."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # Threads mostly wait for the disk; one board's write must not wait for another's.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_WRITERS))
        server.open()
        yield
        server.close()

    app = FastAPI(
        title="puzzlehunt", version=__version__, description=_ABOUT, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
    )  # fmt: skip
    app.state.server, app.state.password = server, password
    app.include_router(pages.router)
    app.include_router(api.router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), "static")
    _mount_docs(app)
    _answer_errors(app)
    app.add_middleware(
        Guard,
        password=password,
        requests_a_minute=requests_a_minute,
        names=names,
        requests_at_once=server.limits.a_visitor,
    )
    return app


def _mount_docs(app: FastAPI) -> None:
    """Add the page about the API, whose library comes from a package of its own."""
    import fastapi_offline

    folder = Path(fastapi_offline.__file__).parent / "static"
    app.mount("/api/docs/library", StaticFiles(directory=folder), "swagger")

    @app.get("/api/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        return TEMPLATES.TemplateResponse(request, "docs.html", {})


def _answer_errors(app: FastAPI) -> None:
    """Answer every error by one plain sentence."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, refusal: Refusal) -> Response:
        return answer_to(request, refusal)

    @app.exception_handler(PuzzlehuntError)
    async def failed(request: Request, error: PuzzlehuntError) -> Response:
        return answer_to(request, refusal_of(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return answer_to(request, invalid_request(error))

    @app.exception_handler(HTTPException)
    async def missing(request: Request, error: HTTPException) -> Response:
        sentences = {404: "there is nothing at this address", 405: "not in this way"}
        sentence = sentences.get(error.status_code, str(error.detail))
        return answer_to(request, Refusal(error.status_code, sentence, error.headers or {}))
