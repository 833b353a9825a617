# Two images from one workspace:
#   docker build --target server -t roundhouse-server .
#   docker build --target operator -t roundhouse-operator .
# With a published version of the package, `npm install --omit=optional roundhouse` takes the place of the first stage.

FROM node:22-slim AS base

# Installs, builds and packs as for a release. Only the tarballs reach an image.
FROM base AS pack
WORKDIR /build
ENV CI=1
COPY . .
RUN --mount=type=cache,target=/root/.local/share/pnpm/store \
    node scripts/pack.mjs /tarballs/server roundhouse @roundhouse/contract @roundhouse/math @roundhouse/fair @roundhouse/wallet-check \
    && node scripts/pack.mjs /tarballs/operator @roundhouse/operator @roundhouse/contract @roundhouse/wallet-check

# The reference operator. It brings its own schema up to date when it starts.
FROM base AS operator
WORKDIR /app
RUN --mount=type=bind,from=pack,source=/tarballs/operator,target=/tarballs \
    npm install --omit=optional --no-audit --no-fund --cache /tmp/npm /tarballs/*.tgz && rm -r /tmp/npm
ENV NODE_ENV=production ROUNDHOUSE_OPERATOR_LISTEN_HOST=0.0.0.0 ROUNDHOUSE_OPERATOR_LISTEN_PORT=4001
USER node
EXPOSE 4001
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ROUNDHOUSE_OPERATOR_LISTEN_PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "node_modules/@roundhouse/operator/bin/operator.js"]

# The `roundhouse` command. It serves by default, with one worker for each core but one; every other command is an argument.
# /games has the demo slot: mount other games below it. /data keeps the indexed books; when they are missing, the server indexes them again.
FROM base AS server
WORKDIR /app
RUN --mount=type=bind,from=pack,source=/tarballs/server,target=/tarballs \
    npm install --omit=optional --no-audit --no-fund --cache /tmp/npm /tarballs/*.tgz && rm -r /tmp/npm \
    && mkdir /games && cp -r node_modules/roundhouse/pages/demo-slot /games/aurora-line \
    && mkdir /data && chown node:node /data
ENV NODE_ENV=production ROUNDHOUSE_LISTEN_HOST=0.0.0.0 ROUNDHOUSE_LISTEN_PORT=4000
ENV ROUNDHOUSE_GAMES=/games ROUNDHOUSE_DATA=/data ROUNDHOUSE_DRAIN_SECONDS=5
USER node
EXPOSE 4000
# The first start indexes the books of every game, which takes minutes for a large one.
HEALTHCHECK --interval=10s --timeout=3s --start-period=300s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ROUNDHOUSE_LISTEN_PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "node_modules/roundhouse/bin/roundhouse.js"]
CMD ["serve"]
