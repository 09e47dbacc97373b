"""A write that has returned is on the disk.

Killing a process proves nothing here: the kernel keeps what it wrote. So the system calls are watched: between a
transaction's last write to the log and the acknowledgement there is a sync of the log.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WRITES = """
import os, sys, anyio
from memory_provider.store.opening import store_at
from memory_provider.store.conformance.rows import fact, put, second, text
from memory_provider.store.sqlite import connection

if len(sys.argv) > 2:
    connection.PRAGMAS["synchronous"] = {"OFF": (0, "OFF"), "NORMAL": (1, "NORMAL")}[sys.argv[2]]

async def main():
    store = store_at(f"sqlite:///{sys.argv[1]}")
    await store.open()
    for number in range(1, 6):
        await put(store, "s", second(number), fact(f"Ann {number}", "likes", text("tea"), second(number)))
        os.write(2, b"acknowledged")
    await store.close()

anyio.run(main)
"""

CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((\d+)<([^>]*)>(.*)$")


def traced(file: Path, *setting: str) -> list[bool]:
    """For each acknowledged write: whether the log was synced after it was last written to."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace, which watches the system calls, is not installed")
    log = file.with_suffix(".strace")
    calls = "trace=write,pwrite64,fsync,fdatasync"
    run = subprocess.run(
        [strace, "-f", "-y", "-e", calls, "-o", str(log), sys.executable, "-c", WRITES, str(file), *setting],
        capture_output=True,
        timeout=120,
        check=False,
    )
    if run.returncode and b"ptrace" in run.stderr:
        pytest.skip("this machine does not let strace watch a process")
    assert run.returncode == 0, run.stderr.decode()
    synced: list[bool] = []
    dirty = written = False
    for line in log.read_text().splitlines():
        match = CALL.match(line)
        if match is None:
            continue
        call, _, target, rest = match.groups()
        if target.endswith("-wal"):
            if call == "pwrite64":
                dirty = written = True
            elif call in ("fsync", "fdatasync"):
                dirty = False
        elif call == "write" and "acknowledged" in rest:
            assert written, "an acknowledgement without any write to the log"
            synced.append(not dirty)
            written = False
    return synced


def test_every_acknowledged_write_was_synced(file: Path) -> None:
    assert traced(file) == [True] * 5


@pytest.mark.parametrize("setting", ["OFF", "NORMAL"])
def test_the_test_sees_a_setting_that_is_not_durable(file: Path, setting: str) -> None:
    assert not all(traced(file, setting))
