import { FileContextResolver } from '@gemini-mcp/adapters-node';
import { type Clock, type ContextResolver, createNoFilesResolver } from '@gemini-mcp/core';
import { describeNoRoot } from '../reach/reach.ts';
import type { Configuration } from '../settings/configuration.ts';

/** Reads files as the configuration says, but for `privateFiles`, absolute paths of what is the server's own. */
export function createContextResolver(
  configuration: Configuration,
  clock: Clock,
  privateFiles: readonly string[] = [],
): ContextResolver {
  const { workingDirectory, roots, pinnedPaths: pinned, stateDirectory, allowSensitive, noRootBecause } = configuration;
  if (noRootBecause !== null) {
    return createNoFilesResolver(describeNoRoot(noRootBecause));
  }
  return new FileContextResolver({
    workingDirectory,
    roots,
    pinned,
    privateDirectories: [stateDirectory, ...privateFiles],
    allowSensitive,
    clock,
  });
}
