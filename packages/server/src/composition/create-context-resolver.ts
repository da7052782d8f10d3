import { FileContextResolver } from '@gemini-mcp/adapters-node';
import { type Clock, type ContextResolver, createNoFilesResolver } from '@gemini-mcp/core';
import type { Reach } from '../reach/reach.ts';
import type { Configuration } from '../settings/configuration.ts';

export type ContextResolverParts = {
  readonly clock: Clock;
  /** Absolute paths of what is the server's own. */
  readonly privateFiles: readonly string[];
};

/** Reads the files within a reach, to which the configuration has been narrowed, or says why it reads none. */
export type ResolverOfReach = (
  configuration: Configuration,
  reach: Pick<Reach, 'mayReadFiles' | 'noFilesText'>,
) => ContextResolver;

export function createContextResolver({ clock, privateFiles }: ContextResolverParts): ResolverOfReach {
  return (configuration, { mayReadFiles, noFilesText }) => {
    if (!mayReadFiles) {
      return createNoFilesResolver(noFilesText ?? 'this token may read no files');
    }
    const { workingDirectory, roots, pinnedPaths: pinned, stateDirectory, allowSensitive } = configuration;
    const privateDirectories = [stateDirectory, ...privateFiles];
    return new FileContextResolver({ workingDirectory, roots, pinned, privateDirectories, allowSensitive, clock });
  };
}
