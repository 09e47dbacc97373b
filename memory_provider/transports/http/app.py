"""The routes: the protocol at `/`, and what those who run the server ask."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...access import Right
from ...provider import Provider
from ..reaching import Reach
from .answering import Answering
from .authorization import Authorization, Refused
from .binding import Binding, refusal
from .bodies import Bodies
from .health import Health
from .limits import Limits
from .metrics import Metrics


def make_app(
    provider: Provider, reach: Reach, authorization: Authorization, limits: Limits | None = None
) -> Starlette:
    """The whole server as an ASGI application; its lifespan opens the store and lets go of it."""
    limits = limits or Limits()
    metrics = Metrics()
    health = Health(reach, metrics)
    answering = Answering(provider, reach, limits)
    binding = Binding(answering, authorization, Bodies(limits), metrics)

    async def show_metrics(request: Request) -> Response:
        try:
            principal = authorization.admit(request.headers)
            if principal is not None and not principal.may(Right.ADMIN):
                raise Refused(403, "right", "the metrics take the right to admin, which is not granted")
        except Refused as refused:
            metrics.refused(refused.why)
            return refusal(refused)
        return metrics.show(request)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with answering.running():
            yield

    app = Starlette(
        routes=[
            Route("/", binding, methods=["POST"]),
            Route("/healthz", health.healthz),
            Route("/readyz", health.readyz),
            Route("/metrics", show_metrics),
        ],
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # the binding knows no redirect
    return app
