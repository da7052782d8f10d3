import type { CallProgress } from '../tool-provider.ts';
import type { TraceContext } from '../trace-context.ts';
import type { ConnectionState } from './connection-state.ts';
import type { ListedTool, ServerLists } from './server-lists.ts';
import type { ServerQuestions } from './server-questions.ts';

/** A tool of an upstream, by the user's name for the server and the server's name for the tool. */
export type ServerTool = { readonly server: string; readonly tool: string };

export type ToolJudgement =
  /** Unchanged since its approval, or first seen together with its server. */
  | { readonly type: 'offered' }
  /** Withheld until it is approved. `diff`, made on access, shows the whole difference from the approved tool, or the whole tool if it is new. */
  | { readonly type: 'withheld'; readonly reason: 'new' | 'changed' | 'unreadable'; readonly diff: string };

/** An upstream's tool, and whether it matches its approval. */
export type JudgedTool = { readonly listed: ListedTool; readonly judgement: ToolJudgement };

/** What an upstream offers. Only tools judged `offered` may be used; tools that the settings exclude are missing. */
export type UpstreamListing = Omit<ServerLists, 'tools'> & { readonly tools: readonly JudgedTool[] };

/** An upstream, as currently known. */
export type UpstreamSnapshot = {
  /** The user's name for it. */
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse' | 'either';
  /** The user's own description; null if missing. */
  readonly description: string | null;
  /** SHA-256 of everything that identifies the server: consent and trust hold for it alone. */
  readonly digest: string;
  /** The user has marked it as trusted: its calls need no approval. */
  readonly isTrusted: boolean;
  /** All owners share one process and one login. */
  readonly isShared: boolean;
  readonly state: ConnectionState;
  /** Null if they were never read. */
  readonly lists: UpstreamListing | null;
  /** Why the last read of the lists failed or, if the server awaits a login, why the last login is no longer valid. Sentences for a user. */
  readonly listProblem: string | null;
};

/** Completes an argument of a prompt or a variable of a resource template. A server without completion support gets no request. */
export type ArgumentCompletion = {
  readonly type: 'completion';
  /** A template is named by its URI pattern. */
  readonly of: 'prompt' | 'template';
  readonly name: string;
  readonly argument: string;
  /** The beginning that the user has typed. */
  readonly value: string;
  /** Other arguments, already filled in. */
  readonly given: Readonly<Record<string, string>>;
};

export type UpstreamCall = {
  /** The user's name for it. */
  readonly server: string;
  /** Names and arguments are the server's own. */
  readonly asks:
    | {
        readonly type: 'tool';
        readonly tool: string;
        readonly arguments: Readonly<Record<string, unknown>>;
      }
    | { readonly type: 'prompt'; readonly prompt: string; readonly arguments: Readonly<Record<string, string>> }
    | { readonly type: 'resource'; readonly uri: string }
    | ArgumentCompletion;
  readonly deadlineAtMs: number;
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
  /** Passes the server's questions on to the user; null if no user can be asked. */
  readonly questions: ServerQuestions | null;
  /** Goes to the server in `_meta` of the request. No trace if missing. */
  readonly trace?: TraceContext | undefined;
};

/** The outcome of a request to an upstream. */
export type ServerReply =
  /** The result as the server wrote it, unvalidated. */
  | { readonly type: 'answered'; readonly result: Readonly<Record<string, unknown>> }
  /** The server refused. The message is the server's own, neither capped nor escaped. */
  | { readonly type: 'error'; readonly message: string }
  /** The answer was not valid: `detail` says why. The server may have carried out the request. */
  | { readonly type: 'unreadable'; readonly detail: string }
  /** The tool is withheld, excluded or missing, and was not called: `detail` says which, and what to do. */
  | { readonly type: 'kept-back'; readonly detail: string }
  /** There is no connection, or it was lost: `detail` says why. If `wasSent`, the server may have carried out the request. */
  | { readonly type: 'unavailable'; readonly detail: string; readonly wasSent: boolean }
  | { readonly type: 'timed-out'; readonly wasSent: boolean }
  | { readonly type: 'cancelled'; readonly wasSent: boolean };

/**
 * The upstreams of one owner. Implementations must:
 *
 * - Share nothing between owners (processes, lists, credentials, answers), except servers that the operator marked as shared.
 * - Reply to each request by its deadline and soon after an abort, and never reject. A tool that is withheld, excluded or missing is `kept-back` and
 *   not called.
 * - Return known lists at once, whatever the servers do now.
 */
export interface UpstreamServers {
  /**
   * The enabled upstreams, in the order of the settings. Reads the lists that are not read yet and waits for them for at most `waitMs`; 0 reads
   * nothing. Rejects only if aborted, with the signal's reason.
   */
  list(options: { readonly waitMs: number }, signal: AbortSignal): Promise<readonly UpstreamSnapshot[]>;
  request(request: UpstreamCall, signal: AbortSignal): Promise<ServerReply>;
  /** Calls the listener on each change of a list, a state or the settings until the returned function is called. */
  onChange(listener: () => void): () => void;
}
