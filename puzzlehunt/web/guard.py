"""What is refused, before the routes and in them, and how; versions as headers."""

from base64 import b64decode
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import compare_digest
from typing import Any
from urllib.parse import urlsplit

from fastapi.exceptions import RequestValidationError
from fastapi.templating import Jinja2Templates
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from puzzlehunt.errors import PuzzlehuntError, shortened
from puzzlehunt.web.workers import WorkerRequestError

HERE = Path(__file__).parent
TEMPLATES = Jinja2Templates(HERE / "templates")
_STATUSES = {
    "OutdatedChangeError": 409, "NoCandidatesError": 409,
    "UnexpectedError": 500, "BrokenBoardError": 503, "LimitError": 503, "BusyError": 503,
}  # fmt: skip
"""HTTP statuses of errors, by class name, as workers tell it; 422 for all others."""
_LARGEST_BODY = 300_000
_CHALLENGE = {"WWW-Authenticate": 'Basic realm="puzzlehunt", charset="UTF-8"'}
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
    "Cache-Control": "no-cache, private",
}
"""Headers of every answer: no inline scripts, no content of other sites, no referrers."""
_DOCS_POLICY = _POLICY.replace("src 'self';", "src 'self' 'unsafe-inline';")
"""Content security policy of the API's documentation, whose page is Swagger's own."""


def _told(error: Exception) -> tuple[int, str, Mapping[str, str] | None]:
    match error:
        case HTTPException():
            return error.status_code, error.detail, error.headers
        case RequestValidationError():
            first: Any = error.errors()[0]
            where = ".".join(map(str, first["loc"][1:]))
            return 422, f"{where}: {first['msg']}".removeprefix(": "), None
        case PuzzlehuntError():
            told = error.kind if isinstance(error, WorkerRequestError) else type(error).__name__
            status = _STATUSES.get(told, 422)
            return status, str(error), {"Retry-After": "5"} if status == 503 else None
    return 500, "this should not happen", None


async def error_response(request: Request, error: Exception) -> Response:
    """Return the response to an error: a page for a browser, else JSON."""
    status, sentence, headers = _told(error)
    if status == 304:
        return Response(status_code=304, headers=headers)
    sentence = shortened(" ".join(sentence.split()))
    is_api = request.scope["path"].removeprefix(request.scope["root_path"]).startswith("/api/")
    if not is_api and "text/html" in request.headers.get("accept", ""):
        context = {"status": status, "sentence": sentence}
        return TEMPLATES.TemplateResponse(request, "refused.html", context, status, headers)
    return JSONResponse({"detail": sentence}, status, headers)


def etag(version: int) -> dict[str, str]:
    """Return the `ETag` header for a board version."""
    return {"ETag": f'"{version}"'}


class Guard:
    """Middleware that refuses bad requests before the routes, and sets headers of all answers.

    Visitors need the `password`, by HTTP Basic with any user name, unless it is "". The server
    answers to all names if `name` is "", else to this host name and those of this machine alone.
    Visitors' paths begin with what a proxy says that it took away (`X-Forwarded-Prefix`), else with
    `root`, which it may take away or not.
    """

    def __init__(self, app: ASGIApp, password: str, name: str, root: str) -> None:
        self._app, self._root = app, root
        self._password = password.encode()
        self._names = {*_LOOPBACK, _host_of(name)} if name else set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        taken = Headers(scope=scope).get("x-forwarded-prefix", "").rstrip("/")
        root, path = taken or self._root, scope["path"]
        path = path if taken else path.removeprefix(root) or "/"
        scope = {**scope, "root_path": root, "path": root + path}

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                if path.startswith("/static/") and message["status"] in (200, 304):
                    # Their addresses change with them.
                    answer["Cache-Control"] = "public, max-age=31536000, immutable"
                if path.startswith("/api/docs"):
                    answer["Content-Security-Policy"] = _DOCS_POLICY
                for name, value in _HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        if scope["method"] == "HEAD" and not path.endswith("/events"):
            # No body is sent: uvicorn knows the method from its own scope.
            scope = {**scope, "method": "GET"}
        app = self._app
        try:
            self._check(scope, path)
        except HTTPException as error:
            app = await error_response(Request(scope), error)
        await app(scope, receive, send_with_headers)

    def _check(self, scope: Scope, path: str) -> None:
        """Raise the HTTPException that refuses a request before its body is read."""
        headers = Headers(scope=scope)
        host = _host_of(headers.get("host", ""))
        if not host or (self._names and host not in self._names):
            raise HTTPException(421, "this server does not go by that name; --name NAME lets it")
        origin = headers.get("origin")  # pages have one, programs have none
        is_elsewhere = origin is not None and origin.partition("://")[2] != headers["host"]
        if is_elsewhere and scope["method"] != "GET":
            raise HTTPException(403, "a change is only taken from the board's own page")
        if "transfer-encoding" in headers:
            raise HTTPException(411, "send a body whole, with its Content-Length")
        if (size := int(headers.get("content-length", 0))) > _LARGEST_BODY:
            raise HTTPException(413, f"that is larger than {_LARGEST_BODY:,} bytes")
        is_json = not size or "json" in headers.get("content-type", "")
        if path.startswith("/api/") and scope["method"] != "GET" and not is_json:
            raise HTTPException(415, "send JSON, as Content-Type: application/json")
        if self._password and not path.startswith("/static/"):
            kind, _, encoded = headers.get("authorization", "").partition(" ")
            given = b""
            if kind.casefold() == "basic":
                with suppress(ValueError):
                    given = b64decode(encoded).partition(b":")[2]
            if not compare_digest(given, self._password):
                sentence = "this server asks for its password, by HTTP Basic"
                raise HTTPException(401, sentence, _CHALLENGE)


def _host_of(address: str) -> str:
    try:
        return urlsplit(f"//{address}").hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback name or address of this machine."""
    return host in _LOOPBACK or host.startswith("127.")
