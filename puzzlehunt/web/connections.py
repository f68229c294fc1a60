"""Visitors and their connections: how many there may be, and how long each may take."""

import asyncio
import logging
import resource
import socket
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from puzzlehunt.errors import SessionError

_HERE = ("127.0.0.1", "::1")
"""Proxies on this machine."""
_MOST_FILES = 10_000
"""More files than this the server does not ask the system for."""
_LONGEST_HEAD = 10.0
"""How long the head of a request may take to come, and what is left of one refused (seconds)."""
_LONGEST_STALL = 30.0
"""How long a visitor may take nothing of an answer that is sent (seconds)."""
_QUIET = 60.0
"""How long records of a kind are suppressed after one was logged (seconds)."""


# Visitors.


def plain_address(host: str) -> str:
    """Return an IPv4 address that is mapped into IPv6 as IPv4; other texts unchanged."""
    try:
        mapped = IPv6Address(host).ipv4_mapped
    except ValueError:
        return host
    return host if mapped is None else str(mapped)


def visitor_of(host: str) -> str:
    """Return the visitor that an address counts as.

    For IPv6 that is the network of 64 bits, which a single visitor usually has.
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
        """Take addresses, networks, and names of hosts. Raises SessionError for an unknown name."""
        self.addresses = [*_HERE, *(one for text in named for one in _addresses(text))]
        self._networks = [ip_network(one) for one in self.addresses]

    def __contains__(self, host: str) -> bool:
        """Whether an address is that of a proxy."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _addresses(text: str) -> list[str]:
    """Return the addresses that an address, a network or a name means. Raises SessionError."""
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
    """Limits on open connections and boards, so that the process never runs out of files.

    `connections`: in all; `a_visitor`: connections, or requests, of one visitor; `followers`: pages
    that follow boards; `boards`: those whose files are kept open; `backlog`: connections that are
    taken in at a time.
    """

    connections: int
    a_visitor: int
    followers: int
    boards: int
    backlog: int

    @classmethod
    def of_files(cls, files: int) -> "ConnectionLimits":
        """Return the limits of a process that may open so many files.

        A half is for connections, an eighth for boards, an eighth for connections that come just
        now; the rest is the server's own.
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
        """Raise the limit of open files as far as allowed; return the limits of this process."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < most:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
                soft = most
        return cls.of_files(_MOST_FILES if soft == resource.RLIM_INFINITY else soft)


class Connections:
    """The open connections; those that wait for a request are closed to make room."""

    def __init__(self, limits: ConnectionLimits, proxies: Proxies) -> None:
        self._limits = limits
        self._proxies = proxies
        self._counts: Counter[str] = Counter()
        self.waiting: dict[Connection, None] = {}
        """Connections without a request, the one that has waited longest first."""

    def add(self, connection: "Connection") -> None:
        """Register a new connection; if there are too many, close one that waits for a request.

        It is one of the same visitor if that visitor has too many. A proxy has no limit of its own,
        because it carries many visitors.
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

    uvicorn itself would wait for the head of a request for ever.
    """

    def __init__(
        self, connections: Connections, config: Config, server_state: ServerState,
        app_state: dict[str, Any], _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:  # fmt: skip
        super().__init__(config, server_state, app_state, _loop)
        self._all = connections
        # Timers that do nothing, until there are others.
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
        """Wait until the visitor has read what was sent, up to a time limit."""
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
        """End a connection, since there are too many.

        A connection kept open between requests is closed silently: a browser then opens a new one.
        """
        if self._has_begun or is_new:
            self._end(503, "too many connections; come again later")
        else:
            self._all.waiting.pop(self, None)
            self.transport.abort()

    def _end(self, status: int, sentence: str) -> None:
        """Answer a connection that waits for a request, and close it."""
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
        # What cannot be sent at once is not waited for.
        self.transport.abort()


class RepeatFilter(logging.Filter):
    """Passes one log record a minute of each kind, with the number of those suppressed since.

    A kind is the line of code that logs, and the type of the error.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
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
