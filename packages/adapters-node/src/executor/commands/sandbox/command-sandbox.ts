import type { SandboxState } from '@gemini-mcp/core';
import type { BubblewrapFeatures } from './bubblewrap-arguments.ts';

/** The programs of a sandbox that works here. */
export type FoundSandbox = {
  readonly bubblewrap: string;
  readonly features: BubblewrapFeatures;
  /** Bounds what a process may use. */
  readonly prlimit: string;
  /** Makes named pipes. */
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
