# syntax=docker/dockerfile:1
# From the repository alone: docker build --target http --tag gemini-mcp-server-http .
# The other target is stdio, for clients and catalogs that start a container for each session.
FROM node:22-slim AS build
WORKDIR /source
COPY . .
RUN npm run build

FROM node:22-slim AS base
# bubblewrap runs Gemini's commands where the container allows user namespaces; tini waits for orphaned processes.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap git tini \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=node --group=node --mode=0700 /var/lib/gemini-mcp \
  && install --directory --owner=node --group=node /work
ENV NODE_ENV=production \
  GEMINI_MCP_STATE_DIR=/var/lib/gemini-mcp \
  GEMINI_CLI_WORKING_DIR=/work
# Labels: `npm run manifests` writes them.
LABEL io.modelcontextprotocol.server.name="io.github.OWNER/gemini-mcp-server" \
  org.opencontainers.image.title="gemini-mcp-server" \
  org.opencontainers.image.description="Ask Google's Gemini about files, in conversations, about the web; have it work on a project" \
  org.opencontainers.image.source="https://github.com/OWNER/gemini-mcp-server" \
  org.opencontainers.image.version="1.0.0" \
  org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /work
VOLUME /var/lib/gemini-mcp

FROM base AS http
# The version that the server is tested with. Its scripts are not needed: what they would build is optional.
RUN npm install --global --ignore-scripts --no-audit --no-fund @google/gemini-cli@0.61.0 && npm cache clean --force
COPY --from=build /source/apps/mcp-http/dist/gemini-mcp-server-http.cjs /opt/gemini-mcp/
# All addresses of the container: it does not start without GEMINI_MCP_TOKEN, GEMINI_MCP_PRINCIPALS_FILE or OAuth.
ENV GEMINI_MCP_HOST=0.0.0.0 \
  GEMINI_MCP_PORT=3000 \
  GEMINI_MCP_CLI=/usr/local/bin/gemini
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.GEMINI_MCP_PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "/opt/gemini-mcp/gemini-mcp-server-http.cjs"]

FROM base AS stdio
COPY --from=build /source/apps/mcp-stdio/dist/*.cjs /opt/gemini-mcp/
USER node
ENTRYPOINT ["tini", "--", "node", "/opt/gemini-mcp/gemini-mcp-server.cjs"]
