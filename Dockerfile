# The service as an image: docker build -t frames .
# Images are pinned to the version that the tests use. To get the same bytes at every build, add the digest from
# "docker buildx imagetools inspect node:24.21.0-bookworm-slim".

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-fund --no-audit
COPY tsconfig.json ./
COPY src ./src
RUN npx tsc

FROM node:24.21.0-bookworm-slim
# The container listens on all its addresses; publishing decides who reaches it.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 OPS_PORT=3001 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-fund --no-audit && npm cache clean --force && install -d -o node -g node /data
COPY --from=build /app/dist/src ./dist/src
COPY openapi.yaml ./
COPY docs ./docs
COPY src/app/browser ./src/app/browser
COPY src/core/limits/buckets.lua ./src/core/limits/
COPY sql ./sql
COPY migrations ./migrations
COPY fixtures ./fixtures

# A number lets an orchestrator see that the user is not root. The user owns only /data.
USER 1000:1000
EXPOSE 3000
# The operators' port is not exposed; the health check runs inside.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# No init is needed: "serve" handles SIGTERM itself, as process 1 must, and starts no other process.
STOPSIGNAL SIGTERM
# By default V8 collects old objects once their heap has doubled. With 15 % growth a busy "serve" stays at 140 MiB instead
# of 196, at the same rate (test/bench/README.md).
ENTRYPOINT ["node", "--enable-source-maps", "--heap-growing-percent=15", "dist/src/main.js"]
CMD ["serve"]
