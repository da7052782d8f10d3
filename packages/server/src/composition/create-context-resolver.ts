import { FileContextResolver } from '@gemini-mcp/adapters-node';
import type { Clock, ContextResolver } from '@gemini-mcp/core';
import type { Configuration } from '../settings/configuration.ts';

/** Reads files as the configuration says. */
export function createContextResolver(configuration: Configuration, clock: Clock): ContextResolver {
  const { workingDirectory, roots, stateDirectory, allowSensitive } = configuration;
  return new FileContextResolver({
    workingDirectory,
    roots,
    privateDirectories: [stateDirectory],
    allowSensitive,
    clock,
  });
}
