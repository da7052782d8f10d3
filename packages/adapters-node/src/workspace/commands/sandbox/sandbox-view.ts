export type CoveredPath = {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** A file of ours that is shown in its place. */
  readonly file?: string;
};

/** The contents of a command's sandbox, besides the system's own programs. Paths are absolute and without links. */
export type SandboxView = {
  readonly writable: readonly string[];
  readonly toolPaths: readonly string[];
  /** Existing places below `writable` that must not change. */
  readonly guarded: readonly string[];
  /** Free names below `writable` that must stay free; by now they exist as empty files and directories. */
  readonly held: readonly CoveredPath[];
  /** Existing secrets: they cannot be read, or are replaced by `file`. */
  readonly masked: readonly CoveredPath[];
  /** Whether it reaches the network, including this machine's own. */
  readonly network: boolean;
  readonly place: SandboxPlace;
};

/** The files and directories for the commands of one run. Absolute paths. */
export type SandboxPlace = {
  /** Seen as `/tmp` and as the home directory. */
  readonly temporary: string;
  readonly home: string;
  /** An empty file and an empty directory which cannot be read. */
  readonly lockedFile: string;
  readonly lockedDirectory: string;
  readonly emptyFile: string;
  readonly emptyDirectory: string;
  readonly passwd: string;
  readonly group: string;
  /** Names that Git does not list as new. */
  readonly unseenNames: string;
};

export const sandboxHome = '/home/gemini';

/** The list of names that Git does not list, at its path inside the sandbox. */
export const unseenNamesFile = '/etc/unseen-names';
