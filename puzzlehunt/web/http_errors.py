"""Errors as HTTP answers them, and versions as its headers write them."""

import re
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.exceptions import RequestValidationError
from fastapi.templating import Jinja2Templates
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from puzzlehunt.errors import LimitError, NoCandidatesError, PuzzlehuntError
from puzzlehunt.views.escapes import shortened
from puzzlehunt.web.board import BrokenBoardError, FullError, OutdatedChangeError
from puzzlehunt.web.journal import JournalError
from puzzlehunt.web.workers import AnswerError

HERE = Path(__file__).parent
TEMPLATES = Jinja2Templates(HERE / "templates")
_STATUSES = {
    OutdatedChangeError.__name__: 409,
    NoCandidatesError.__name__: 409,
    "UnexpectedError": 500,
    BrokenBoardError.__name__: 503,
    JournalError.__name__: 503,
    LimitError.__name__: 503,
    "BusyError": 503,
    FullError.__name__: 507,
}
"""The statuses of errors, by the names of their classes; that of all others is 422."""


class HttpError(PuzzlehuntError):
    """A status of HTTP, one plain sentence, and headers."""

    def __init__(
        self, status: int, sentence: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = dict(headers or {})


def status_of(*kinds: str) -> int:
    """Return the status of an error, by the names of its class and of those above it."""
    return next((_STATUSES[kind] for kind in kinds if kind in _STATUSES), 422)


def http_error_of(error: PuzzlehuntError) -> HttpError:
    """Return what is answered for an error of a board or of a worker."""
    if isinstance(error, HttpError):
        return error
    if isinstance(error, AnswerError):
        status = status_of(error.kind)
    else:
        status = status_of(*(kind.__name__ for kind in type(error).__mro__))
    headers = {"Retry-After": "5"} if status == 503 else {}
    return HttpError(status, _one_line(str(error)), headers)


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


def not_modified(header: str | None, version: int) -> bool:
    """Return whether a header `If-None-Match` names a version, or any."""
    tags = [tag.strip() for tag in (header or "").split(",")]
    return tags == ["*"] or etag(version) in [tag.removeprefix("W/") for tag in tags]


def wanted_versions(header: str | None) -> Set[int] | None:
    """Return the versions that a header `If-Match` names, None for any; a weak tag (W/) is none."""
    if header is None or header.strip() == "*":
        return None
    tags = (re.fullmatch(r'"(\d{1,12})"', tag.strip()) for tag in header.split(","))
    return {int(found[1]) for found in tags if found}
