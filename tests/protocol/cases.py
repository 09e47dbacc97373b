"""The authored wire cases, as the bytes that they stand for."""

import base64
import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data/protocol"
CASES: list[dict[str, Any]] = json.loads((DATA / "wire_cases.json").read_bytes())["cases"]


def raw(case: dict[str, Any]) -> bytes:
    if "raw_base64" in case:
        return base64.b64decode(case["raw_base64"])
    if "raw_recipe" in case:
        recipe = case["raw_recipe"]
        depth = recipe["depth"]
        text: str = recipe["prefix"] + recipe["open"] * depth + recipe["close"] * depth + recipe["suffix"]
        return text.encode()
    return json.dumps(case["message"]).encode() + b"\n"
