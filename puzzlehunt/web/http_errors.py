"""Errors as HTTP answers them, and versions as its headers write them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.exceptions import RequestValidationError
from fastapi.templating import Jinja2Templates
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from puzzlehunt.errors import (
    GameFileError,
    LimitError,
    NoCandidatesError,
    PuzzlehuntError,
    TooLargeError,
    UnknownNameError,
)
from puzzlehunt.views.escapes import shortened
from puzzlehunt.web.board import BrokenBoardError, FullError, OutdatedChangeError, RefusedLineError
from puzzlehunt.web.journal import JournalError
from puzzlehunt.web.workers import AnswerError, InterruptedAnswerError

HERE = Path(__file__).parent
TEMPLATES = Jinja2Templates(HERE / "templates")
_STATUSES: dict[type[PuzzlehuntError], int] = {
    OutdatedChangeError: 409,
    BrokenBoardError: 503,
    JournalError: 503,
    FullError: 507,
    RefusedLineError: 422,
    LimitError: 503,
    TooLargeError: 422,
    GameFileError: 422,
    NoCandidatesError: 409,
    UnknownNameError: 422,
}
"""The statuses of errors; that of all others is 422."""
_KINDS = {kind.__name__: status for kind, status in _STATUSES.items()} | {
    "BusyError": 503,
    "UnexpectedError": 500,
    "MemoryError": 422,
    "RecursionError": 422,
}


class HttpError(PuzzlehuntError):
    """A status of HTTP, one plain sentence, and headers."""

    def __init__(
        self, status: int, sentence: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = dict(headers or {})


def status_of(kind: str) -> int:
    """Return the status of an error, by the name of its class."""
    return _KINDS.get(kind, 422)


def http_error_of(error: PuzzlehuntError) -> HttpError:
    """Return what is answered for an error of a board or of a worker."""
    if isinstance(error, HttpError):
        return error
    if isinstance(error, AnswerError):
        status = status_of(error.kind)
        return HttpError(status, _one_line(str(error)), _later(status))
    if isinstance(error, InterruptedAnswerError):
        return HttpError(503, "the board changes too fast for an answer; ask again", _later(503))
    status = next((s for kind, s in _STATUSES.items() if isinstance(error, kind)), 422)
    return HttpError(status, _one_line(str(error)), _later(status))


def _later(status: int) -> dict[str, str]:
    return {"Retry-After": "5"} if status == 503 else {}


def _one_line(text: str) -> str:
    return shortened(" ".join(text.split()))


def wants_page(request: Request) -> bool:
    """Return whether a request is a browser's for a page, and not one for data."""
    is_api = request.url.path.startswith("/api/")
    return not is_api and "text/html" in request.headers.get("accept", "")


def error_response(request: Request, refusal: HttpError) -> Response:
    """Return a refusal as a page or as JSON."""
    headers = dict(refusal.headers)
    if refusal.status == 304:
        return Response(status_code=304, headers=headers)
    if refusal.status == 401:
        if wants_page(request) and request.method == "GET":
            return RedirectResponse(f"/password?to={quote(request.url.path)}", 303)
        headers["WWW-Authenticate"] = 'Basic realm="puzzlehunt"'
    if wants_page(request):
        context = {"status": refusal.status, "sentence": refusal.sentence}
        return TEMPLATES.TemplateResponse(
            request, "refused.html", context, status_code=refusal.status, headers=headers
        )
    return JSONResponse({"detail": refusal.sentence}, refusal.status, headers=headers)


async def refuse(scope: Scope, receive: Receive, send: Send, refusal: HttpError) -> None:
    """Answer a request with a refusal."""
    await error_response(Request(scope), refusal)(scope, receive, send)


def invalid_request(error: RequestValidationError) -> HttpError:
    """Return the refusal of a request whose parts are missing or of the wrong kind."""
    first: Any = next(iter(error.errors()), {})
    where = [str(part) for part in first.get("loc", ()) if part not in ("body", "query", "path")]
    what = str(first.get("msg", "cannot be read")).removeprefix("Value error, ")
    sentence = f"{'.'.join(where)}: {what}" if where else what
    return HttpError(422, _one_line(sentence[:300]))


def etag(version: int) -> str:
    """Return the tag of an answer that belongs to a version."""
    return f'"{version}"'


def _tags(header: str) -> list[str]:
    return [tag.strip() for tag in header.split(",")]


def not_modified(header: str | None, version: int) -> bool:
    """Return whether a header `If-None-Match` names a version, or any."""
    if header is None:
        return False
    tags = [tag.removeprefix("W/") for tag in _tags(header)]
    return header.strip() == "*" or etag(version) in tags


def wanted_version(header: str | None, version: int) -> int | None:
    """Return the version that a header `If-Match` names; None without the header.

    Raises HttpError (412) where that is not `version`, the newest. A weak tag (W/) names none.
    """
    if header is None:
        return None
    if header.strip() == "*" or etag(version) in _tags(header):
        return version
    raise HttpError(
        412, f"the board has version {version} by now: look, and do it again",
        {"ETag": etag(version)},
    )  # fmt: skip
