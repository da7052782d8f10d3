import type { Approver, StepToApprove } from '../approver.ts';
import type { StepLog } from '../run-step.ts';
import type { ToolProvider } from '../tool-provider.ts';
import type { TraceContext } from '../trace-context.ts';
import type { StepRefusal } from '../workspace/step-result.ts';
import type { ServerQuestions } from './server-questions.ts';

/** The upstreams whose tools Gemini may use in a call. */
export type ServersOfCall = {
  /** The user's names for them; null for all that are enabled. */
  readonly names: readonly string[] | null;
  /** Asks the user to approve tool calls. */
  readonly approver: Approver;
  /** Passes questions of servers on to the user; null if no user can be asked. */
  readonly questions: ServerQuestions | null;
};

/** The upstreams for one run, and their dependencies. */
export type RequestedServers = Pick<ServersOfCall, 'names' | 'questions'> & {
  /** The owner of the servers and of the run. */
  readonly owner: string;
  /** Whether calls of a trusted server need no approval. */
  readonly countsTrust: boolean;
  /** Resolves to null if the user allows the call, otherwise to the refusal. Never rejects. */
  readonly askUser: (step: StepToApprove, signal: AbortSignal) => Promise<StepRefusal | null>;
  /** Counts the calls and records them for the run's account. */
  readonly log: StepLog;
  /** The trace of the run, for the calls of the servers. No trace if missing. */
  readonly trace?: TraceContext | undefined;
};

/** Offers the tools of upstreams to runs. */
export interface ToolProviderFactory {
  /** Resolves to null if the owner has servers of all these names, otherwise to a sentence about the missing ones. Never rejects. */
  findMissing(owner: string, names: readonly string[]): Promise<string | null>;
  /** Turns the servers' tools into a provider for one run; an unknown name adds no tools. Never rejects. */
  create(servers: RequestedServers): Promise<ToolProvider>;
}
