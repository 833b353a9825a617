# Two images from one workspace:
#   docker build --target server -t roundhouse-server .
#   docker build --target operator -t roundhouse-operator .
# scripts/dockerfile.test.mjs performs these steps in a clean folder, without a container engine. For that a RUN names paths
# that are relative to its WORKDIR, and a file goes from stage to stage by COPY.

FROM node:22-slim AS base

# The workspace with what building needs. Nothing of it but what a later COPY takes reaches an image.
FROM base AS workspace
WORKDIR /build
ENV CI=1 TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
COPY package.json ./
RUN npm install --global "$(node -p 'require("./package.json").packageManager')"
COPY . .
RUN --mount=type=cache,target=/root/.local/share/pnpm/store \
    pnpm install --frozen-lockfile --filter roundhouse --filter @roundhouse/server... --filter @roundhouse/operator... --filter @roundhouse/demo-slot...

# Production dependencies only, and not the optional one, which is the embedded PostgreSQL of local work (59 MB). Then out goes what no
# running process reads: sources, types, source maps, the query compilers for other databases (87 MB). 50 MB stay.
FROM workspace AS server-build
RUN pnpm exec turbo run build --filter=@roundhouse/server --filter=@roundhouse/demo-slot --output-logs=errors-only
RUN --mount=type=cache,target=/root/.local/share/pnpm/store \
    pnpm --filter @roundhouse/server deploy --prod --no-optional deployed/server
RUN cd deployed/server \
    && find . -mindepth 1 -maxdepth 1 ! -name bin ! -name dist ! -name node_modules ! -name package.json ! -name prisma -exec rm -rf {} + \
    && find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \) -delete \
    && find . -type f -path '*/@prisma/client/runtime/*' \( -name '*cockroachdb*' -o -name '*mysql*' -o -name '*sqlite*' -o -name '*sqlserver*' \) -delete \
    && mkdir -p ../data

FROM workspace AS operator-build
RUN pnpm exec turbo run build --filter=@roundhouse/operator --output-logs=errors-only
RUN --mount=type=cache,target=/root/.local/share/pnpm/store \
    pnpm --filter @roundhouse/operator deploy --prod --no-optional deployed/operator
RUN cd deployed/operator \
    && find . -mindepth 1 -maxdepth 1 ! -name bin ! -name dist ! -name node_modules ! -name package.json ! -name prisma -exec rm -rf {} + \
    && find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \) -delete \
    && find . -type f -path '*/@prisma/client/runtime/*' \( -name '*cockroachdb*' -o -name '*mysql*' -o -name '*sqlite*' -o -name '*sqlserver*' \) -delete

# The reference operator. It brings its own schema up to date when it starts.
FROM base AS operator
WORKDIR /app
ENV NODE_ENV=production ROUNDHOUSE_OPERATOR_LISTEN_HOST=0.0.0.0 ROUNDHOUSE_OPERATOR_LISTEN_PORT=4001
COPY --from=operator-build /build/deployed/operator ./
USER node
EXPOSE 4001
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ROUNDHOUSE_OPERATOR_LISTEN_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/operator.js"]

# The `roundhouse` command: serves by default, with a worker for each core that the container may use; `migrate` and every other command
# is given as argument. Other games are mounted below /games. /data keeps the indexed books, which are made anew when they are missing.
FROM base AS server
WORKDIR /app
ENV NODE_ENV=production ROUNDHOUSE_LISTEN_HOST=0.0.0.0 ROUNDHOUSE_LISTEN_PORT=4000
ENV ROUNDHOUSE_GAMES=/games ROUNDHOUSE_DATA=/data ROUNDHOUSE_DRAIN_SECONDS=5
COPY --from=server-build /build/deployed/server ./
COPY --from=server-build /build/apps/demo-slot/dist /games/aurora-line
COPY --from=server-build --chown=node:node /build/deployed/data /data
USER node
EXPOSE 4000
# The first start indexes the books of every game, which a large one takes minutes for.
HEALTHCHECK --interval=10s --timeout=3s --start-period=300s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ROUNDHOUSE_LISTEN_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/roundhouse.js"]
CMD ["serve"]
