"""A provider built on another project's SDK: `python sdk_provider.py stdio`, or `http`, which prints its port.

What it says is written here; how it speaks the protocol is that project's.
"""

import sys
from hashlib import sha256
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from contextgraph_sdk import ProviderError, budget_tokens, make_wsgi_app, run_stdio_provider

NOTES = {
    "note:1": "The kettle was descaled in March — it whistles at noon.",
    "note:2": "Tea needs a kettle; コーヒー does not.",
}


def digest(text: str) -> str:
    return "sha256:" + sha256(text.encode()).hexdigest()


class Notes:
    """Two notes about a kettle."""

    def info(self) -> dict[str, Any]:
        flow = {"reads": True, "writes": False, "egress": False, "egress_scopes": ["local-only"]}
        return {"name": "kettle-notes", "version": "1.2.3", "data_flow": flow}

    def capabilities(self) -> dict[str, Any]:
        return {
            "query": {"kinds": ["doc"]},
            "correlation": True,
            "verify": True,
            "embeddings_fingerprint": "kettle/2",
        }

    def query(self, query: dict[str, Any]) -> dict[str, Any]:
        if len(query.get("embedding") or [0, 0]) != 2:
            raise ProviderError("an embedding has 2 numbers", "bad_request")
        frames: list[dict[str, Any]] = []
        left = query["max_tokens"]
        for id, content in list(NOTES.items())[: query["max_frames"]]:
            cost = budget_tokens(content)
            if cost > left:
                continue
            left -= cost
            frames.append(
                {
                    "id": id,
                    "kind": "doc",
                    "title": id,
                    "content": content,
                    "content_digest": digest(content),
                    "score": 0.5,
                    "token_cost": cost,
                    "citation_label": f"kettle notes, {id}",
                    "relations": [],
                    "provenance": [],
                }
            )
        return {"frames": frames, "truncated": len(frames) < len(NOTES)}

    def verify(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"verdicts": [self.verdict(frame) for frame in request["frames"]]}

    def verdict(self, frame: dict[str, Any]) -> dict[str, Any]:
        content = NOTES.get(frame["frame_id"])
        if frame["provider_id"] != "kettle-notes" or content is None:
            return {"frame": frame, "status": "unknown"}
        if frame.get("content_digest") == digest(content):
            return {"frame": frame, "status": "valid"}
        return {"frame": frame, "status": "stale", "replacement_digest": digest(content)}


class Quiet(WSGIRequestHandler):
    """Without a line for each request."""

    def log_message(self, format: str, *args: Any) -> None:
        return


def main() -> None:
    """Serve until the host has gone."""
    if sys.argv[1] == "stdio":
        run_stdio_provider(Notes())
    else:
        with make_server("127.0.0.1", 0, make_wsgi_app(Notes()), handler_class=Quiet) as server:
            print(server.server_port, flush=True)
            server.serve_forever()


if __name__ == "__main__":
    main()
