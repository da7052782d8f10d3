export type CoveredPath = {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** A file of ours that is shown in its place. */
  readonly file?: string;
};

/** What a command finds in its sandbox, besides the system's own programs. Paths are absolute and without links. */
export type SandboxView = {
  readonly writable: readonly string[];
  readonly toolPaths: readonly string[];
  /** What is there below `writable` and is not to be changed. */
  readonly guarded: readonly string[];
  /** Names below `writable` that are free and have to stay so: they are there as empty files and directories by now. */
  readonly held: readonly CoveredPath[];
  /** Secrets: they are there, and cannot be read, or are shown as `file` says. */
  readonly masked: readonly CoveredPath[];
  /** Whether it reaches the network, that of this machine included. */
  readonly network: boolean;
  readonly place: SandboxPlace;
};

/** What is made for the commands of one run. Absolute paths. */
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

/** The list of names that Git does not list, as commands see it. */
export const unseenNamesFile = '/etc/unseen-names';
