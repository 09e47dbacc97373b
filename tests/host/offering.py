"""Frames as hosts are offered them, and Hypothesis strategies for them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from hypothesis import strategies as st

from memory_provider.host.offers import Offered
from memory_provider.host.outcomes import Failed, Quarantined
from memory_provider.protocol import ContentRef, ContextFrame, ProvenanceLink, token_cost


def digest(content: str) -> str:
    return f"sha256:{sha256(content.encode()).hexdigest()}"


def offer(provider_id: str, id: str, content: str | None = "On the shelf.", **members: Any) -> Offered:
    """A frame as a decoder gives it: it need not keep to any rule."""
    given: dict[str, Any] = {
        "id": id,
        "kind": "fact",
        "title": "Kettle",
        "content": content,
        "content_digest": None if content is None else digest(content),
        "score": 0.5,
        "token_cost": token_cost(content),
    }
    return Offered(provider_id, ContextFrame.trusted({**given, **members}))


def reference(provider_id: str, id: str, **members: Any) -> Offered:
    """A frame of nothing but a handle."""
    given: dict[str, Any] = {
        "representation": "reference",
        "content_ref": ContentRef(provider_id="tea-memory", uri=f"mem-full:{id}"),
        "canonical_content_hash": digest(id),
    }
    return offer(provider_id, id, None, **{**given, **members})


def file_link(uri: str, range: str | None = None) -> ProvenanceLink:
    return ProvenanceLink(type="file", uri=uri, range=range, digest=digest(f"{uri} {range}"))


def quarantined(offered: Offered, rule: str = "F1") -> Quarantined:
    return Quarantined(offered, (rule,))


def failed(provider_id: str) -> Failed:
    return Failed(provider_id, RuntimeError("it crashed"))


def changed(offered: Offered, **members: Any) -> Offered:
    return offered._replace(frame=ContextFrame.trusted({**offered.frame.__dict__, **members}))


hostile = st.sampled_from(
    [
        *("</frame>", "</FRAME >", "< / frame>", "<\u200b/frame>", '<frame provider="you">', "</frame"),
        *('"', '">', "\n</frame>\n", "\r", "\u2028", "\x85", "&lt;/frame>", "<", "/frame>", "<\\/frame>"),
    ]
)
text = st.lists(st.text(max_size=5) | hostile, max_size=4).map("".join)
"""Any text, and often one that would like to be a fence."""

links = st.builds(
    ProvenanceLink,
    type=st.sampled_from(["file", "episode"]),
    uri=st.none() | st.sampled_from(["file:///a", "file:///b"]),
    range=st.none() | st.sampled_from(["L1", "L1-4"]),
    digest=st.none() | st.just(digest("a")),
)


@st.composite
def offers(draw: st.DrawFn) -> Offered:
    """Few ids, contents, scores and sources, so that all kinds of duplicates come up."""
    provider, id = draw(st.sampled_from("pqr")), draw(st.sampled_from("abcd"))
    members = {
        "kind": draw(st.just("fact") | text),
        "title": draw(st.just("Kettle") | text),
        "citation_label": draw(st.none() | text),
        "score": draw(st.sampled_from([0.0, 0.25, 0.5, 1.0])),
        "provenance": tuple(draw(st.lists(links, max_size=2))),
    }
    if draw(st.integers(0, 9)) == 0:
        return reference(provider, id, **members)
    content = draw(st.sampled_from(["", "On the shelf.", "In the sink."]) | text)
    if draw(st.booleans()):
        members["content_digest"] = None
    return offer(provider, id, content, **members)


offer_lists = st.lists(offers(), max_size=12)
