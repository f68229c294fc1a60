"""Visitors: who counts as one, which proxies tell of others, and how often each may come."""

import socket
import time
from collections import OrderedDict
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network

from puzzlehunt.errors import SessionError

_MOST_VISITORS = 10_000
_HERE = ("127.0.0.1", "::1")
"""Proxies on this machine."""


def plain_address(host: str) -> str:
    """Return an address of IPv4 as such, also where IPv6 carries it; other texts as they are."""
    try:
        mapped = IPv6Address(host).ipv4_mapped
    except ValueError:
        return host
    return host if mapped is None else str(mapped)


def visitor_of(host: str) -> str:
    """Return the visitor that an address counts as.

    Of IPv6 that is the network of 64 bits: everybody has a whole one.
    """
    try:
        address = ip_address(plain_address(host).partition("%")[0])
    except ValueError:
        return host[:100]
    if not isinstance(address, IPv6Address) or address.is_loopback:
        return str(address)
    return str(ip_network((address, 64), strict=False))


class Proxies:
    """The proxies that say by `X-Forwarded-For` and `-Proto` who comes by them, and how."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        """Take addresses, networks such as 172.18.0.0/16, and names of hosts.

        Raises SessionError for a name that no address is known of.
        """
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
        raise SessionError(
            f"--proxy {text}: no address, no network such as 172.18.0.0/16, and no host that is "
            "known here"
        ) from None
    return sorted({str(one[4][0]).partition("%")[0] for one in found})


class Rates:
    """How many requests a minute each visitor has left; what is not used up adds up to a minute."""

    def __init__(self, a_minute: int) -> None:
        self._a_minute = a_minute
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """What a visitor had left (requests) at some time (seconds, monotonic)."""

    def left(self, visitor: str) -> float:
        """Return how many requests a visitor has left."""
        now, most = time.monotonic(), float(self._a_minute)
        left, then = self._left.get(visitor, (most, now))
        return min(most, left + (now - then) * self._a_minute / 60)

    def take(self, visitor: str) -> bool:
        """Take one request; return whether there was one left. 0 a minute sets no limit."""
        if not self._a_minute:
            return True
        now, left = time.monotonic(), self.left(visitor)
        self._left.pop(visitor, None)
        self._left[visitor] = (max(left - 1, 0.0), now)
        while len(self._left) > _MOST_VISITORS:
            self._left.popitem(last=False)
        return left >= 1
