"""What only this machine can reach, told from a host's name alone: nothing is looked up."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address


def is_loopback(host: str) -> bool:
    """`localhost` in any case, 127.0.0.0/8 and ::1. A name that merely resolves to one is not trusted to stay so."""
    if host.lower() == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_loopback
