import type { SandboxState } from '@gemini-mcp/core';
import type { CoveredPath } from './sandbox-view.ts';

/** Features that only some versions of bubblewrap have. */
export type BubblewrapFeatures = {
  /** Can limit the size of an in-memory file system (0.8). */
  readonly boundsMemoryFiles: boolean;
  /** Accepts the source of a mount as an open descriptor, and ends if another place got mounted (0.10, and 0.8 of Debian 12). */
  readonly bindsDescriptors: boolean;
};

export type FoundSandbox = {
  readonly bubblewrap: string;
  readonly features: BubblewrapFeatures;
  /** The system calls that programs may not make, in the format of `bwrap --seccomp`. */
  readonly systemCallFilter: Uint8Array;
  /** Machine settings that may hold secrets: commands see them empty. */
  readonly emptied: readonly CoveredPath[];
  readonly prlimit: string;
  readonly mkfifo: string;
  /** Whether the kernel counts a user's processes separately in each user namespace (Linux 5.14). */
  readonly countsInside: boolean;
};

export type SandboxSearch =
  | { readonly found: true; readonly sandbox: FoundSandbox }
  | {
      readonly found: false;
      readonly state: Extract<SandboxState, { readonly available: false }>;
      /** Whether the system was out of some resource during the search: another search may succeed. */
      readonly isShortage: boolean;
    };
