"""Random histories, compared with the slow model at every edge of both clocks."""

import anyio
from hypothesis import HealthCheck, given, settings

from memory_provider import Memory
from tests.support.comparing import assert_same_answers
from tests.support.histories import Step, Writer, histories


@given(histories())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_history_answers_as_its_replay_does(history: list[Step]) -> None:
    async def main() -> None:
        async with Memory.open("memory:", scope="model") as memory:
            writer = Writer(memory)
            await writer.begin()
            for step in history:
                await writer.take(step)
            await assert_same_answers(writer)

    anyio.run(main)
