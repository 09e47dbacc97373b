"""A provider that does one thing wrong: `python adversary.py MODE`."""

import json
import os
import subprocess
import sys
import time
from hashlib import sha256
from typing import Any

MODE = sys.argv[1]
CORRELATES = MODE in (
    *("wrong id", "no id", "late", "reversed", "honest correlated", "dies on goodbye"),
    *("twice correlated", "verified beside", "repeats without end"),
)


def say(message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def frame(id: str, content: str = "In the sink.", **members: Any) -> dict[str, Any]:
    data = content.encode()
    return {
        "id": id,
        "kind": "fact",
        "title": "t",
        "content": content,
        "content_digest": "sha256:" + sha256(data).hexdigest(),
        "score": 0.5,
        "token_cost": (len(data) + 3) // 4,
        "citation_label": "sink",
        **members,
    }


def frames(*of: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"type": "frames", "result": {"frames": list(of), "truncated": False}, **members}


def acknowledge() -> None:
    flow: dict[str, Any] = {"reads": True, "writes": False, "egress": False}
    if MODE == "scope lie":
        flow["egress_scopes"] = ["third-party-model"]
    if MODE == "egress":
        flow["egress"] = True
    if MODE == "scopes":
        flow |= {"egress": True, "egress_scopes": ["org-tenant", "teapot:vault"]}
    say(
        {
            "type": "handshake_ack",
            "protocol_version": "contextgraph/2.0" if MODE == "version" else "contextgraph/1.0",
            "provider": {
                "name": " " if MODE == "blank name" else "adversary",
                "version": "1",
                "data_flow": flow,
            },
            "capabilities": {"query": {"kinds": ["fact"]}, "correlation": CORRELATES, "verify": True},
        }
    )


def wait() -> None:
    while True:
        time.sleep(3600)


def tell(word: str) -> None:
    """Let the test know, through the named pipe that it gave."""
    with open(sys.argv[2], "w") as pipe:
        pipe.write(word + "\n")


held: list[dict[str, Any]] = []
if MODE == "dies on its feet":
    os._exit(3)
if MODE == "environment":
    say({"names": sorted(os.environ)})
if MODE in ("child", "silent child"):
    hold = "import sys, time; f = open(sys.argv[1], 'w'); print('runs', file=f, flush=True); time.sleep(3600)"
    subprocess.Popen([sys.executable, "-c", hold, sys.argv[2]])
if MODE in ("silent", "silent child"):
    wait()
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "handshake":
        acknowledge()
        if MODE == "greets twice":
            acknowledge()
            tell("twice")
    elif asked["type"] == "shutdown":
        if MODE == "stays" or MODE == "child":
            wait()
        break
    elif asked["type"] == "verify":
        names = {each["provider_id"] for each in asked["request"]["frames"]}
        status = "valid" if names == {"adversary"} else "unknown"
        of = [{"frame": each, "status": status} for each in asked["request"]["frames"]]
        say({"type": "verified", "response": {"verdicts": of}})
        if MODE == "verified twice":
            say({"type": "verified", "response": {"verdicts": of}})
            tell("twice")
    elif asked["type"] == "query":
        id = {"id": asked["id"]} if "id" in asked else {}
        if MODE == "dies":
            os._exit(3)
        elif MODE == "dies mid-line":
            sys.stdout.write('{"type": "frames", "resu')
            sys.stdout.flush()
            os._exit(3)
        elif MODE == "hangs":
            wait()
        elif MODE == "log line":
            print("INFO ready", flush=True)
        elif MODE == "endless line":
            while True:
                sys.stdout.write("x" * 65536)
        elif MODE == "blank lines":
            sys.stdout.write("\n \n\r\n")
            say(frames(frame("f")))
        elif MODE == "wrong id":
            say(frames(frame("f"), id="q999"))
        elif MODE == "no id":
            say(frames(frame("f")))
        elif MODE == "reversed":
            held.append(frames(frame(asked["query"]["goal"]), **id))
            if len(held) == 2:
                say(held[1])
                say(held[0])
        elif MODE == "late":
            held.append(frames(frame(asked["query"]["goal"]), **id))
            if len(held) == 1:
                tell("heard")
            else:
                say(held[0])
                say(held[1])
        elif MODE in ("twice", "twice correlated"):
            answer = json.dumps(frames(frame(asked["query"]["goal"]), **id)) + "\n"
            sys.stdout.write(answer * 2)
            sys.stdout.flush()
        elif MODE == "twice apart":
            say(frames(frame(asked["query"]["goal"])))
            say(frames(frame(asked["query"]["goal"])))
            tell("twice")
        elif MODE == "begins another":
            sys.stdout.write(json.dumps(frames(frame("f"))) + '\n{"type":')
            sys.stdout.flush()
            tell("begun")
        elif MODE == "verified beside":
            say({"type": "verified", "response": {"verdicts": []}})
            say(frames(frame("f"), **id))
        elif MODE == "repeats without end":
            say(frames(frame("f"), **id))
            while asked["query"]["goal"] == "again":
                say(frames(frame("f"), id="q1"))
        elif MODE == "drips":
            sys.stdout.write('{"type": "frames", ')
            while True:
                sys.stdout.write(" ")
                sys.stdout.flush()
        elif MODE == "chatters":
            while True:
                sys.stdout.write("\n" * 10_000)
        elif MODE == "hears no more":
            sys.stdin.close()
            os.close(0)
            say(frames(frame("f")))
            tell("deaf")
            wait()
        elif MODE == "budget":
            say(frames(frame("f", token_cost=999_999)))
        elif MODE == "flood":
            say(frames(*(frame(str(number), "") for number in range(500))))
        elif MODE == "digest":
            say(frames(frame("good"), frame("bad", content_digest="sha256:" + "0" * 64)))
        elif MODE == "verdict":
            say({"type": "verified", "response": {"verdicts": []}})
        elif MODE == "error":
            say({"type": "error", "code": "unavailable", "message": "locked", **id})
        else:
            say(frames(frame("f"), **id))
