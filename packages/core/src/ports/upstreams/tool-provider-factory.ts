import type { Approver, StepToApprove } from '../approver.ts';
import type { StepLog } from '../run-step.ts';
import type { ToolProvider } from '../tool-provider.ts';
import type { StepRefusal } from '../workspace/step-result.ts';
import type { ServerQuestions } from './server-questions.ts';

/** The other servers whose tools a call lends Gemini. */
export type ServersOfCall = {
  /** By the names that the user gave them; null for all that are on. */
  readonly names: readonly string[] | null;
  /** Whom a call of a tool is asked about. */
  readonly approver: Approver;
  /** Passes on what servers ask of the user meanwhile; null where no user can be asked. */
  readonly questions: ServerQuestions | null;
};

/** Servers for one run, and what it needs of them. */
export type RequestedServers = Pick<ServersOfCall, 'names' | 'questions'> & {
  /** Whose servers, and whose run. */
  readonly owner: string;
  /** Whether calls of a server that the user trusts need no answer of theirs. */
  readonly countsTrust: boolean;
  /** Resolves to null where the user allows a call, otherwise to why it is not made. Never rejects. */
  readonly askUser: (step: StepToApprove, signal: AbortSignal) => Promise<StepRefusal | null>;
  /** Counts the calls, and keeps them for the account of the run. */
  readonly log: StepLog;
};

/** Lends tools of other servers to runs. */
export interface ToolProviderFactory {
  /** Resolves to null where an owner has servers of all these names, otherwise to a sentence for them. Never rejects. */
  findMissing(owner: string, names: readonly string[]): Promise<string | null>;
  /** Makes the tools of servers a source for one run; a name that is none lends nothing. Never rejects. */
  create(servers: RequestedServers): Promise<ToolProvider>;
}
