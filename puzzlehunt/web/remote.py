"""A session stored on a server, which follows what others change."""

import getpass
import hashlib
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from puzzlehunt.errors import SessionError, missing_package
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import make_folder, write_atomically
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.files.trusted_files import state_folder
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import merged_with_itself
from puzzlehunt.session.changes import Change
from puzzlehunt.session.session import Session
from puzzlehunt.session.store import Stored, read_pending
from puzzlehunt.web.uploads import read_foreign

if TYPE_CHECKING:
    import httpx

_PAUSE = 1.0
"""How long to wait before a connection that was lost is made again (seconds)."""
_SHORT_PAUSE = 0.2
"""How long to wait before a change is sent again (seconds)."""
_LONGEST_ANSWER = 30.0
"""How long an answer may take to come (seconds)."""
_LONGEST_VERSION = 12
"""Longest number of a version (digits)."""
_MOST_BYTES = 64_000_000
"""Largest answer that is read (bytes)."""


def connect(address: str, name: str | None = None) -> Session:
    """Return the session of a board that a server keeps, by the address that its page has.

    Its changes are made on the server, under `name` (by default the login name), and rows of others
    are read with `read_again`, `is_outdated` saying whether there are any. Raises SessionError
    where the server cannot be reached or refuses, GameFileError for a game that it may not send.
    """
    return Session.kept_by(
        RemoteStore(Connection(address), _login_name() if name is None else name)
    )


def document_of(address: str) -> Document:
    """Return a board as a game file with its rows. Raises what `connect` raises."""
    connection = Connection(address)
    try:
        document, answer = connection.game(), connection.board()
    finally:
        connection.close()
    document.value |= answer["history"]
    return document


def _login_name() -> str:
    with suppress(OSError, KeyError):
        return getpass.getuser()
    return ""


class Connection:
    """The requests about one board.

    Raises SessionError for what is no address of a board, MissingPackageError without the extra
    `web`.
    """

    def __init__(self, address: str) -> None:
        try:
            import httpx
        except ModuleNotFoundError as error:
            raise missing_package(f"a board from afar needs {error.name}", "web") from None
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
        timeout = httpx.Timeout(15.0, connect=5.0)
        self._client = httpx.Client(timeout=timeout, follow_redirects=False)

    def close(self) -> None:
        """End the connection."""
        self._client.close()

    def get(self, path: str) -> "httpx.Response":
        """Return an answer. Raises SessionError."""
        return self._send("GET", path)

    def post(self, path: str, body: Mapping[str, Any]) -> "httpx.Response":
        """Return the answer to a change, sent again once, under the same key, where it was lost.

        Raises SessionError where the server refuses or cannot be reached.
        """
        return self._send("POST", path, body, {"Idempotency-Key": secrets.token_hex(12)})

    def _send(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> "httpx.Response":
        import httpx

        try:
            try:
                answer = self._whole_answer(method, path, body, headers or {})
            except httpx.TransportError:
                if headers is None:
                    raise
                time.sleep(_SHORT_PAUSE)
                answer = self._whole_answer(method, path, body, headers)
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
    ) -> "httpx.Response":
        """Return an answer with what it holds, unless that is too much or takes too long."""
        import httpx

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
        """Return the board as JSON, checked. Raises SessionError."""
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
        import httpx
        from httpx_sse import SSEError, connect_sse

        timeout = httpx.Timeout(5.0, read=60.0)
        url = f"{self.base}/events"
        try:
            with connect_sse(self._client, "GET", url, timeout=timeout) as source:
                for event in source.iter_sse():
                    if event.id.isdecimal() and len(event.id) < _LONGEST_VERSION:
                        yield int(event.id)
        except (httpx.HTTPError, SSEError, RuntimeError, OSError) as error:
            raise SessionError(f"{self.shown}: the connection was lost ({error})") from None


class RemoteStore:
    """A board that a server keeps, and which is followed: `Store` says what its methods do."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self.name = name
        """The name under which changes are made."""
        self.version = -1
        """The board's version that was read last."""
        self._newest = -1
        """The newest version among the events received."""
        self._stored: Stored | None = None
        self._game_tag = ""
        self._is_closed = threading.Event()
        self._follower = threading.Thread(target=self._follow, daemon=True)

    path = None
    is_followed = True

    def close(self) -> None:
        """End the connection."""
        self._is_closed.set()
        self._connection.close()

    def _follow(self) -> None:
        """Note the newest version whenever it changes, until the store is closed."""
        while not self._is_closed.is_set():
            with suppress(SessionError):
                for version in self._connection.versions():
                    self._newest = max(self._newest, version)
                    if self._is_closed.is_set():
                        return
            self._is_closed.wait(_PAUSE)

    @property
    def is_outdated(self) -> bool:
        """Whether the board has a newer version than the one that was read last."""
        return self._newest > self.version

    def read(self) -> Stored:
        """Return the board's newest version; the game is read again where it has changed."""
        answer, known = self._connection.board(), self._stored
        if known is None or self._game_tag != answer["game_tag"]:
            document = self._connection.game().without_rows()
            known = Stored(gamefile.build(document), "", document.value, History())
        game = known.game
        facts = [f"/fact {text}" for text in answer["history"]["facts"]]
        items = map(game.as_item, [*facts, *answer["history"]["turns"]])
        writers = {**known.writers, **{_line_of(row): row["by"] for row in answer["rows"]}}
        history = merged_with_itself(game, items)
        pending = read_pending(game, history, self._read_pending_line())
        self._stored = replace(known, history=history, writers=writers, pending=pending)
        self._game_tag, self.version = answer["game_tag"], answer["version"]
        if self._newest < 0:
            self._follower.start()
        self._newest = max(self._newest, self.version)
        return self._stored

    def submit(self, game: Game, change: Change) -> bool:
        """Make a change of the version that was read last. Raises SessionError."""
        from puzzlehunt.session.codec import dump

        body = {"change": dump(game, change), "by": self.name, "version": self.version}
        self._connection.post("/changes", body)
        return True

    def become_writer(self) -> None:
        """Do nothing: whoever knows the address may change a board."""

    # A guess that waits for its clue is one person's: it is kept here, and not on the board.

    def _read_pending_line(self) -> str:
        try:
            return self._pending_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def save(self, state: Stored) -> None:
        """Keep the guess that waits for its clue, or none, on this computer."""
        file, line = self._pending_file, state.pending_line
        with suppress(OSError, SessionError):
            if not line:
                file.unlink(missing_ok=True)
                return
            make_folder(file.parent)
            write_atomically(file, line)

    @property
    def _pending_file(self) -> Path:
        """The file that keeps it: its name is a digest of board and person, without a token."""
        identity = f"{self._connection.base} {self.name}".encode(errors="replace")
        return state_folder() / "joined" / hashlib.sha256(identity).hexdigest()[:16]


def _line_of(row: Mapping[str, str]) -> str:
    """Return the line of a row as `format_turn` writes it: without its note."""
    note = f" # {row['note']}" if row["note"] else ""
    return row["text"].removesuffix(note)
