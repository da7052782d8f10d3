import type { Reach } from '../reach/reach.ts';
import type { Configuration } from '../settings/configuration.ts';
import { realPathOf } from '../settings/real-path-of.ts';

/** Real paths. A trusted directory is the server's own: those who have other roots do not get it. */
export function rootsOf(configuration: Configuration, reach: Reach): readonly string[] {
  const { workingDirectory, roots, trustedDirectories } = configuration;
  const directories = [workingDirectory, ...roots, ...(reach.roots === null ? trustedDirectories : [])];
  return directories.map((directory) => realPathOf(configuration, directory));
}
