"""The protocol's binding to HTTP: a POST to the one address, an envelope in its body, an envelope in the answer's.

Every answer of the provider has status 200, errors too: a host does not read the envelope of any other status. Where
no answer is due the status is 204. A peer that may not ask at all gets 401 or 403 and no envelope. Never a redirect.
"""

from __future__ import annotations

import logging

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from ...access import Principal
from ...protocol import BAD_REQUEST, INTERNAL, UNAVAILABLE, Error, encode
from .answering import Answering
from .authorization import Authorization, Refused
from .bodies import Bodies, Gone, Unreadable
from .metrics import Metrics

CODES = {"large": BAD_REQUEST, "slow": BAD_REQUEST, "busy": UNAVAILABLE}
"""Why a body was not taken -> the code that its sender hears."""


class Binding:
    """The ASGI application at the one address."""

    def __init__(
        self, answering: Answering, authorization: Authorization, bodies: Bodies, metrics: Metrics
    ) -> None:
        self._answering = answering
        self._authorization = authorization
        self._bodies = bodies
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = Headers(scope=scope)
        try:
            principal = self._authorization.admit(headers)
            body = await self._bodies.read(headers, receive)
        except Refused as refused:
            self._metrics.refused(refused.why)
            response: Response = refusal(refused)
        except Unreadable as unreadable:
            self._metrics.refused(unreadable.why)
            # What is left of the body is not read, so nothing more can be asked on this connection.
            response = envelope(Error(code=CODES[unreadable.why], message=str(unreadable)), close=True)
        except Gone:
            return
        else:
            response = await self._answered(body, principal)
        await response(scope, receive, send)

    async def _answered(self, body: bytes, principal: Principal | None) -> Response:
        with self._metrics.in_hand() as began:
            try:
                settled = await self._answering.settle(await self._answering.receive(body, principal))
                data = await self._answering.to_bytes(settled)
            except (
                Exception
            ) as problem:  # nothing that a peer sends may be answered with anything but an envelope
                logging.getLogger("memory_provider").error("a request failed", exc_info=problem)
                error = Error(
                    code=INTERNAL, message="something went wrong inside; the provider's log says what"
                )
                self._metrics.answered(error, began)
                return envelope(error)
            self._metrics.answered(settled.answer, began)
        return Response(status_code=204) if data is None else Response(data, media_type="application/json")


def envelope(error: Error, *, close: bool = False) -> Response:
    """An error as an answer."""
    return Response(
        encode(error), media_type="application/json", headers={"connection": "close"} if close else None
    )


def refusal(refused: Refused) -> Response:
    """The answer to who may not ask."""
    challenge = {"www-authenticate": refused.challenge} if refused.challenge else None
    return PlainTextResponse(f"{refused}\n", refused.status, challenge)
