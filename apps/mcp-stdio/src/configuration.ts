import { type Configuration, type ConfigurationSources, readConfiguration as read } from '@gemini-mcp/server';

export type { Configuration } from '@gemini-mcp/server';

/** The settings of a server, as its composition takes them. */
export function readConfiguration(sources: ConfigurationSources): Configuration {
  return read(sources).configuration;
}
