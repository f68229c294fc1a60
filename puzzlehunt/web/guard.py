"""Middleware before all routes: it checks hosts, origins, sizes and the password."""

import hashlib
import hmac
import logging
import time
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from puzzlehunt.web.connections import visitor_of
from puzzlehunt.web.http_errors import HttpError, error_response

LARGEST_BODY = 300_000
PASSWORD_COOKIE = "puzzlehunt-password"
_OPEN_PATHS = ("/static/", "/password", "/favicon.ico", "/manifest.webmanifest")
_CHANGES = {"POST", "PUT", "PATCH", "DELETE"}
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}
"""Headers of every answer: no inline scripts, no content of other sites, no referrers."""
_DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content security policy of the API's documentation, which needs inline styles."""
_MOST_WRONG = 10
"""Number of wrong passwords that a visitor may send in a minute."""
_log = logging.getLogger("puzzlehunt.web")


class Password:
    """The password that visitors need; visitors need none if it is empty.

    `key` is a secret of the server, needed to compute the cookie of a password. Without the key,
    nobody can check guessed passwords against a cookie.
    """

    def __init__(self, password: str, key: str) -> None:
        self._password = password.encode()
        self.cookie = hmac.new(key.encode(), self._password, hashlib.sha256).hexdigest()

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
                _, _, text = b64decode(given).decode().partition(":")
            except ValueError:
                return False
            return self.is_right(text)
        if kind.casefold() == "bearer":
            return self.is_right(given)
        cookie = cookie_parser(headers.get("cookie", "")).get(PASSWORD_COOKIE, "")
        return hmac.compare_digest(cookie.encode(), self.cookie.encode())


class Guard:
    """Middleware that refuses bad requests before the routes, and sets headers of all answers."""

    def __init__(
        self, app: ASGIApp, password: Password, names: Iterable[str], requests_at_once: int
    ) -> None:
        self._app = app
        self._password = password
        self._most_at_once = requests_at_once
        self._at_once: Counter[str] = Counter()
        self._wrong_passwords: Counter[str] = Counter()
        """How many each visitor has sent, forgotten every minute."""
        self._counted_since = time.monotonic()
        self._names = {name.casefold() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, path = Headers(scope=scope), scope["path"]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                if path == "/password" and message["status"] == 403:
                    self._wrong_passwords[visitor] += 1
                answer = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    answer.setdefault(name, value)
                if path.startswith("/api/docs"):
                    answer["Content-Security-Policy"] = _DOCS_POLICY
                if not path.startswith("/static/"):
                    answer.setdefault("Cache-Control", "no-cache, private")
            await send(message)

        if "host" in headers and not _parts(f"//{headers['host']}").netloc:
            # The routes cannot parse such a host.
            kept = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope = {**scope, "headers": kept}
            headers = Headers(scope=scope)
        visitor = visitor_of((scope.get("client") or ("", 0))[0])
        refusal = self._refusal(scope, headers, visitor)
        if refusal is not None:
            await error_response(Request(scope), refusal)(scope, receive, send_with_headers)
            return
        self._at_once[visitor] += 1
        try:
            await self._within_limits(scope, receive, send_with_headers)
        finally:
            self._at_once -= Counter((visitor,))

    def _refusal(self, scope: Scope, headers: Headers, visitor: str) -> HttpError | None:
        """Return the error that refuses a request before its body is read, None to accept it."""
        path, method = scope["path"], scope["method"]
        host = _parts(f"//{headers.get('host', '')}").hostname
        length = headers.get("content-length", "")
        if self._names and host not in self._names:
            return HttpError(421, "this server does not go by that name; serve --name NAME lets it")
        if self._at_once[visitor] >= self._most_at_once:
            return HttpError(
                503, "too many requests at once; come again later", {"Retry-After": "5"}
            )
        if length.isdecimal() and int(length[:20]) > LARGEST_BODY:
            return HttpError(413, _TOO_LARGE)
        if method in _CHANGES and not _same_origin(headers):
            return HttpError(403, "a change is only taken from the board's own page")
        is_form = path == "/password" and method == "POST"
        is_guess = is_form or "authorization" in headers
        if is_guess and self._has_guessed_enough(visitor):
            # Even the right password is refused; otherwise guessing could go on.
            return HttpError(429, "too many passwords; wait a minute")
        is_refused = not path.startswith(_OPEN_PATHS) and not self._password.accepts(headers)
        if is_guess and is_refused:
            self._wrong_passwords[visitor] += 1
        if is_refused:
            return HttpError(401, "this server asks for its password")
        return None

    def _has_guessed_enough(self, visitor: str) -> bool:
        """Return whether a visitor has sent as many wrong passwords as a minute allows."""
        now = time.monotonic()
        if now - self._counted_since > 60:
            self._counted_since, self._wrong_passwords = now, Counter()
        return self._wrong_passwords[visitor] >= _MOST_WRONG

    async def _within_limits(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; refuse it if its body is too large."""
        size, has_begun = 0, False

        async def limited_receive() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > LARGEST_BODY:
                # Whatever reads a body answers any other error with a status of its own.
                raise HTTPException(413, _TOO_LARGE)
            return message

        async def noted_send(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        if scope["method"] == "HEAD" and not scope["path"].endswith("/events"):
            # No body is sent: uvicorn knows the method from its own scope.
            scope = {**scope, "method": "GET"}
        try:
            await self._app(scope, limited_receive, noted_send)
        except Exception as error:  # noqa: BLE001 - one board's trouble ends no other's request
            _log.error("%s: %r", scope["method"], error, exc_info=True)
            if not has_begun:
                refusal = HttpError(500, "this should not happen")
                await error_response(Request(scope), refusal)(scope, receive, send)


_TOO_LARGE = f"that is larger than {LARGEST_BODY:,} bytes"


def _same_origin(headers: Headers) -> bool:
    """Return whether a request comes from a page of this server, or from no page at all."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
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


def names_of(host: str, name: str) -> set[str]:
    """Return the host names that the server accepts in requests; an empty set means all names.

    `host` is the address that the server listens on, and `name` the host name by which visitors
    know it ("" for none). All names are accepted if other machines can reach a server without a
    `name`.
    """
    if name:
        return {*_LOOPBACK, _parts(f"//{name}").hostname or name.casefold()}
    return {*_LOOPBACK, host} if is_loopback(host) else set()
