"""Where the server listens."""

from __future__ import annotations

import errno
import socket

from ...errors import InvalidInput


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets on every address of a host, one port for all of them. Raises `InvalidInput` where none is to be had."""
    where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        found = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError):
        raise InvalidInput(f"--host {host}: no such address; give one of this machine's") from None
    sockets: list[socket.socket] = []
    for family, _, _, _, address in dict.fromkeys(found):
        if sockets and port == 0:  # the one the first was given
            address = (address[0], sockets[0].getsockname()[1], *address[2:])
        try:
            sockets.append(_bound(family, address))
        except OSError as problem:
            if problem.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT) and len(found) > 1:
                continue  # such as ::1 of a localhost without IPv6
            for each in sockets:
                each.close()
            raise InvalidInput(_why(problem, where)) from None
    if not sockets:
        raise InvalidInput(f"--host {host}: this machine has no such address")
    return sockets


def url(listening: socket.socket, host: str, *, tls: bool) -> str:
    """What a host of the protocol is given."""
    shown = f"[{host}]" if ":" in host else host
    return f"http{'s' if tls else ''}://{shown}:{listening.getsockname()[1]}/"


def _bound(family: int, address: tuple[object, ...]) -> socket.socket:
    # With the protocol named asyncio knows it for TCP, and has answers sent without a wait for more (TCP_NODELAY).
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind(address)
        made.setblocking(False)
    except BaseException:
        made.close()
        raise
    return made


def _why(problem: OSError, where: str) -> str:
    match problem.errno:
        case errno.EADDRINUSE:
            return f"{where} is in use by another program; choose another --port, or stop that one"
        case errno.EACCES:
            return f"{where}: this user may not listen there; choose a --port from 1024 up"
        case errno.EADDRNOTAVAIL:
            return f"{where}: this machine has no such address; choose another --host"
    return f"{where}: cannot listen there: {problem.strerror or problem}"
