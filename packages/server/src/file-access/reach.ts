import { type Configuration, realPathOf } from '../settings/read-configuration.ts';

/** Which files calls may reach. */
export type Reach = {
  /** Null for the directories of the server. */
  readonly roots: readonly string[] | null;
  readonly mayReadFiles: boolean;
  /** Why no files may be read and what to do, in sentences for a user; null where the caller lacks the permission, or files may be read. */
  readonly noFilesText: string | null;
  /** Whether calls may let Gemini act unasked, if the operator allows that. */
  readonly allowsYolo: boolean;
};

/** The configuration for a reach with other directories than those of the server. */
export function narrowConfiguration(configuration: Configuration, { roots }: Pick<Reach, 'roots'>): Configuration {
  const [workingDirectory, ...others] = roots ?? [];
  return workingDirectory === undefined
    ? configuration
    : { ...configuration, workingDirectory, roots: others, noRootBecause: null };
}

/** The reach of the server itself: its directories, or no files where it has no root. */
export function fileAccessOfServer(configuration: Configuration, clientsPart = ''): Reach {
  const { noRootBecause } = configuration;
  return noRootBecause === null
    ? { roots: null, mayReadFiles: true, noFilesText: null, allowsYolo: true }
    : { roots: null, mayReadFiles: false, noFilesText: describeNoRoot(noRootBecause, clientsPart), allowsYolo: true };
}

/** The reach of a client that has named its own roots, as real paths. */
export function fileAccessOfRoots(roots: readonly string[]): Reach {
  return { roots, mayReadFiles: true, noFilesText: null, allowsYolo: true };
}

/** Says that the server has no root, why, and what to do. `clientsPart` is the sentence on the client's roots. */
export function describeNoRoot(noRootBecause: string, clientsPart = ''): string {
  return (
    `No files can be read, because ${noRootBecause}: that is no root unless it is set.${clientsPart} ` +
    'Set GEMINI_MCP_ROOTS to the directories that may be read, or start the server in your project ' +
    "(`cwd` in the client's configuration)."
  );
}

/** Real paths. A trusted directory is the server's own: those who have other roots do not get it. */
export function rootsOf(configuration: Configuration, reach: Reach): readonly string[] {
  const { workingDirectory, roots, trustedDirectories } = configuration;
  const directories = [workingDirectory, ...roots, ...(reach.roots === null ? trustedDirectories : [])];
  return directories.map((directory) => realPathOf(configuration, directory));
}

/** The directories of the server are within reach only where it has any. */
export function settleFileAccess(asked: Reach, configuration: Configuration): Reach {
  const { mayReadFiles, roots, allowsYolo } = asked;
  return mayReadFiles && roots === null ? { ...fileAccessOfServer(configuration), allowsYolo } : asked;
}
