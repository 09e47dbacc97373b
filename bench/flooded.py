"""A host in a process of its own that asks one provider again and again: `python -m bench.flooded PROVIDER TIMES`.

PROVIDER is an address, or else a mode of flooder.py. Prints what became of each question, and the memory of the process
before the first and at its peak, in bytes.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from pathlib import Path

import anyio

from memory_provider.host import Channel, Grantor, Host, HttpChannel, Ledger, Pin, Record, StdioChannel
from memory_provider.protocol import ContextQuery, HandshakeAck

FLOODER = str(Path(__file__).with_name("flooder.py"))
ID = "flooder"
QUERY = ContextQuery(goal="where is the kettle", max_frames=8, max_tokens=10_000_000)
SECONDS = 0.5
"""How long an answer that never ends is read before the question is cancelled."""


class Granted:
    """Consent to whoever was greeted."""

    def __init__(self) -> None:
        self._ledger = Ledger()

    def grant(self, ack: HandshakeAck) -> None:
        """From now on."""
        record = Record(ID, Pin.of(ack), Grantor("policy", "bench"), "1970-01-01T00:00:00Z")
        self._ledger = self._ledger.grant(record)

    def ledger(self) -> Ledger:
        """What was granted."""
        return self._ledger


def channel(provider: str) -> Channel:
    """The way to it."""
    if provider.startswith("http:"):
        return HttpChannel(ID, provider)
    return StdioChannel(ID, [sys.executable, FLOODER, provider], grace=0.1)


async def main(provider: str, times: int) -> None:
    """Greet it, and ask so many times."""
    became, consents = [], Granted()
    async with Host(consents=consents) as host:
        host.add(ID, channel(provider))
        greeted = (await host.greet())[ID]
        if not isinstance(greeted, HandshakeAck):
            raise greeted
        consents.grant(greeted)
        before = memory("VmRSS")
        for _ in range(times):
            outcome = "cancelled"
            with anyio.move_on_after(SECONDS if "blank" in provider else None):
                [answered] = await host.query(QUERY)
                outcome = type(getattr(answered, "error", answered)).__name__
            became.append(outcome)
    print(json.dumps({"became": became, "before": before, "peak": memory("VmHWM")}))


def memory(name: str) -> int:
    """`VmRSS`, what the process has now, or `VmHWM`, the most it ever had."""
    found = re.search(rf"^{name}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found, name
    return int(found[1]) * 1024


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    anyio.run(main, sys.argv[1], int(sys.argv[2]))
