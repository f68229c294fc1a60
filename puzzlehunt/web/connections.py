"""Visitors and their connections: how many there may be, and how long one may keep waiting."""

import asyncio
import socket
import time
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from puzzlehunt.errors import SessionError
from puzzlehunt.system import raise_file_limit

_HERE = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
"""Addresses of proxies on this machine, which are always trusted."""
_MOST_FILES = 10_000
"""Largest number of open files that the server asks the system for."""
_LONGEST_WAIT = 10.0
"""Time for which a connection may keep the server waiting (seconds)."""


def visitor_of(host: str) -> str:
    """Return the name under which the requests from an address are counted.

    It is the address itself, or the /64 network of an IPv6 address, since one visitor usually has
    the whole network.
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:100]
    if not isinstance(address, IPv6Address) or address.is_loopback:
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


def proxies_of(named: Iterable[str]) -> list[str]:
    """Return the proxies whose headers `X-Forwarded-...` are trusted: this machine and those named.

    They are named as addresses, networks or host names. Raises SessionError for an unknown host.
    """
    proxies = [*_HERE]
    for text in named:
        for network in _networks(text):
            proxies.append(str(network))
            if network.version == 4:
                # As a server that listens on :: sees it.
                proxies.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return proxies


def _networks(text: str) -> list[IPv4Network | IPv6Network]:
    """Return the networks of an address, a network or a host name. Raises SessionError."""
    try:
        return [ip_network(text, strict=False)]
    except ValueError:
        pass
    try:
        found = socket.getaddrinfo(text, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        problem = "no address, no network such as 172.18.0.0/16, and no host that is known here"
        raise SessionError(f"--proxy {text}: {problem}") from None
    return [ip_network(str(one[4][0]).partition("%")[0]) for one in found]


def most_connections() -> int:
    """Return how many connections may be open: half of the files that the process may open.

    The limit of open files is raised before, if that is allowed.
    """
    return min(4_000, max(16, raise_file_limit(_MOST_FILES) // 2))


class Connections:
    """The connections of a server, which are cut if they keep it waiting.

    A connection keeps the server waiting for the head or the body of a request, or by not reading
    an answer. uvicorn itself would wait for ever.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waits: dict[H11Protocol, tuple[object, float]] = {}
        """What the server waits for on each connection, and since when; the longest wait first."""

    def connect(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> H11Protocol:  # fmt: skip
        """Return a new connection, for which the longest waiting one is cut if there are too many.

        The parameters are those of uvicorn's own class.
        """
        known = server_state.connections
        if len(known) >= self._most:
            waiting = (one for one in self._waits if one in known and _awaited(one) is not None)
            if (oldest := next(waiting, None)) is not None:
                del self._waits[oldest]
                oldest.transport.abort()
        made = H11Protocol(config, server_state, app_state, _loop)
        self._waits[made] = None, time.monotonic()
        return made

    def cut(self, connections: Iterable[Any]) -> None:
        """Cut those of all connections that have kept the server waiting for too long."""
        now, waits = time.monotonic(), dict[H11Protocol, tuple[object, float]]()
        for one in connections:
            what, since = self._waits.get(one, (None, now))
            awaited = _awaited(one)
            if awaited is not None:
                waits[one] = awaited, since if what in (None, awaited) else now
        self._waits = dict(sorted(waits.items(), key=lambda wait: wait[1][1]))
        for one, (_, since) in waits.items():
            if now - since > _LONGEST_WAIT:
                one.transport.abort()


def _awaited(connection: Any) -> object:
    """Return what the server waits for on a connection, None if it waits for nothing.

    The value changes with every request, and as soon as the visitor has read something.
    """
    request, unread = connection.cycle, connection.transport.get_write_buffer_size()
    is_asked = request is not None and not request.response_complete and not request.more_body
    return None if is_asked and not unread else (request, unread)
