FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 memory && install --directory --owner memory --mode 700 /home/memory/access
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/*.whl)[http,attestation,tokens]" && rm -r /wheels
USER memory
WORKDIR /home/memory
EXPOSE 8080
ENTRYPOINT ["memory-provider"]
CMD ["serve", "stdio"]
