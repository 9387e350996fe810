# The service as an image: docker build -t frames .
# Images are pinned by version, the one that the tests run on. For the same bytes at every build, add the digest that
# "docker buildx imagetools inspect node:20.20.2-bookworm-slim" shows.

FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-fund --no-audit
COPY tsconfig.json ./
COPY src ./src
RUN npx tsc

FROM node:20.20.2-bookworm-slim
# In a container, the port is published or not from outside.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 OPS_PORT=3001 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-fund --no-audit && npm cache clean --force && install -d -o node -g node /data
COPY --from=build /app/dist/src ./dist/src
COPY openapi.yaml ./
COPY sql ./sql
COPY migrations ./migrations
COPY fixtures ./fixtures

# By number, so that an orchestrator can see that it is not root. It owns nothing here but /data.
USER 1000:1000
EXPOSE 3000
# The operators' port is not exposed; the check asks it from inside.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# No init: "serve" listens for SIGTERM itself, which process 1 must, and starts no processes that it would have to bury.
STOPSIGNAL SIGTERM
# V8 waits until its heap of old objects has doubled before it looks for dead ones: at a seventh more, a busy "serve" keeps the
# memory that it began with, at the same rate.
ENTRYPOINT ["node", "--enable-source-maps", "--heap-growing-percent=15", "dist/src/main.js"]
CMD ["serve"]
