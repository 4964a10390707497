# Three stages: what builds, what production needs, what runs. tests/system/image/image.spec.ts replays these steps.

FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN ["npm", "ci", "--ignore-scripts"]
COPY tsconfig.json ormconfig.ts ./
COPY migrations ./migrations
COPY src ./src
RUN ["npm", "run", "build"]
RUN ["mkdir", "-p", "/data"]

FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN ["npm", "ci", "--omit=dev", "--ignore-scripts"]

FROM node:26-bookworm-slim
LABEL org.opencontainers.image.title="pierhead" org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY docs ./docs
COPY package.json LICENSE ./
# The only place that the service writes to; everything else may be mounted read-only.
COPY --from=build --chown=node:node /data /data
USER node
EXPOSE 8080 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The young generation holds 24 MB instead of 48: measured to cost no processor time.
CMD ["node", "--max-semi-space-size=16", "--v8-pool-size=1", "dist/src/main.js"]
