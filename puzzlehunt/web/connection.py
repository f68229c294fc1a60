"""The requests about one board to the server that keeps it."""

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
from httpx_sse import SSEError, connect_sse

from puzzlehunt.errors import SessionError
from puzzlehunt.game.files.document import Document
from puzzlehunt.web.uploads import read_foreign

_TIMEOUT = httpx.Timeout(15.0, connect=5.0)
_LONGEST_ANSWER = 30.0
"""How long an answer may take to come (seconds)."""
_LONGEST_VERSION = 12
"""Longest number of a version (digits)."""
_MOST_BYTES = 64_000_000
"""Largest answer that is read (bytes)."""


class Connection:
    """The requests about one board. Raises SessionError for what is no address of a board."""

    def __init__(self, address: str) -> None:
        try:
            parts = urlsplit(str(address))
            host = parts.hostname if parts.scheme in ("http", "https") else None
        except ValueError:  # brackets that never close
            host = None
        before, _, board = parts.path.rstrip("/").rpartition("/b/") if host else ("", "", "")
        if not board:
            raise SessionError(
                f"{address}: no address of a board; they look like http://HOST:PORT/b/NAME-TOKEN"
            )
        self.shown = f"{parts.scheme}://{parts.hostname}"
        """The server's name, for messages: without the board's token."""
        base = f"{parts.scheme}://{parts.netloc}{before}/api/v1/boards/{board}"
        self.base = base
        self._client = httpx.Client(timeout=_TIMEOUT, follow_redirects=False)

    def close(self) -> None:
        """End the connection."""
        self._client.close()

    def get(self, path: str) -> httpx.Response:
        """Return an answer. Raises SessionError."""
        return self.send("GET", path)

    def send(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        """Send a request. Raises SessionError where the server refuses or cannot be reached."""
        try:
            answer = self._whole_answer(method, path, body, headers or {})
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            reason = str(error) or type(error).__name__
            raise SessionError(f"{self.shown} cannot be reached ({reason})") from None
        if answer.is_success:
            return answer
        try:
            sentence = str(answer.json()["detail"])
        except (ValueError, KeyError, TypeError):
            sentence = f"status {answer.status_code}"
        raise SessionError(f"{self.shown}: {sentence}")

    def _whole_answer(
        self, method: str, path: str, body: Any, headers: dict[str, str]
    ) -> httpx.Response:
        """Return an answer with what it holds, unless that is too much or takes too long."""
        end, parts, size = time.monotonic() + _LONGEST_ANSWER, list[bytes](), 0
        url = self.base + path
        with self._client.stream(method, url, json=body, headers=headers) as answer:
            for part in answer.iter_bytes():
                parts.append(part)
                size += len(part)
                if size > _MOST_BYTES:
                    raise ValueError("its answer is too long")
                if time.monotonic() > end:
                    raise ValueError("its answer takes too long")
            return httpx.Response(
                answer.status_code, content=b"".join(parts), request=answer.request
            )

    def game(self) -> Document:
        """Return the game file of the board. Raises SessionError, GameFileError."""
        return read_foreign(self.get("/game").text, self.shown, _MOST_BYTES)

    def board(self) -> dict[str, Any]:
        """Return what the server says of the board. Raises SessionError."""
        try:
            answer = self.get("").json()
            history = {key: list(map(str, answer["history"][key])) for key in ("facts", "turns")}
            rows = [
                {key: str(row[key]) for key in ("text", "note", "by")} for row in answer["rows"]
            ]
            return {
                "version": int(answer["version"]),
                "game_tag": str(answer["game_tag"]),
                "history": history,
                "rows": rows,
            }
        except (KeyError, TypeError, ValueError, RecursionError, OverflowError):
            raise SessionError(f"{self.shown}: this is no answer about a board") from None

    def versions(self) -> Iterator[int]:
        """Yield the board's newest version whenever it changes. Raises SessionError."""
        timeout = httpx.Timeout(5.0, read=60.0)
        url = f"{self.base}/events"
        try:
            with connect_sse(self._client, "GET", url, timeout=timeout) as source:
                for event in source.iter_sse():
                    if event.id.isdecimal() and len(event.id) < _LONGEST_VERSION:
                        yield int(event.id)
        except (httpx.HTTPError, SSEError, RuntimeError, OSError) as error:
            raise SessionError(f"{self.shown}: the connection was lost ({error})") from None
