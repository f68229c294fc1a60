"""What is refused before the routes and in them, and how it is said; versions as headers."""

import hashlib
import hmac
import logging
import re
import socket
import time
from base64 import b64decode
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Set
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, quote, urlsplit

from fastapi.exceptions import RequestValidationError
from fastapi.templating import Jinja2Templates
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request, cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from puzzlehunt.errors import LimitError, NoCandidatesError, PuzzlehuntError, SessionError
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
_LARGEST_BODY = 300_000
_TOO_LARGE = f"that is larger than {_LARGEST_BODY:,} bytes"
PASSWORD_COOKIE = "puzzlehunt-password"
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


async def error_response(request: Request, error: Exception) -> Response:
    """Return the response to an error: a page or a redirect for a browser, otherwise JSON."""
    refusal, path = http_error_of(error), request.scope["path"]
    status, headers, sentence = refusal.status, refusal.headers, str(refusal)
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


class Password:
    """The password that visitors need; visitors need none if it is empty.

    `key` is a secret of the server: without it, nobody can try passwords on a cookie.
    """

    def __init__(self, password: str, key: bytes) -> None:
        self._password = password.encode()
        self.cookie = hmac.new(key, self._password, hashlib.sha256).hexdigest()

    def is_right(self, text: str) -> bool:
        """Return whether a text is the password."""
        return hmac.compare_digest(text.encode(), self._password)

    def accepts(self, headers: Headers) -> bool:
        """Return whether a request may pass: it has the password's cookie or the password itself.

        The password may be sent as HTTP Basic or as a bearer token. If there is no password, every
        request may pass.
        """
        if not self._password:
            return True
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.casefold() == "basic":
            try:
                given = b64decode(given).decode().partition(":")[2]
            except ValueError:
                return False
        if kind.casefold() in ("basic", "bearer"):
            return self.is_right(given)
        cookie = cookie_parser(headers.get("cookie", "")).get(PASSWORD_COOKIE, "")
        return hmac.compare_digest(cookie.encode(), self.cookie.encode())


class Guard:
    """Middleware that refuses bad requests before the routes, and sets headers of all answers.

    `name` is the host name by which visitors know the server; it answers to all names if that is
    "", else to this name and those of this machine alone. `let_in` waits until one more page may
    begin to follow a board: before the routes, whose part of the work is the largest.
    """

    def __init__(
        self, app: ASGIApp, password: Password, name: str, let_in: Callable[[], Awaitable[None]]
    ) -> None:
        self._app = app
        self._let_in = let_in
        self._password = password
        own = _parts(f"//{name}").hostname or name.casefold()
        self._names = {*_LOOPBACK, own} if name else set()
        self._wrong_passwords: Counter[str] = Counter()
        """How many each visitor has sent, forgotten every minute."""
        self._counted_since = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path, size, has_begun = scope["path"], 0, False
        visitor = visitor_of((scope.get("client") or ("", 0))[0])

        async def limited_receive() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > _LARGEST_BODY:
                # Whatever reads a body answers any other error with a status of its own.
                raise HTTPException(413, _TOO_LARGE)
            return message

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                if path == "/password" and message["status"] == 303:
                    self._wrong_passwords[visitor] -= 1
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
        try:
            self._check(scope, visitor)
            if path.endswith("/events"):
                await self._let_in()
            await self._app(scope, limited_receive, send_with_headers)
        except Exception as error:
            refusal = error if isinstance(error, HttpError) else None
            if refusal is None:
                log = logging.getLogger("puzzlehunt.web")
                log.error("%s: %r", scope["method"], error, exc_info=True)
                refusal = HttpError(500, "this should not happen")
            if not has_begun:
                response = await error_response(Request(scope), refusal)
                await response(scope, receive, send_with_headers)

    def _check(self, scope: Scope, visitor: str) -> None:
        """Raise the HttpError that refuses a request before its body is read."""
        headers, path, method = Headers(scope=scope), scope["path"], scope["method"]
        host = _parts(f"//{headers.get('host', '')}").hostname
        if host not in self._names if self._names else headers.get("host") and not host:
            raise HttpError(421, "this server does not go by that name; serve --name NAME lets it")
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > _LARGEST_BODY:
            raise HttpError(413, _TOO_LARGE)
        if method not in ("GET", "HEAD", "OPTIONS") and not _same_origin(headers):
            raise HttpError(403, "a change is only taken from the board's own page")
        now = time.monotonic()
        if now - self._counted_since > 60:
            self._counted_since, self._wrong_passwords = now, Counter()
        is_guess = "authorization" in headers or (path == "/password" and method == "POST")
        if is_guess and self._wrong_passwords[visitor] >= 10:
            # Even the right password is refused; otherwise guessing could go on.
            raise HttpError(429, "too many passwords; wait a minute")
        is_refused = not self._password.accepts(headers)
        self._wrong_passwords[visitor] += is_guess and is_refused  # a right one is forgiven later
        if is_refused and not path.startswith(("/static/", "/password")):
            raise HttpError(401, "this server asks for its password")


def _same_origin(headers: Headers) -> bool:
    """Return whether a request comes from a page of this server, or from no page at all."""
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    return _parts(origin).netloc.casefold() == headers.get("host", "").casefold()


def _parts(address: str) -> SplitResult:
    """Return the parts of an address; all parts are empty if the address cannot be parsed."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback name or address of this machine."""
    return host in _LOOPBACK or host.startswith("127.")


def visitor_of(host: str) -> str:
    """Return the name under which the requests from an address are counted.

    It is the address itself, or the /64 network of an IPv6 address, since one visitor usually has
    the whole network.
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:100]
    if not isinstance(address, IPv6Address) or address.is_loopback:
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


def proxies_of(named: Iterable[str]) -> list[str]:
    """Return the proxies whose headers `X-Forwarded-...` are trusted: this machine and those named.

    They are named as addresses, networks or host names. Raises SessionError for an unknown host.
    """
    proxies = ["127.0.0.1", "::1", "::ffff:127.0.0.1"]
    for text in named:
        known = [text]
        try:
            if "/" not in text:
                known = [str(one[4][0]).partition("%")[0] for one in socket.getaddrinfo(text, None)]
            networks = [ip_network(one, strict=False) for one in known]
        except (OSError, ValueError):
            problem = "no address, no network such as 172.18.0.0/16, and no host that is known here"
            raise SessionError(f"--proxy {text}: {problem}") from None
        for network in networks:
            proxies.append(str(network))
            if network.version == 4:
                # As a server that listens on :: sees it.
                proxies.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return proxies
