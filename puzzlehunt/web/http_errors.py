"""Errors as HTTP responses, and board versions as HTTP headers."""

import re
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.exceptions import RequestValidationError
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from puzzlehunt.errors import LimitError, NoCandidatesError, PuzzlehuntError
from puzzlehunt.views.escapes import shortened
from puzzlehunt.web.board import (
    BrokenBoardError,
    ClosedBoardError,
    NoRoomError,
    OutdatedChangeError,
)
from puzzlehunt.web.workers import WorkerRequestError

HERE = Path(__file__).parent
TEMPLATES = Jinja2Templates(HERE / "templates")
_STATUSES = {
    OutdatedChangeError.__name__: 409,
    ClosedBoardError.__name__: 409,
    NoCandidatesError.__name__: 409,
    "UnexpectedError": 500,
    BrokenBoardError.__name__: 503,
    LimitError.__name__: 503,
    "BusyError": 503,
    NoRoomError.__name__: 507,
}
"""HTTP statuses of errors, by class name; all other errors have the status 422."""
_PLACES = ("body", "path", "query")


class HttpError(PuzzlehuntError):
    """An error for a client: an HTTP status, one plain sentence, and headers."""

    def __init__(
        self, status: int, sentence: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(shortened(" ".join(sentence.split())))
        self.status = status
        self.headers = dict(headers or {})


def http_error_of(error: Exception) -> HttpError:
    """Return the HTTP error for an error of the package or of the web framework."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    match error:
        case HttpError():
            return error
        case RequestValidationError():
            first: Any = next(iter(error.errors()), {})
            places = [str(one) for one in first.get("loc", ()) if one not in _PLACES]
            what = str(first.get("msg", "cannot be read")).removeprefix("Value error, ")
            return HttpError(422, ": ".join(filter(None, [".".join(places), what]))[:300])
        case HTTPException(status_code=status):
            sentences = {404: "there is nothing at this address", 405: "not in this way"}
            return HttpError(status, sentences.get(status, str(error.detail)), error.headers)
        case WorkerRequestError(kind=kind):
            kinds = [kind]
    status = next((_STATUSES[kind] for kind in kinds if kind in _STATUSES), 422)
    return HttpError(status, str(error), {"Retry-After": "5"} if status == 503 else {})


def error_response(request: Request, error: Exception) -> Response:
    """Return the response to an error: a page or a redirect for a browser, otherwise JSON."""
    refusal, path = http_error_of(error), request.scope["path"]
    status, headers, sentence = refusal.status, refusal.headers, str(refusal)
    if isinstance(error, OutdatedChangeError) and "if-match" in request.headers:
        status = 412
    if status == 304:
        return Response(status_code=304, headers=headers)
    accepted = request.headers.get("accept", "")
    wants_page = not path.startswith("/api/") and "text/html" in accepted
    if status == 401:
        if wants_page and request.method == "GET":
            return RedirectResponse(f"/password?to={quote(path)}", 303)
        headers["WWW-Authenticate"] = 'Basic realm="puzzlehunt"'
    if wants_page:
        context = {"status": status, "sentence": sentence}
        return TEMPLATES.TemplateResponse(request, "refused.html", context, status, headers)
    return JSONResponse({"detail": sentence}, status, headers)


def etag(version: int) -> dict[str, str]:
    """Return the `ETag` header for a board version."""
    return {"ETag": f'"{version}"'}


def check_modified(header: str | None, version: int) -> None:
    """Raise HttpError (304) if a header `If-None-Match` names the version, or is `*`."""
    tags = [tag.strip().removeprefix("W/") for tag in (header or "").split(",")]
    if tags == ["*"] or f'"{version}"' in tags:
        raise HttpError(304, "", etag(version))


def wanted_versions(header: str | None) -> Set[int] | None:
    """Return the versions that a header `If-Match` names; None (any) if it is missing or `*`.

    Weak tags (`W/...`) are ignored.
    """
    if header is None or header.strip() == "*":
        return None
    tags = (re.fullmatch(r'"(\d{1,12})"', tag.strip()) for tag in header.split(","))
    return {int(found[1]) for found in tags if found}
