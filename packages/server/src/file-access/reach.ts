import { type Configuration, realPathOfSetting } from '../settings/read-configuration.ts';

/** The files that calls may access. */
export type Reach = {
  /** Null for the server's own directories. */
  readonly roots: readonly string[] | null;
  readonly mayReadFiles: boolean;
  /** Sentences for a user on why no files may be read and what to do; null if files may be read or the caller lacks the permission. */
  readonly noFilesText: string | null;
  /** Whether calls may let Gemini act without approval, if the operator allows that. */
  readonly allowsYolo: boolean;
};

/** Narrows the configuration to a reach with its own directories. */
export function narrowConfiguration(configuration: Configuration, { roots }: Pick<Reach, 'roots'>): Configuration {
  const [workingDirectory, ...others] = roots ?? [];
  return workingDirectory === undefined
    ? configuration
    : { ...configuration, workingDirectory, roots: others, noRootBecause: null };
}

/** The server's own reach: its directories, or no files if it has no root. */
export function fileAccessOfServer(configuration: Configuration, clientsPart = ''): Reach {
  const { noRootBecause } = configuration;
  return noRootBecause === null
    ? { roots: null, mayReadFiles: true, noFilesText: null, allowsYolo: true }
    : { roots: null, mayReadFiles: false, noFilesText: describeNoRoot(noRootBecause, clientsPart), allowsYolo: true };
}

/** The reach of a client that named its own roots, as real paths. */
export function fileAccessOfRoots(roots: readonly string[]): Reach {
  return { roots, mayReadFiles: true, noFilesText: null, allowsYolo: true };
}

/** The reach over stdio while the client names no root: the directories with the user's projects, if there is no project. */
export function fileAccessWithoutRoots(configuration: Configuration, clientsPart = ''): Reach {
  const { noRootBecause, projects } = configuration;
  return noRootBecause === null || projects.length === 0
    ? fileAccessOfServer(configuration, clientsPart)
    : fileAccessOfRoots(projects.map((path) => realPathOfSetting(configuration, path)));
}

/** Says why the server has no root and what to do. `clientsPart` is the sentence on the client's roots. */
export function describeNoRoot(noRootBecause: string, clientsPart = ''): string {
  return (
    `No files can be read, because ${noRootBecause}: the server reads it only if you set it.${clientsPart} ` +
    'Set GEMINI_MCP_ROOTS to the directories that may be read or, over stdio, GEMINI_MCP_PROJECTS to those with your projects; or start ' +
    "the server in your project (`cwd` in the client's configuration)."
  );
}

/** Real paths. A trusted directory belongs to the server: a reach with other roots excludes it. */
export function rootsOf(configuration: Configuration, reach: Reach): readonly string[] {
  const { workingDirectory, roots, trustedDirectories } = configuration;
  const directories = [workingDirectory, ...roots, ...(reach.roots === null ? trustedDirectories : [])];
  return directories.map((directory) => realPathOfSetting(configuration, directory));
}

/** The server's directories count only if it has a root. */
export function settleFileAccess(asked: Reach, configuration: Configuration): Reach {
  const { mayReadFiles, roots, allowsYolo } = asked;
  return mayReadFiles && roots === null ? { ...fileAccessOfServer(configuration), allowsYolo } : asked;
}
