import type { SandboxState } from '@gemini-mcp/core';
import type { CoveredPath } from './sandbox-view.ts';

/** What a version of bubblewrap offers besides what all of them do. */
export type BubblewrapFeatures = {
  /** Can bound what is kept in memory as files (0.8). */
  readonly boundsMemoryFiles: boolean;
  /** Takes what is mounted as an open descriptor, and ends if another place got mounted (0.10, and 0.8 of Debian 12). */
  readonly bindsDescriptors: boolean;
};

export type FoundSandbox = {
  readonly bubblewrap: string;
  readonly features: BubblewrapFeatures;
  /** What programs may not ask of the kernel, as `bwrap --seccomp` takes it. */
  readonly systemCallFilter: Uint8Array;
  /** Settings of the machine that may hold secrets: nothing is in them for a command. */
  readonly emptied: readonly CoveredPath[];
  readonly prlimit: string;
  readonly mkfifo: string;
  /** Whether the kernel counts the processes of a user for each user namespace by itself (Linux 5.14). */
  readonly countsInside: boolean;
};

export type SandboxSearch =
  | { readonly found: true; readonly sandbox: FoundSandbox }
  | {
      readonly found: false;
      readonly state: Extract<SandboxState, { readonly available: false }>;
      /** Whether the system had run out of something when it was looked for: another look may find one. */
      readonly isShortage: boolean;
    };
