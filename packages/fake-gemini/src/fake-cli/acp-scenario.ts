import type { JsonRecord } from '@gemini-mcp/port-contracts/offline-api';
import type { CliStep } from './scenario.ts';

/** Steps of the headless fake that mean the same here. */
type SharedStep = Extract<
  CliStep,
  {
    readonly do:
      | 'write'
      | 'write-bytes'
      | 'random'
      | 'flood'
      | 'drip'
      | 'ignore-signals'
      | 'spawn'
      | 'touch'
      | 'await-file'
      | 'exit'
      | 'kill-self';
  }
>;

/**
 * One thing that the fake does in ACP mode. Steps run one after another; after the last one the call that they belong to is
 * answered as the real CLI answers it, unless a step has answered it. A cancelled prompt skips the steps that are left.
 */
export type AcpStep =
  | SharedStep
  /** One chunk: `acpEcho` of the last text part of the prompt. */
  | { readonly do: 'echo' }
  /** One `agent_message_chunk` for each chunk, `intervalMs` apart. */
  | { readonly do: 'say'; readonly chunks: readonly string[]; readonly intervalMs?: number }
  /** Any other update, `times` times (once); for the session of the call unless `sessionId` names another. */
  | { readonly do: 'update'; readonly update: JsonRecord; readonly times?: number; readonly sessionId?: string }
  /** Answers the call now; a second one is a second reply to the same id. The parts of `result` replace those of the usual one. */
  | { readonly do: 'answer'; readonly result?: JsonRecord }
  /** Answers the call with an error. */
  | { readonly do: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** A message of any content, as one line. */
  | { readonly do: 'send'; readonly message: JsonRecord }
  /** A request of the agent to its client, such as `session/request_permission`; waits for what it is answered, and records it. */
  | { readonly do: 'ask'; readonly method: string; readonly params: JsonRecord }
  | { readonly do: 'wait'; readonly durationMs: number }
  /** Until the prompt is cancelled. */
  | { readonly do: 'hang' }
  /** From here on `session/cancel` changes nothing for this prompt. */
  | { readonly do: 'ignore-cancel' }
  /** Leaves stdin unread, its end included. */
  | { readonly do: 'stop-reading' }
  /** Keeps the event loop busy: no signal but SIGKILL ends it. */
  | { readonly do: 'block'; readonly durationMs?: number }
  /** Holds so many more bytes of memory, every page of them touched. */
  | { readonly do: 'grow'; readonly bytes: number }
  /** Waits for the steps that a test gives to this very prompt by `giveAcpSteps`, and plays them. */
  | { readonly do: 'given-steps' }
  /** Other steps for a prompt whose last text part contains one of these texts; the first that fits. */
  | {
      readonly do: 'by-text';
      readonly cases: readonly { readonly contains: string; readonly steps: readonly AcpStep[] }[];
      readonly otherwise: readonly AcpStep[];
    }
  /**
   * Plays each of `among` with the probability `chanceOfEach`, otherwise `otherwise`. The same call of the same process draws
   * the same for the same `seed`.
   */
  | {
      readonly do: 'by-chance';
      readonly seed: string;
      readonly chanceOfEach: number;
      readonly among: readonly (readonly AcpStep[])[];
      readonly otherwise: readonly AcpStep[];
    };

/** Steps of the first call, of the second, and so on; the last entry is for all that follow. */
export type AcpCallSteps = readonly [readonly AcpStep[], ...(readonly AcpStep[])[]];

/** What one process does. Whatever is left out goes as it does with the real CLI; a prompt is answered by `echo`. */
export type AcpProcessScript = {
  /** Before anything is read. */
  readonly start?: readonly AcpStep[];
  readonly initialize?: readonly AcpStep[];
  readonly newSessions?: AcpCallSteps;
  readonly loadedSessions?: AcpCallSteps;
  /** Of `session/set_model`. */
  readonly modelChanges?: AcpCallSteps;
  /** Counted over all sessions of the process. */
  readonly prompts?: AcpCallSteps;
  /** When stdin has ended, before the process exits with 0. */
  readonly inputEnd?: readonly AcpStep[];
};

/** What the processes that are started with `--acp` do. */
export type FakeAcpScenario = {
  /** The script of the first process, of the second, and so on; the last entry is for all that follow. */
  readonly processes: readonly [AcpProcessScript, ...AcpProcessScript[]];
  /** Texts of at most so many bytes are recorded whole, longer ones by digest and length only. 16,384 unless given. */
  readonly keptTextMaxBytes?: number;
  /** `starts`: only that a process was started is recorded, for runs of many thousand calls. */
  readonly records?: 'all' | 'starts';
};
