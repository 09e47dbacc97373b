"""A provider that answers with bytes from files: `python replay.py ACK ANSWER`."""

import json
import sys
from pathlib import Path

ack, answer = (Path(name).read_bytes() for name in sys.argv[1:3])
for line in sys.stdin:
    type = json.loads(line)["type"]
    if type == "shutdown":
        break
    sys.stdout.buffer.write((ack if type == "handshake" else answer).rstrip(b"\n") + b"\n")
    sys.stdout.flush()
