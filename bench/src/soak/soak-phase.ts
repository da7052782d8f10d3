import type { WarmGeminiRunner } from '@gemini-mcp/adapters-node';

/** Calls of one kind, offered to one runner. */
export type SoakPhase = {
  readonly name: string;
  readonly calls: number;
  /** How many calls run at the same time. */
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly runner: WarmGeminiRunner;
  /** Holds one private directory for each process, and what Node has compiled. */
  readonly runsDirectory: string;
  /** How often each thing was told of the processes so far. */
  readonly reports: ReadonlyMap<string, number>;
  /** The answer to a question, and the only right one. */
  readonly answerTo: (question: string) => string;
  /** Removes what the phase was made of; after the runner was closed. */
  readonly dispose: () => Promise<void>;
};
