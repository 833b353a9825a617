# Two images from one workspace:
#   docker build --target server -t roundhouse-server .
#   docker build --target operator -t roundhouse-operator .

FROM node:22-slim AS base

# Builds the packages and installs each app as its package.json publishes it, with the versions of the lockfile. Only what a
# later COPY takes reaches an image. --no-optional leaves out the embedded PostgreSQL of local work (59 MB). The last step
# removes types, source maps, and the query compilers for other databases (90 MB in all).
FROM base AS build
WORKDIR /build
ENV CI=1 TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
COPY package.json ./
RUN npm install --global "$(node -p 'require("./package.json").packageManager')"
COPY . .
RUN --mount=type=cache,target=/root/.local/share/pnpm/store \
    pnpm install --frozen-lockfile --filter roundhouse-monorepo --filter roundhouse... --filter @roundhouse/operator... --filter @roundhouse/demo-slot... \
    && pnpm exec turbo run build --filter=roundhouse --filter=@roundhouse/operator --filter=@roundhouse/demo-slot --output-logs=errors-only \
    && pnpm --filter roundhouse deploy --prod --no-optional deployed/server \
    && pnpm --filter @roundhouse/operator deploy --prod --no-optional deployed/operator \
    && mkdir deployed/data
RUN find deployed -type f \( -name '*.[cm]ts' -o -name '*.ts' -o -name '*.map' \
    -o -path '*/@prisma/client/runtime/*' \( -name '*cockroachdb*' -o -name '*mysql*' -o -name '*sqlite*' -o -name '*sqlserver*' \) \) -delete

# The reference operator. It brings its own schema up to date when it starts.
FROM base AS operator
WORKDIR /app
ENV NODE_ENV=production ROUNDHOUSE_OPERATOR_LISTEN_HOST=0.0.0.0 ROUNDHOUSE_OPERATOR_LISTEN_PORT=4001
COPY --from=build /build/deployed/operator ./
USER node
EXPOSE 4001
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ROUNDHOUSE_OPERATOR_LISTEN_PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/operator.js"]

# The `roundhouse` command. It serves by default, with one worker for each core but one; every other command is an argument.
# Mount other games below /games. /data keeps the indexed books; when they are missing, the server indexes them again.
FROM base AS server
WORKDIR /app
ENV NODE_ENV=production ROUNDHOUSE_LISTEN_HOST=0.0.0.0 ROUNDHOUSE_LISTEN_PORT=4000
ENV ROUNDHOUSE_GAMES=/games ROUNDHOUSE_DATA=/data ROUNDHOUSE_DRAIN_SECONDS=5
COPY --from=build /build/deployed/server ./
COPY --from=build /build/apps/demo-slot/dist /games/aurora-line
COPY --from=build --chown=node:node /build/deployed/data /data
USER node
EXPOSE 4000
# The first start indexes the books of every game, which takes minutes for a large one.
HEALTHCHECK --interval=10s --timeout=3s --start-period=300s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ROUNDHOUSE_LISTEN_PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/roundhouse.js"]
CMD ["serve"]
