"""A session on a board that a server keeps; it follows the changes that other people make."""

import getpass
import re
import secrets
import threading
import time
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from puzzlehunt.errors import SessionError, missing_package
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.history import number_of
from puzzlehunt.game.merging import MergeResult
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session.changes import Change, Redo, SettingsChange, Timeline, Undo, apply, dump
from puzzlehunt.session.session import Session
from puzzlehunt.web.uploads import check_upload

try:
    import httpx
except ModuleNotFoundError:
    httpx = None  # type: ignore[assignment]

_ADDRESS = re.compile(r"(https?)://([^/?#\s]+)(/[^?#\s]*)?/b/([^/?#\s]+)/*(?:[?#].*)?")
_PAUSE = 1.0
"""Pause before a lost connection is made, or a change sent, again (seconds)."""


class _Board(BaseModel):
    """What a session needs of the answer about a board."""

    version: int
    game_tag: str
    history: dict[str, list[str]]
    rows: list[dict[str, Any]]


def connect(address: str, *, name: str | None = None) -> "SharedSession":
    """Return the session of a board on a server, given the address of its page.

    Changes are made on the server, under `name` (by default the login name); undo and redo are of
    this name's own steps. If other people have changed the board, `is_outdated` is true, and
    `read_again` reads their changes. Raises SessionError if the server cannot be reached or refuses
    the request, and GameFileError if the game names other files or code.

    >>> try:
    ...     puzzlehunt.connect("nowhere")
    ... except puzzlehunt.PuzzlehuntError as error:
    ...     print(error)
    nowhere: no address of a board; they look like http://HOST:PORT/b/NAME-TOKEN
    """
    if name is None:
        with suppress(OSError, KeyError):
            name = getpass.getuser()
    return SharedSession(RemoteBoard(address), name or "")


def document_of(address: str) -> Document:
    """Return the game file, with rows, of a board on a server. Raises the errors of `connect`."""
    with closing(RemoteBoard(address)) as board:
        document = board.game()
        document.value |= board.newest().history
    return document


class SharedSession(Session):
    """A session on a board, which other people change as well."""

    is_shared = True

    def __init__(self, board: "RemoteBoard", name: str) -> None:
        self._board, self._name = board, name
        self._game_tag: str | None = None
        self.read_again()
        threading.Thread(target=board.follow, daemon=True).start()

    def close(self) -> None:
        self._board.close()

    def keep_in(self, path: str | Path) -> None:
        raise SessionError("the server keeps this board; its page has the file")

    @property
    def is_outdated(self) -> bool:
        return self._board.told > self.version

    def read_again(self) -> tuple[()]:
        newest = self._board.newest()
        if self._game_tag != newest.game_tag:
            document = self._board.game().without_rows()
            super().__init__(gamefile.build(document), "", document.value)
        facts = [f"/fact {text}" for text in newest.history.get("facts", ())]
        self.history = self.game.as_history([*facts, *newest.history.get("turns", ())])
        named = zip(self.history.turns, newest.rows, strict=False)
        writers = {format_turn(self.game, turn): row.get("by", "") for turn, row in named}
        self.writers = {**self.writers, **writers}
        self._game_tag, self.version = newest.game_tag, newest.version
        return ()

    def apply(self, change: Change) -> MergeResult:
        result = MergeResult(self.game, self.history)
        if not isinstance(change, SettingsChange | Undo | Redo):
            _, result = apply(self.game, Timeline((self.history,)), change)
        sent = {"change": dump(self.game, change), "by": self._name, "version": self.version}
        self._board.send("POST", "/changes", sent)
        self.read_again()
        placed = (
            replace(one, row=number_of(self.history, one.turn.code) or one.row)
            for one in result.placed
        )
        return MergeResult(self.game, self.history, tuple(placed))


class RemoteBoard:
    """A board on a server.

    Raises SessionError if `address` is not one of a board, PuzzlehuntError without the extra `web`.
    """

    def __init__(self, address: str) -> None:
        if httpx is None:
            raise missing_package("a board from afar needs httpx", "web")
        found = _ADDRESS.fullmatch(address.strip())
        if found is None:
            problem = "no address of a board; they look like http://HOST:PORT/b/NAME-TOKEN"
            raise SessionError(f"{address}: {problem}")
        scheme, host, before, board = found.groups("")
        self._shown = f"{scheme}://{host.rpartition('@')[2]}"
        """The server's address for messages, without the board's token and the password."""
        self._base = f"{scheme}://{host}{before}/api/v1/boards/{board}"
        # Certificates take as long to load as a request does.
        timeout = httpx.Timeout(15.0, connect=5.0)
        self._client = httpx.Client(timeout=timeout, verify=scheme == "https")
        self.told = -1
        """The version of which an event has told."""

    def close(self) -> None:
        self._client.close()

    def send(self, method: str, path: str, body: object = None) -> str:
        """Send a request to the server; return the text of the answer.

        One with a body is sent a second time, with the same key, if its answer was lost. Raises
        SessionError if the server refuses the request or cannot be reached.
        """
        headers = {"Idempotency-Key": secrets.token_hex(12)}
        for is_last in (body is None, True):
            try:
                answer = self._client.request(method, self._base + path, json=body, headers=headers)
                break
            except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
                if is_last:
                    reason = str(error) or type(error).__name__
                    raise SessionError(f"{self._shown} cannot be reached ({reason})") from None
                time.sleep(_PAUSE)
        if answer.is_success:
            return answer.text
        try:
            sentence = str(answer.json()["detail"])
        except (ValueError, KeyError, TypeError):
            sentence = f"status {answer.status_code}"
        raise SessionError(f"{self._shown}: {sentence}")

    def game(self) -> Document:
        """Return the game file of the board's game. Raises SessionError, GameFileError."""
        return check_upload(self.send("GET", "/game"), self._shown)

    def newest(self) -> _Board:
        """Return the board's newest version. Raises SessionError."""
        try:
            return _Board.model_validate_json(self.send("GET", ""))
        except ValidationError:
            raise SessionError(f"{self._shown}: this is not an answer about a board") from None

    def follow(self) -> None:
        """Receive events, and note the newest version, until the connection is closed."""
        timeout = httpx.Timeout(5.0, read=60.0)
        while not self._client.is_closed:
            with (
                suppress(httpx.HTTPError, RuntimeError, OSError, ValueError),
                self._client.stream("GET", f"{self._base}/events", timeout=timeout) as events,
            ):
                for line in events.iter_lines():
                    if line.startswith("id: "):
                        self.told = int(line[4:])
            time.sleep(_PAUSE)
