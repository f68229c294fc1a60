"""The running server: its address, its application, its shutdown."""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fastapi_offline
import psutil
import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from puzzlehunt import __version__
from puzzlehunt.errors import PuzzlehuntError, SessionError, SessionInUseError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import make_folder, write_atomically
from puzzlehunt.session.file_store import acquire_lock
from puzzlehunt.system import HAS_POSIX
from puzzlehunt.views.summary import passed_over
from puzzlehunt.web import api, assets, home, pages
from puzzlehunt.web.board import TeamBoard
from puzzlehunt.web.board_folder import Boards
from puzzlehunt.web.connections import Connections, most_connections, proxies_of
from puzzlehunt.web.guard import Guard, Password, is_loopback, names_of
from puzzlehunt.web.http_errors import HERE, TEMPLATES, error_response
from puzzlehunt.web.state import Server

_QUEUE = 1_024
"""Largest number of connections that wait to be accepted."""
_EVERYWHERE = ("0.0.0.0", "::", "")
"""Hosts that mean all addresses of this machine."""
_WRITERS = 32
"""Number of threads that work on boards."""
_PASSWORD_SCHEMES = {
    "basic": {
        "type": "http", "scheme": "basic",
        "description": "The server's password, if it has one, with any user name.",
    },
    "bearer": {
        "type": "http", "scheme": "bearer",
        "description": "The server's password as a token. Whoever has a board's address needs no "
        "other right: keep addresses secret.",
    },
}  # fmt: skip
_TAGS = [
    {"name": "boards", "description": "Make, name, archive, delete, read and follow boards."},
    {"name": "rows", "description": "Change rows and facts."},
    {"name": "questions", "description": "What the rows tell."},
    {"name": "without a board", "description": "One question in one address, such as in a sheet."},
]
_ABOUT = (
    "Boards of a team, as programs and spreadsheets use them. Every answer belongs to one version "
    "of a board, its ETag; a change with If-Match is made on that version or refused."
)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options of a server: which boards it serves, and to whom.

    `boards` are the built-in games, sizes and files whose boards are opened; all boards are kept in
    `folder`. `name` is the host name by which visitors know the server ("" for none), and `proxies`
    are trusted proxies (addresses, networks, host names). If `password` is "", visitors need none.
    """

    boards: Sequence[str]
    folder: Path
    host: str
    port: int
    name: str = ""
    proxies: Sequence[str] = ()
    password: str = ""
    most_boards: int = 1_000
    workers: int = 3


def serve(asked: ServerOptions, tell: Callable[[str], None]) -> None:
    """Run a server until the process is ended.

    `tell` is called with each line for the person who starts the server, such as the addresses of
    boards. Raises SessionError if the port is taken or the folder cannot be used, PuzzlehuntError
    if a board cannot be opened, and on Windows.
    """
    if not HAS_POSIX:
        raise PuzzlehuntError("boards are served on Linux and macOS alone")
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
    most = most_connections()
    listener = _listener(asked.host, asked.port)
    boards = Boards(asked.folder, asked.most_boards)
    try:
        proxies = proxies_of(asked.proxies)
        opened = [_open(boards, name, tell) for name in asked.boards]
        key = _secret_key(asked.folder / ".password.key") if asked.password else ""
        password = Password(asked.password, key)
        server = Server(boards, asked.workers, most)
        app = make_app(server, password, names_of(asked.host, asked.name))
        address = _address(asked, listener.getsockname()[1])
        tell(f"a new board: {address}/")
        for board in opened:
            tell(f"{board.name}: {address}/b/{board.id}")
        if others := boards.count() - len({board.name for board in opened}):
            tell(f"{others:,} more in {asked.folder}: serve NAME prints the address of one")
        if is_loopback(asked.host) and not asked.name:
            tell("only this computer can open them; --host 0.0.0.0 lets others in")
        elif not asked.name:
            tell("everybody who can reach this machine can come, and make boards")
        tell("Ctrl-C ends; the boards stay in " + str(asked.folder))
        connections = Connections(most)
        connect: Any = connections.connect
        config = uvicorn.Config(
            app, http=connect, ws="none", lifespan="on",
            log_level="error", access_log=False, server_header=False, backlog=most // 8,
            proxy_headers=True, forwarded_allow_ips=proxies,
            timeout_graceful_shutdown=2, h11_max_incomplete_event_size=64_000,
        )  # fmt: skip
        _Uvicorn(config, server, connections).run([listener])
    finally:
        listener.close()
        boards.close()
        lock.release()


class _Uvicorn(uvicorn.Server):
    """A uvicorn server that cuts connections which keep it waiting.

    `_QUEUE` connections may wait to be accepted, more than are accepted in one go.
    """

    def __init__(self, config: uvicorn.Config, state: Server, connections: Connections) -> None:
        super().__init__(config)
        self._state = state
        self._connections = connections

    async def on_tick(self, counter: int) -> bool:
        """Do what is to be done ten times a second; return whether the server ends."""
        if counter % 10 == 0:
            self._connections.cut(self.server_state.connections)
        return await super().on_tick(counter)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(_QUEUE)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End event streams and requests that wait for a body; then shut down."""
        self._state.end_streams()
        for one in list[Any](self.server_state.connections):
            if one.cycle is not None and one.cycle.more_body:
                one.transport.abort()
        await super().shutdown(sockets)


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, so that asyncio sends small answers at once.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_QUEUE)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        hint = "; --port takes another" if isinstance(error, OSError) else ""
        raise SessionError(f"{host}:{port} cannot be served ({reason}){hint}") from None
    return listener


def _secret_key(path: Path) -> str:
    """Return the secret key that a file keeps. Raises SessionError if it cannot be written."""
    try:
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        key = ""
    if not key:
        key = secrets.token_urlsafe(16)
        path.touch(0o600)
        write_atomically(path, key)
    return key


def _open(boards: Boards, name: str, tell: Callable[[str], None]) -> TeamBoard:
    """Return the board of a game, a size, or a file."""
    name = gamefile.own_name(name)
    path = gamefile.path_of(name, Path())
    try:
        board = boards.open_game(name) if path is None else boards.open_file(path)
        if path is not None:
            tell(f"{name} is now the board {board.name}; the file stays as it is")
        for line in passed_over(board.session.game):
            tell(f"{name}: {line}")
        return board
    except PuzzlehuntError as error:
        raise SessionError(f"{name}: {error}") from None


def _address(asked: ServerOptions, port: int) -> str:
    """Return the server's address, as other machines know it if they can reach the server."""
    if asked.name:
        return f"https://{asked.name}"
    host = _own_address(asked.host) if asked.host in _EVERYWHERE else asked.host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_address(host: str) -> str:
    """Return the address of this machine in its network, or `host` if it is in no network."""
    families = [(socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")]
    for family, somewhere in reversed(families) if host == "::" else families:
        # Nothing is sent: the system only names the address from which it would send.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((somewhere, 9))
            return str(asking.getsockname()[0])
    known = [one for addresses in psutil.net_if_addrs().values() for one in addresses]
    own = (one.address for one in known if one.family == socket.AF_INET)
    return next((address for address in own if not is_loopback(address)), host)


# The application.


def make_app(server: Server, password: Password, names: Iterable[str]) -> FastAPI:
    """Return the web application of a server.

    `names` are the host names that it accepts in requests; if there are none, it accepts all.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # Threads mostly wait for the disk.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_WRITERS))
        server.open()
        yield
        server.close()

    app = FastAPI(
        title="puzzlehunt", version=__version__, description=_ABOUT, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
        openapi_tags=_TAGS,
    )  # fmt: skip
    made = app.openapi

    def described() -> dict[str, Any]:
        """Return the description of the API, with the ways to send the server's password."""
        return made() | {"security": [{}, {"basic": []}, {"bearer": []}], "components": {
            **made()["components"], "securitySchemes": _PASSWORD_SCHEMES,
        }}  # fmt: skip

    app.openapi = described  # type: ignore[method-assign]
    app.state.server, app.state.password = server, password
    app.include_router(home.router)
    app.include_router(pages.router)
    app.include_router(api.router)
    app.include_router(assets.router)
    app.mount(f"/static/{assets.digest()}", assets.KeptFiles(directory=HERE / "static"), "static")
    library = Path(fastapi_offline.__file__).parent / "static"
    app.mount("/api/docs/library", StaticFiles(directory=library), "swagger")

    @app.get("/api/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        return TEMPLATES.TemplateResponse(request, "docs.html", {})

    async def answer_error(request: Request, error: Exception) -> Response:
        return error_response(request, error)

    for kind in (PuzzlehuntError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, answer_error)
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6)
    app.add_middleware(
        Guard,
        password=password,
        names=names,
        requests_at_once=server.most_connections // 4,
    )
    return app
