FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 memory
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels
USER memory
WORKDIR /home/memory
ENTRYPOINT ["memory-provider"]
CMD ["serve", "stdio"]
