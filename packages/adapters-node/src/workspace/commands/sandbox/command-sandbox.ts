import type { SandboxState } from '@gemini-mcp/core';
import type { BubblewrapFeatures } from './bubblewrap-arguments.ts';
import type { CoveredPath } from './sandbox-view.ts';

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
