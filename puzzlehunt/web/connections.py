"""Visitors and their connections: how many there may be, and how long each may take."""

import asyncio
import logging
import socket
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from puzzlehunt.errors import SessionError
from puzzlehunt.system import raise_file_limit

_HERE = ("127.0.0.1", "::1")
"""Addresses of proxies on this machine, which are always trusted."""
_MOST_FILES = 10_000
"""Largest number of open files that the server asks the system for."""
_LONGEST_HEAD = 10.0
"""Time that the head of a request, or the rest of a refused request, may take (seconds)."""
_LONGEST_STALL = 30.0
"""Time after which a connection is cut if its visitor reads nothing of an answer (seconds)."""
_QUIET = 60.0
"""Time for which further log records of a kind are suppressed after one was logged (seconds)."""


# Visitors.


def plain_address(host: str) -> str:
    """Return the IPv4 form of an IPv4-mapped IPv6 address, and any other text unchanged."""
    try:
        mapped = IPv6Address(host).ipv4_mapped
    except ValueError:
        return host
    return host if mapped is None else str(mapped)


def visitor_of(host: str) -> str:
    """Return the name under which the requests from an address are counted.

    It is the address itself, or the /64 network of an IPv6 address, since one visitor usually has
    the whole network.
    """
    try:
        address = ip_address(plain_address(host).partition("%")[0])
    except ValueError:
        return host[:100]
    if not isinstance(address, IPv6Address) or address.is_loopback:
        return str(address)
    return str(ip_network((address, 64), strict=False))


class Proxies:
    """The proxies whose headers `X-Forwarded-For` and `X-Forwarded-Proto` are trusted."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        """Trust the proxies named: addresses, networks or host names, and this machine.

        Raises SessionError for an unknown host name.
        """
        self.addresses = [*_HERE, *(one for text in named for one in _addresses(text))]
        self._networks = [ip_network(one) for one in self.addresses]

    def __contains__(self, host: str) -> bool:
        """Whether an address belongs to a trusted proxy."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _addresses(text: str) -> list[str]:
    """Return the networks or addresses of an address, a network or a host name.

    Raises SessionError for an unknown host name.
    """
    try:
        return [str(ip_network(text, strict=False))]
    except ValueError:
        pass
    try:
        found = socket.getaddrinfo(text, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        problem = "no address, no network such as 172.18.0.0/16, and no host that is known here"
        raise SessionError(f"--proxy {text}: {problem}") from None
    return sorted({str(one[4][0]).partition("%")[0] for one in found})


# Connections.


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits on open connections and boards, so that the process never runs out of open files.

    `connections` is the largest number of open connections, `a_visitor` of connections or requests
    of one visitor at a time, `followers` of pages that follow boards, `boards` of boards whose
    files are open, and `backlog` of connections that are accepted in one go.
    """

    connections: int
    a_visitor: int
    followers: int
    boards: int
    backlog: int

    @classmethod
    def of_files(cls, files: int) -> "ConnectionLimits":
        """Return the limits of a process that may have `files` files open.

        Half of the files are for connections, an eighth for boards, and a sixteenth for connections
        that are just being accepted; the rest is for the server itself.
        """
        connections = min(4_000, max(16, files // 2))
        return cls(
            connections=connections,
            a_visitor=max(8, connections // 4),
            followers=connections * 3 // 4,
            boards=min(300, max(4, files // 8)),
            backlog=min(512, max(8, files // 16)),
        )

    @classmethod
    def of_process(cls) -> "ConnectionLimits":
        """Return the limits of this process, after raising its limit of open files if allowed."""
        return cls.of_files(raise_file_limit(_MOST_FILES))


class Connections:
    """The open connections of a server; idle connections are closed to make room for new ones."""

    def __init__(self, limits: ConnectionLimits, proxies: Proxies) -> None:
        self._limits = limits
        self._proxies = proxies
        self._counts: Counter[str] = Counter()
        self.waiting: dict[Connection, None] = {}
        """Idle connections, which have no request in progress; the longest idle is first."""

    def add(self, connection: "Connection") -> None:
        """Register a new connection; if there are too many, close the one idle for longest.

        If the visitor of the new connection has too many, one of that visitor's is closed. The
        limit for one visitor does not apply to proxies, since they carry many visitors.
        """
        visitor, limits = connection.visitor, self._limits
        self._counts[visitor] += 1
        self.waiting[connection] = None
        if self._counts[visitor] > limits.a_visitor and connection.host not in self._proxies:
            oldest = next(one for one in self.waiting if one.visitor == visitor)
        elif self._counts.total() > limits.connections:
            oldest = next(iter(self.waiting))
        else:
            return
        oldest.refuse(is_new=oldest is connection)

    def remove(self, connection: "Connection") -> None:
        self.waiting.pop(connection, None)
        self._counts[connection.visitor] -= 1
        if self._counts[connection.visitor] <= 0:
            del self._counts[connection.visitor]


class Connection(H11Protocol):
    """A connection with time limits for its requests and for reading its answers.

    Without this class, uvicorn waits for the head of a request without any limit.
    """

    def __init__(
        self, connections: Connections, config: Config, server_state: ServerState,
        app_state: dict[str, Any], _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:  # fmt: skip
        super().__init__(config, server_state, app_state, _loop)
        self._all = connections
        # Timers that do nothing, until real ones replace them.
        self._deadline = self._stall = self.loop.call_later(0, int)
        self._has_begun = False
        self.visitor = self.host = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client is not None:
            self.host = plain_address(self.client[0])
            self.client = self.host, self.client[1]
        self.visitor = visitor_of(self.host)
        self._start_waiting()
        self._all.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        self._stall.cancel()
        self._all.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._has_begun = True
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        self._has_begun = False
        self._start_waiting()
        self._all.waiting[self] = None
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """Pause sending until the visitor has read more; cut the connection after a time limit."""
        super().pause_writing()
        self._stall.cancel()
        self._stall = self.loop.call_later(_LONGEST_STALL, self.transport.abort)

    def resume_writing(self) -> None:
        self._stall.cancel()
        super().resume_writing()

    def _start_waiting(self) -> None:
        self._deadline.cancel()
        self._deadline = self.loop.call_later(_LONGEST_HEAD, self._give_up)

    def _look(self) -> None:
        if self.conn.our_state is h11.SEND_RESPONSE:
            self._deadline.cancel()
            self._all.waiting.pop(self, None)

    def _give_up(self) -> None:
        if self._has_begun and self.conn.their_state is h11.IDLE:
            self._end(408, "the request took too long")
        else:
            self.transport.abort()

    def refuse(self, *, is_new: bool) -> None:
        """Close this connection, since there are too many.

        A new connection, or one with a request that has begun, gets the status 503. A connection
        kept open between requests is closed silently, since a browser then opens a new one.
        """
        if self._has_begun or is_new:
            self._end(503, "too many connections; come again later")
        else:
            self._all.waiting.pop(self, None)
            self.transport.abort()

    def _end(self, status: int, sentence: str) -> None:
        """Send a status and a sentence, unless an answer has begun; close the connection."""
        if self.transport.is_closing():
            return
        if self.conn.our_state is h11.IDLE:
            body = f'{{"detail": "{sentence}"}}'.encode()
            headers = [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
            ]
            for event in (h11.Response(status_code=status, headers=headers), h11.Data(data=body)):
                self.transport.write(self.conn.send(event) or b"")
        self._all.waiting.pop(self, None)
        # Data that cannot be sent at once is dropped.
        self.transport.abort()


class RepeatFilter(logging.Filter):
    """A logging filter that passes at most one record a minute of each kind.

    Records of one kind come from the same line of code with the same type of error. A passed record
    says how many of its kind were suppressed since the one before.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged; add the number of suppressed records to its text."""
        error = record.exc_info[0] if record.exc_info else None
        kind = record.name, record.pathname, record.lineno, error
        now = time.monotonic()
        then, left_out = self._kinds.get(kind, (-_QUIET, 0))
        if now - then < _QUIET:
            self._kinds[kind] = then, left_out + 1
            return False
        self._kinds[kind] = now, 0
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out:,} more of this kind since the last)"
            record.args = ()
        return True
