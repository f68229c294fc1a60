"""The running server: its address, its boards' addresses, its end."""

import logging
import os
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from puzzlehunt.errors import PuzzlehuntError, SessionError, SessionInUseError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.output import make_folder
from puzzlehunt.session.storage import acquire_lock
from puzzlehunt.web.app import make_app
from puzzlehunt.web.boards import Board, Boards
from puzzlehunt.web.guard import Password, loopback_names
from puzzlehunt.web.journal import write_privately
from puzzlehunt.web.state import Server

DEFAULT_PORT = 8765
_BACKLOG = 512
_MOST_CONNECTIONS = 4_000
"""How many connections may be open."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a server is asked to serve, and to whom.

    - `boards`: built-in games, sizes, and files of games and sessions.
    - `folder`: where boards are kept. `host`, `port`: where visitors come.
    - `name`: the host name by which visitors know it, behind another server; "" for none.
    - `password`: what visitors have to know; "" for nothing.
    - `most_boards`, `requests_a_minute`: limits; `workers`: how many processes answer questions.
    """

    boards: Sequence[str]
    folder: Path
    host: str
    port: int
    name: str = ""
    password: str = ""
    most_boards: int = 1_000
    requests_a_minute: int = 1_200
    workers: int = 3


def serve(asked: Asked, tell: Callable[[str], None]) -> None:
    """Serve until the process is told to end. `tell` is told the addresses, line by line.

    Raises SessionError where the port is taken or the folder cannot be used, PuzzlehuntError for a
    board that cannot be opened.
    """
    if not asked.folder.exists():
        make_folder(asked.folder)
        asked.folder.chmod(0o700)
    if not os.access(asked.folder, os.R_OK | os.W_OK | os.X_OK):
        raise SessionError(f"{asked.folder}: this folder cannot be read and written")
    try:
        lock = acquire_lock(asked.folder / "boards")
    except SessionInUseError:
        problem = "another puzzlehunt serves this folder; --data takes another"
        raise SessionError(f"{asked.folder}: {problem}") from None
    listener = _listener(asked.host, asked.port)
    boards = Boards(asked.folder, asked.most_boards)
    try:
        opened = [_open(boards, name) for name in asked.boards]
        names = loopback_names(asked.host)
        if names and asked.name:
            names.add(asked.name)
        password = Password(asked.password, _cookie_key(asked.folder) if asked.password else "")
        app = make_app(Server(boards, asked.workers), password, asked.requests_a_minute, names)
        address = _address(asked, listener.getsockname()[1])
        tell(f"a new board: {address}/")
        for board in opened or boards.all():
            tell(f"{board.name}: {address}/b/{board.id}")
        tell("Ctrl-C ends; the boards stay in " + str(asked.folder))
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        config = uvicorn.Config(
            app, log_level="error", access_log=False, server_header=False, lifespan="on",
            timeout_graceful_shutdown=2, limit_concurrency=_MOST_CONNECTIONS, proxy_headers=True,
            backlog=_BACKLOG, h11_max_incomplete_event_size=64_000,
        )  # fmt: skip
        uvicorn.Server(config).run([listener])
    finally:
        listener.close()
        boards.close()
        lock.release()


def _listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises SessionError where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, so that asyncio sends small answers at once.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        hint = "; --port takes another" if isinstance(error, OSError) else ""
        raise SessionError(f"{host}:{port} cannot be served ({reason}){hint}") from None
    return listener


def _cookie_key(folder: Path) -> str:
    """Return the key of a folder's password cookies, made at random where there is none.

    It is kept, so that visitors need not give the password again when the server was restarted.
    Raises SessionError where it cannot be written.
    """
    path = folder / ".password.key"
    try:
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        key = ""
    if not key:
        key = secrets.token_urlsafe(16)
        write_privately(path, key)
    return key


def _open(boards: Boards, name: str) -> Board:
    """Return the board of a built-in game, a size, or a file. Raises PuzzlehuntError."""
    name = gamefile.own_name(name)
    path = gamefile.path_of(name, Path())
    try:
        return boards.open_game(name) if path is None else boards.open_file(path)
    except PuzzlehuntError as error:
        raise SessionError(f"{name}: {error}") from None


def _address(asked: Asked, port: int) -> str:
    if asked.name:
        return f"https://{asked.name}"
    host = f"[{asked.host}]" if ":" in asked.host else asked.host
    return f"http://{host}:{port}"
