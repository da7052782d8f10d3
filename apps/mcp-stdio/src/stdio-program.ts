import {
  type ConfigurationRead,
  type ConfigurationSources,
  clientNames,
  findUnknownVariables,
  type Program,
  readConfiguration,
  serverSettingList,
} from '@gemini-mcp/server';

/** This binary as its command line needs to know it before it serves. */
export const stdioProgram: Program = {
  name: 'gemini-mcp-server',
  settings: serverSettingList,
  clients: clientNames,
  nodeAdvice:
    'let the client start the server with it: `gemini-mcp-server --print-config <client>` prints the settings with the path of the Node that runs it.',
};

/** Reads the settings of this binary. Throws a `ConfigurationError` that names the invalid variable or flag. */
export function readStdioSettings(sources: ConfigurationSources): ConfigurationRead {
  const { configuration, warnings } = readConfiguration(sources);
  return { configuration, warnings: [...findUnknownVariables(sources.environment, stdioProgram), ...warnings] };
}
