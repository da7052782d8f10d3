import type { JsonRecord } from '@gemini-mcp/port-contracts/offline-api';
import type { CliStep } from './scenario.ts';

/** Steps that mean the same as in the headless fake. */
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
 * One action of the fake in ACP mode. Steps run one after another; after the last one the fake answers the call as the real CLI does,
 * unless a step has answered it. A cancelled prompt skips the remaining steps.
 */
export type AcpStep =
  | SharedStep
  /** One chunk: `acpEcho` of the last text part of the prompt. */
  | { readonly do: 'echo' }
  /** One `agent_message_chunk` for each chunk, `intervalMs` apart. */
  | { readonly do: 'say'; readonly chunks: readonly string[]; readonly intervalMs?: number }
  /** Any other update, `times` times (once); for the session of the call unless `sessionId` names another. */
  | { readonly do: 'update'; readonly update: JsonRecord; readonly times?: number; readonly sessionId?: string }
  /** Answers the call now; a second one is a second reply to the same id. The members of `result` override the usual ones. */
  | { readonly do: 'answer'; readonly result?: JsonRecord }
  /** Answers the call with an error. */
  | { readonly do: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** A message of any content, as one line. */
  | { readonly do: 'send'; readonly message: JsonRecord }
  /** A request of the agent to its client, such as `session/request_permission`; waits for the reply, and records it. */
  | { readonly do: 'ask'; readonly method: string; readonly params: JsonRecord }
  | { readonly do: 'wait'; readonly durationMs: number }
  /** Waits until the prompt is cancelled. */
  | { readonly do: 'hang' }
  /** From here on `session/cancel` has no effect on this prompt. */
  | { readonly do: 'ignore-cancel' }
  /** Stops reading stdin, even its end. */
  | { readonly do: 'stop-reading' }
  /** Keeps the event loop busy: no signal but SIGKILL ends it. */
  | { readonly do: 'block'; readonly durationMs?: number }
  /** Holds this many more bytes of memory, every page of them touched. */
  | { readonly do: 'grow'; readonly bytes: number }
  /** Waits for the steps that a test passes to this very prompt with `giveAcpSteps`, and plays them. */
  | { readonly do: 'given-steps' }
  /** Other steps for a prompt whose last text part contains one of these texts; the first match. */
  | {
      readonly do: 'by-text';
      readonly cases: readonly { readonly contains: string; readonly steps: readonly AcpStep[] }[];
      readonly otherwise: readonly AcpStep[];
    }
  /**
   * Plays each of `among` with the probability `chanceOfEach`, otherwise `otherwise`. The same call of the same process draws the same
   * for the same `seed`.
   */
  | {
      readonly do: 'by-chance';
      readonly seed: string;
      readonly chanceOfEach: number;
      readonly among: readonly (readonly AcpStep[])[];
      readonly otherwise: readonly AcpStep[];
    };

/** Steps of the first call, of the second, and so on; the last entry applies to all further calls. */
export type AcpCallSteps = readonly [readonly AcpStep[], ...(readonly AcpStep[])[]];

/** The script of one process. Missing members follow the real CLI; `echo` answers a prompt. */
export type AcpProcessScript = {
  /** Before reading any input. */
  readonly start?: readonly AcpStep[];
  readonly initialize?: readonly AcpStep[];
  readonly newSessions?: AcpCallSteps;
  readonly loadedSessions?: AcpCallSteps;
  /** For `session/set_model`. */
  readonly modelChanges?: AcpCallSteps;
  /** Counted over all sessions of the process. */
  readonly prompts?: AcpCallSteps;
  /** After the end of stdin, before the process exits with 0. */
  readonly inputEnd?: readonly AcpStep[];
};

/** The scripts of the processes that are started with `--acp`. */
export type FakeAcpScenario = {
  /** The script of the first process, of the second, and so on; the last entry applies to all further processes. */
  readonly processes: readonly [AcpProcessScript, ...AcpProcessScript[]];
  /** Records texts up to this many bytes whole, longer ones by digest and length only. 16,384 by default. */
  readonly keptTextMaxBytes?: number;
  /** `starts`: records only the start of a process, for runs of many thousand calls. */
  readonly records?: 'all' | 'starts';
};
