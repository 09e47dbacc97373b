"""A provider that does not want to end, and says how far it got: `python clinging.py STAGE PIPE`.

It ignores every signal that can be ignored, the end of its input too, and has a child in its process group. At the
stage `escaped` there is another child, which has left the group and holds the pipes to the host.
"""

import json
import os
import signal
import subprocess
import sys
import time

STAGE, PIPE = sys.argv[1:]
FLOW = {"reads": True, "writes": False, "egress": False}
ACK = {
    "type": "handshake_ack",
    "protocol_version": "contextgraph/1.0",
    "provider": {"name": "clinging", "version": "1", "data_flow": FLOW},
    "capabilities": {"query": {"kinds": ["fact"]}, "correlation": STAGE == "several"},
}
HOLD_ON = """
import signal, time
for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(each, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(3600)
"""


def tell() -> None:
    with open(PIPE, "w") as pipe:
        print(os.getpid(), *(child.pid for child in children), file=pipe)


def hold_on() -> None:
    tell()
    while True:
        time.sleep(3600)


def child(**options: bool) -> subprocess.Popen[bytes]:
    """It is ready when it says so, on a pipe of its own."""
    reads, writes = os.pipe()
    started = subprocess.Popen([sys.executable, "-c", HOLD_ON], stdout=writes, pass_fds=(0, 1), **options)
    os.close(writes)
    os.read(reads, 100)
    return started


for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(each, signal.SIG_IGN)
children = [child()]
if STAGE == "escaped":
    children.append(child(start_new_session=True))
if STAGE == "started":
    hold_on()
asked = 0
for line in sys.stdin:
    type = json.loads(line)["type"]
    if type == "handshake":
        print(json.dumps(ACK), flush=True)
        if STAGE == "deaf":
            hold_on()
    elif type == "query":
        asked += 1
        if STAGE == "half an answer":
            print('{"type": "frames", "result": {"fra', end="", flush=True)
        if STAGE != "several" or asked == 3:
            hold_on()
while True:
    time.sleep(3600)
