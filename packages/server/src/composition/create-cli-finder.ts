import { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import type { ApiAccess } from '@gemini-mcp/gemini/internal';
import type { Configuration } from '../settings/configuration.ts';
import type { Environment } from '../settings/environment.ts';
import { runsDirectoryOf } from './create-server-runners.ts';
import type { Observers } from './observers.ts';

export type CliFinderParts = {
  readonly configuration: Configuration;
  readonly environment: Environment;
  /** Where the API has a login, a CLI that is not installed is not fetched. It has none when this is missing. */
  readonly api?: ApiAccess | null;
  readonly observers?: Pick<Observers, 'onCliFound' | 'onPassedOver'>;
  /** Directories that may be read in addition to those of the configuration. */
  readonly furtherRoots?: readonly string[];
};

/** What finds the CLI, and says where runs look for programs: in no directory that calls may read. */
export function createCliFinder({ configuration, furtherRoots = [], ...parts }: CliFinderParts): GeminiCliFinder {
  const { workingDirectory, roots, trustedDirectories } = configuration;
  const finder = new GeminiCliFinder({
    environment: parts.environment,
    runsDirectory: runsDirectoryOf(configuration),
    mayFetch: parts.api?.login == null,
    userDirectory: configuration.userDirectory,
    roots: [workingDirectory, ...roots, ...trustedDirectories, ...furtherRoots],
    ...parts.observers,
  });
  // After the handshake, so that the first call does not wait for it. What fails here fails there again, and is told.
  finder.programs.forChildren().catch(() => undefined);
  return finder;
}
