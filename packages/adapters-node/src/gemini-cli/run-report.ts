import type { RunEnd } from '@gemini-mcp/core';
import type { CliOutcome } from './reading/cli-outcome.ts';

/** What there is to tell of one run of the CLI, for a log: once that it started, then what came, once that it ended. */
export type RunReport =
  | {
      readonly type: 'started';
      readonly runId: string;
      readonly model: string;
      readonly command: { readonly file: string; readonly arguments: readonly string[] };
      /** Where it runs. */
      readonly directory: string;
      /** The whole environment of the run, secrets included: show only the names. */
      readonly environment: Readonly<Record<string, string>>;
      readonly input: string;
    }
  /** A piece of the answer. */
  | { readonly type: 'text'; readonly runId: string; readonly text: string }
  | {
      readonly type: 'ended';
      readonly runId: string;
      readonly model: string;
      readonly durationMs: number;
      readonly end: RunEnd;
      /** What the end was read from; null where no process came to carry it. */
      readonly outcome: CliOutcome | null;
    };
