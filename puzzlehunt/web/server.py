"""The running server: its address, its application, its shutdown."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import uvicorn
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from puzzlehunt import __version__
from puzzlehunt.errors import PuzzlehuntError, SessionError, SessionInUseError
from puzzlehunt.game.files.atomic import make_folder
from puzzlehunt.session.file_store import acquire_lock
from puzzlehunt.system import HAS_POSIX, raise_file_limit
from puzzlehunt.web import api, pages
from puzzlehunt.web.guard import Guard, error_response, is_loopback
from puzzlehunt.web.live import Server
from puzzlehunt.web.store import Boards

_LONGEST_WAIT = 10.0
"""Time for which a connection may keep the server waiting (seconds)."""
_ABOUT = (
    "Boards of a team, as programs and spreadsheets use them. Every answer belongs to one version "
    "of a board, its `ETag`: one that is known (`If-None-Match`) is not sent again (304), and a "
    "change with `If-Match` is made on that version or refused (412). A change with an "
    "`Idempotency-Key` is made once, however often it is sent. The server's password, if it has "
    "one, is sent by HTTP Basic, with any user name. Whoever has a board's address needs no other "
    "right: keep addresses secret. Turns, positions and boards are numbered from 1."
)


def serve(
    tell: Callable[[str], None], *, boards: Sequence[str], folder: Path, most_boards: int,
    host: str, port: int, name: str, root_path: str, password: str, workers: int,
) -> None:  # fmt: skip
    """Run a server until the process is ended.

    `tell` gets each line for whoever starts it. `boards` are the built-in games, sizes and files
    whose boards are opened; all are kept in `folder`. `name` is the host name by which visitors
    know the server ("" for none), `root_path` what their paths begin with. If `password` is "",
    they need none. Raises SessionError if the port is taken or the folder cannot be used,
    PuzzlehuntError if a board cannot be opened, and on Windows.
    """
    if not HAS_POSIX:
        raise PuzzlehuntError("boards are served on Linux and macOS alone")
    if not folder.is_dir():
        make_folder(folder)
        folder.chmod(0o700)
    try:
        lock = acquire_lock(folder / "boards")
    except SessionInUseError:
        problem = "another puzzlehunt serves this folder; --data takes another"
        raise SessionError(f"{folder}: {problem}") from None
    most = min(4_000, max(16, raise_file_limit(10_000) // 2))
    kept = Boards(folder, most_boards)
    local, root = host if is_loopback(host) else "", f"/{root_path.strip('/')}".rstrip("/")
    try:
        with _listener(host, port) as listener:
            opened = {board.name: board for board in map(kept.open, boards)}
            server = Server(kept, workers, most)
            config = uvicorn.Config(
                make_app(server, password, name or local, root),
                ws="none", log_level="error", access_log=False, server_header=False,
                backlog=most // 8,
                forwarded_allow_ips="*",  # what they say only changes links on the visitor's page
                timeout_graceful_shutdown=2, h11_max_incomplete_event_size=64_000,
            )  # fmt: skip
            address = f"https://{name}" if name else _address(host, listener.getsockname()[1])
            server.address = "" if local and not name else address
            address += root
            tell(f"a new board: {address}/")
            for board in opened.values():
                tell(f"{board.name}: {address}/b/{board.id}")
            if others := len(kept.names()) - len(opened):
                tell(f"{others:,} more in {folder}: serve NAME prints the address of one")
            if local and not name:
                tell("only this computer can open them; --host 0.0.0.0 lets others in")
            elif not name:
                tell("everybody who can reach this machine can come, and make boards")
            tell(f"Ctrl-C ends; the boards stay in {folder}")
            _Uvicorn(config, server).run([listener])
    finally:
        kept.close()
        lock.release()


class _Uvicorn(uvicorn.Server):
    """A uvicorn server that cuts connections which keep it waiting; uvicorn would wait for ever.

    It waits for the head or the body of a request, or for an answer to be read. If there are too
    many connections, those go that have waited longest.
    """

    def __init__(self, config: uvicorn.Config, state: Server) -> None:
        super().__init__(config)
        # uvicorn calls it as it would call the class of its protocol.
        config.http = cast(type[H11Protocol], self._connect)
        self._state = state
        self._waits: dict[tuple[Any, ...], float] = {}
        """What the server waits for on each connection, and since when."""

    def _connect(self, **given: Any) -> H11Protocol:
        if len(self.server_state.connections) >= self._state.most_connections:
            self._cut()
        return H11Protocol(**given)

    def _cut(self) -> None:
        now, known = time.monotonic(), self.server_state.connections
        most, awaited = self._state.most_connections, filter(None, map(_awaited, known))
        self._waits = {one: self._waits.get(one, now) for one in awaited}
        surplus = len(known) - most * 7 // 8 if len(known) >= most else 0
        for place, one in enumerate(sorted(self._waits, key=self._waits.__getitem__)):
            if place < surplus or now - self._waits[one] > _LONGEST_WAIT:
                known.discard(one[0])
                one[0].transport.abort()

    async def on_tick(self, counter: int) -> bool:
        """Cut connections ten times a second; return whether the server ends."""
        self._cut()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End event streams and connections that keep the server waiting; then shut down."""
        self._state.end_streams()
        self._cut()
        await super().shutdown(sockets)


def _awaited(connection: Any) -> tuple[Any, ...] | None:
    """Return a connection and what the server waits for on it, None if it waits for nothing.

    It changes with every request, and as soon as the visitor has read something.
    """
    request, unread = connection.cycle, connection.transport.get_write_buffer_size()
    is_asked = request is not None and not request.response_complete and not request.more_body
    return None if is_asked and not unread else (connection, request, unread)


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason, _, _ = (getattr(error, "strerror", None) or str(error)).partition(" (while")
        problem = f"{host}:{port} cannot be served ({reason}); --port takes another"
        raise SessionError(problem) from None
    # Small answers are sent at once.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _address(host: str, port: int) -> str:
    """Return the server's address, as other machines know it if they can reach it."""
    if host in ("0.0.0.0", "::", ""):
        host = socket.gethostname()
        # Nothing is sent: the system only names the address from which it would send.
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.connect(("192.0.2.1", 9))
            host = asking.getsockname()[0]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def make_app(server: Server, password: str, name: str, root: str) -> FastAPI:
    """Return the web application of a server; the other arguments are those of `Guard`."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # These threads wait for workers, or work on boards; then they mostly wait for the disk.
        threads = ThreadPoolExecutor(len(server.workers.all) + 32)
        asyncio.get_running_loop().set_default_executor(threads)
        for worker in server.workers.all:
            worker.start()
        yield
        for worker in server.workers.all:
            worker.end()

    app = FastAPIOffline(
        "/api/docs", None, static_url="/api/docs/library", openapi_url="/api/openapi.json",
        title="puzzlehunt", version=__version__, description=_ABOUT, lifespan=lifespan,
    )  # fmt: skip
    app.state.server = server
    app.include_router(pages.router)
    app.include_router(api.router)
    app.mount(pages.STATIC, StaticFiles(directory=pages.FILES))
    for kind in (PuzzlehuntError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, error_response)
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6)
    app.add_middleware(Guard, password=password, name=name, root=root)
    return app
