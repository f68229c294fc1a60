"""A session on a board that a server keeps; it follows the changes that other people make."""

import getpass
import re
import secrets
import threading
import time
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError

from puzzlehunt.errors import SessionError, missing_package
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import merge
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session.changes import Change, dump
from puzzlehunt.session.file_store import Stored
from puzzlehunt.session.session import Session
from puzzlehunt.web.uploads import check_upload

try:
    import httpx
    from httpx_sse import SSEError, connect_sse
except ModuleNotFoundError as error:
    _missing = error.name
else:
    _missing = None

_ADDRESS = re.compile(r"(https?)://([^/?#\s]+)(/[^?#\s]*)?/b/([^/?#\s]+)/*(?:[?#].*)?")
_PAUSE = 1.0
"""Pause before a lost connection is made, or a change sent, again (seconds)."""


class _Board(BaseModel):
    """What a session needs of the answer about a board."""

    version: int
    game_tag: str
    history: dict[str, list[str]]
    rows: list[dict[str, Any]]


def connect(address: str, *, name: str | None = None) -> Session:
    """Return the session of a board on a server, given the address of its page.

    Changes of the session are made on the server, under `name` (by default the login name); undo
    and redo are of this name's own steps. If other people have changed the board, `is_outdated` is
    true, and `read_again` reads their changes. Raises SessionError if the server cannot be reached
    or refuses the request, and GameFileError if the game names other files or code.

    >>> import puzzlehunt
    >>> try:
    ...     puzzlehunt.connect("nowhere")
    ... except puzzlehunt.PuzzlehuntError as error:
    ...     print(error)
    nowhere: no address of a board; they look like http://HOST:PORT/b/NAME-TOKEN
    """
    if name is None:
        with suppress(OSError, KeyError):
            name = getpass.getuser()
    return Session.kept_by(RemoteStore(address, name or ""))


def document_of(address: str) -> Document:
    """Return the game file, with rows, of a board on a server. Raises the errors of `connect`."""
    with closing(RemoteStore(address)) as store:
        document = store.game()
        document.value |= store.board().history
    return document


class RemoteStore:
    """The `Server` of a session: it reads and changes a board.

    Raises SessionError if `address` is not that of a board, and PuzzlehuntError if the extra
    `web` is not installed.
    """

    def __init__(self, address: str, name: str = "") -> None:
        if _missing:
            raise missing_package(f"a board from afar needs {_missing}", "web")
        found = _ADDRESS.fullmatch(address.strip())
        if found is None:
            problem = "no address of a board; they look like http://HOST:PORT/b/NAME-TOKEN"
            raise SessionError(f"{address}: {problem}")
        scheme, host, before, board = found.groups("")
        self._shown = f"{scheme}://{host.rpartition('@')[2]}"
        """The server's address for messages, without the board's token and the password."""
        self._base = f"{scheme}://{host}{before}/api/v1/boards/{board}"
        # Certificates take as long to load as a request does.
        self._client = httpx.Client(
            timeout=httpx.Timeout(15.0, connect=5.0), verify=scheme == "https"
        )
        self._name = name
        self.version = -1
        """The version of the board that was read last; -1 before."""
        self._newest = -1
        """The version of which an event has told."""
        self._stored: Stored | None = None
        self._game_tag = ""

    def close(self) -> None:
        self._client.close()

    def _send(self, method: str, path: str, body: object = None, key: str = "") -> str:
        """Send a request to the server; return the text of the answer.

        A request with a key is sent a second time if its answer was lost. Raises SessionError if
        the server refuses the request or cannot be reached.
        """
        headers = {"Idempotency-Key": key} if key else {}
        for is_last in (not key, True):
            try:
                answer = self._client.request(method, self._base + path, json=body, headers=headers)
                break
            except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
                if is_last or not isinstance(error, httpx.TransportError):
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
        return check_upload(self._send("GET", "/game"), self._shown, longest=64_000_000)

    def board(self) -> _Board:
        """Return the newest version of the board. Raises SessionError."""
        try:
            return _Board.model_validate_json(self._send("GET", ""))
        except ValidationError:
            raise SessionError(f"{self._shown}: this is not an answer about a board") from None

    def _follow(self) -> None:
        """Receive events, and note the newest version, until the store is closed."""
        timeout = httpx.Timeout(5.0, read=60.0)
        while not self._client.is_closed:
            with (
                suppress(httpx.HTTPError, SSEError, RuntimeError, OSError, ValueError),
                connect_sse(self._client, "GET", f"{self._base}/events", timeout=timeout) as source,
            ):
                for event in source.iter_sse():
                    self._newest = int(event.id)
            time.sleep(_PAUSE)

    @property
    def is_outdated(self) -> bool:
        return self._newest > self.version

    def read(self) -> Stored:
        board, known = self.board(), self._stored
        if known is None or self._game_tag != board.game_tag:
            document = self.game().without_rows()
            known = Stored(gamefile.build(document), "", document.value, History())
        game, history = known.game, board.history
        facts = [f"/fact {text}" for text in history.get("facts", ())]
        items = map(game.as_item, [*facts, *history.get("turns", ())])
        merged = merge(game, History(), items).history
        named = zip(merged.turns, board.rows, strict=False)
        writers = {format_turn(game, turn): row.get("by", "") for turn, row in named}
        self._stored = replace(known, history=merged, writers={**known.writers, **writers})
        if self.version < 0:
            threading.Thread(target=self._follow, daemon=True).start()
        self._game_tag, self.version = board.game_tag, board.version
        return self._stored

    def submit(self, game: Game, change: Change) -> None:
        body = {"change": dump(game, change), "by": self._name, "version": self.version}
        self._send("POST", "/changes", body, secrets.token_hex(12))
