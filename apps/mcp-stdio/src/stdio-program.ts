import {
  type ConfigurationRead,
  type ConfigurationSources,
  clientNames,
  findUnknownVariables,
  type Program,
  readConfiguration,
  settingList,
} from '@gemini-mcp/server';

/** Everything that has to be known of this binary before it serves. */
export const stdioProgram: Program = {
  name: 'gemini-mcp-server',
  settings: settingList,
  // Settings of gemini-mcp-server-http, which may be started from the same environment.
  otherVariables: [
    'GEMINI_MCP_HOST',
    'GEMINI_MCP_PORT',
    'GEMINI_MCP_ALLOWED_HOSTS',
    'GEMINI_MCP_ALLOWED_ORIGINS',
    'GEMINI_MCP_TOKEN',
    'GEMINI_MCP_TOKEN_FILE',
    'GEMINI_MCP_PRINCIPALS_FILE',
    'GEMINI_MCP_OAUTH_ISSUER',
    'GEMINI_MCP_OAUTH_AUDIENCE',
    'GEMINI_MCP_STATEFUL',
    'GEMINI_MCP_LEGACY_SSE',
    'GEMINI_MCP_HTTP_SESSION_IDLE_SECONDS',
    'GEMINI_MCP_HTTP_MAX_SESSIONS',
    'GEMINI_MCP_HTTP_MAX_BODY_BYTES',
    'GEMINI_MCP_HTTP_MAX_CONNECTIONS',
    'GEMINI_MCP_HTTP_MAX_REQUESTS',
    'GEMINI_MCP_HTTP_RATE_LIMIT',
    'GEMINI_MCP_HTTP_SHUTDOWN_SECONDS',
  ],
  clients: clientNames,
  nodeAdvice:
    'let the client start the server with it: `gemini-mcp-server --print-config <client>` prints the settings with the path of the Node that runs it.',
};

/** Reads the settings of this binary. Throws a `ConfigurationError` that names the variable or the flag which is wrong. */
export function readStdioSettings(sources: ConfigurationSources): ConfigurationRead {
  const { configuration, warnings } = readConfiguration(sources);
  return { configuration, warnings: [...findUnknownVariables(sources.environment, stdioProgram), ...warnings] };
}
