import { FileContextResolver } from '@gemini-mcp/adapters-node';
import type { Clock, ContextResolver } from '@gemini-mcp/core';
import type { Configuration } from '../settings/configuration.ts';

/** Reads files as the configuration says, but for `privateFiles`, absolute paths of what is the server's own. */
export function createContextResolver(
  configuration: Configuration,
  clock: Clock,
  privateFiles: readonly string[] = [],
): ContextResolver {
  const { workingDirectory, roots, stateDirectory, allowSensitive } = configuration;
  return new FileContextResolver({
    workingDirectory,
    roots,
    privateDirectories: [stateDirectory, ...privateFiles],
    allowSensitive,
    clock,
  });
}
