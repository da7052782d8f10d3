import { FileContextResolver } from '@gemini-mcp/adapters-node';
import { type Clock, type ContextResolver, createNoFilesResolver } from '@gemini-mcp/core';
import type { Reach } from '../reach/reach.ts';
import type { Configuration } from '../settings/configuration.ts';

export type ContextResolverParts = {
  /** Narrowed to the reach. */
  readonly configuration: Configuration;
  readonly clock: Clock;
  /** Absolute paths of what is the server's own. */
  readonly privateFiles: readonly string[];
};

/** Reads the files within a reach, or says why it reads none. */
export function createContextResolver(
  { configuration, clock, privateFiles }: ContextResolverParts,
  { mayReadFiles, noFilesText }: Pick<Reach, 'mayReadFiles' | 'noFilesText'>,
): ContextResolver {
  if (!mayReadFiles) {
    return createNoFilesResolver(noFilesText ?? 'this token may read no files');
  }
  const { workingDirectory, roots, pinnedPaths: pinned, stateDirectory, allowSensitive } = configuration;
  const privateDirectories = [stateDirectory, ...privateFiles];
  return new FileContextResolver({ workingDirectory, roots, pinned, privateDirectories, allowSensitive, clock });
}
