# Kurant as a container: docker build -t kurant . && docker run -p 8000:8000 -v kurant:/data kurant
# The built client is the same for every processor, so it is built without emulation.
FROM --platform=$BUILDPLATFORM denoland/deno:debian-2.9.6 AS build
ENV DENO_DIR=/deno-dir DENO_NO_UPDATE_CHECK=1
WORKDIR /app
COPY . .
# Fetches all packages that deno.lock names, including those that are loaded only on demand.
RUN deno task build && deno install --frozen --entrypoint main.ts && mkdir /data

FROM denoland/deno:debian-2.9.6
LABEL org.opencontainers.image.title="Kurant" org.opencontainers.image.licenses="MIT"
ENV DENO_DIR=/deno-dir DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 \
  HOST=0.0.0.0 PORT=8000 DATA_DIR=/data LOG_FORMAT=json
WORKDIR /app
COPY --from=build --chown=deno:deno /deno-dir /deno-dir
COPY --from=build /app/deno.json /app/deno.lock /app/main.ts /app/LICENSE ./
COPY --from=build /app/src src
COPY --from=build /app/dist dist
COPY --from=build --chown=deno:deno /data /data
USER deno
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["deno", "eval", "Deno.exit((await fetch(`http://127.0.0.1:${Deno.env.get('PORT')}/readyz`)).ok ? 0 : 1)"]
# The task forwards SIGTERM. The server waits up to 10 s for running requests.
STOPSIGNAL SIGTERM
ENTRYPOINT ["deno", "task", "--quiet", "kurant"]
CMD ["serve"]
