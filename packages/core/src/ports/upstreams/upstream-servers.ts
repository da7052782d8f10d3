import type { CallProgress } from '../tool-provider.ts';
import type { ConnectionState } from './connection-state.ts';
import type { ListedTool, ServerLists } from './server-lists.ts';
import type { ServerQuestions } from './server-questions.ts';

/** A tool of another server, by the names that the user gave the server and the server gave the tool. */
export type ServerTool = { readonly server: string; readonly tool: string };

export type ToolJudgement =
  /** As it was approved, or seen for the first time together with its server. */
  | { readonly type: 'lent' }
  /**
   * Withheld until it is approved. `diff` shows what is not as it was approved, whole: all of it for a tool that was not there. It is made when
   * it is asked for.
   */
  | { readonly type: 'withheld'; readonly reason: 'new' | 'changed' | 'unreadable'; readonly diff: string };

/** A tool of another server, and whether it is as it was approved. */
export type JudgedTool = { readonly listed: ListedTool; readonly judgement: ToolJudgement };

/** What another server offers, of which only `lent` tools may be used. Tools that the settings leave out are not there. */
export type UpstreamListing = Omit<ServerLists, 'tools'> & { readonly tools: readonly JudgedTool[] };

/** Another MCP server, as it is known at a time. */
export type UpstreamSnapshot = {
  /** As the user named it. */
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse' | 'either';
  /** The user's own words on it; null where there are none. */
  readonly description: string | null;
  /** SHA-256 of all that says what the server is: consent and trust hold for it alone. */
  readonly digest: string;
  /** The user has said that its calls need no confirmation. */
  readonly isTrusted: boolean;
  /** One process and one login for all owners. */
  readonly isShared: boolean;
  readonly state: ConnectionState;
  /** Null where they never were read. */
  readonly lists: UpstreamListing | null;
  /**
   * Why the lists could not be read the last time; of a server that waits for a login, why the last one is of no use. Sentences for a user.
   */
  readonly listProblem: string | null;
};

/** Asks for values of an argument of a prompt, or of a variable of a resource template. A server that has none to offer is not asked. */
export type ArgumentCompletion = {
  readonly type: 'completion';
  /** A template is named by its pattern of addresses. */
  readonly of: 'prompt' | 'template';
  readonly name: string;
  readonly argument: string;
  /** Its beginning, as typed so far. */
  readonly value: string;
  /** Other arguments, which have their values already. */
  readonly given: Readonly<Record<string, string>>;
};

export type UpstreamCall = {
  /** As the user named it. */
  readonly server: string;
  /** With names and arguments as the server has them. */
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
  /** Passes on what the server asks of the user meanwhile; null where no user can be asked. */
  readonly questions: ServerQuestions | null;
};

/** What became of a request to another server. */
export type ServerReply =
  /** The result as the server wrote it: nothing of it is taken on trust. */
  | { readonly type: 'answered'; readonly result: Readonly<Record<string, unknown>> }
  /** The server refused. Its own words, neither capped nor escaped. */
  | { readonly type: 'error'; readonly message: string }
  /** It answered what cannot be read: `detail` says why. It has carried the request out, for all that is known. */
  | { readonly type: 'unreadable'; readonly detail: string }
  /** The tool is withheld, left out or not there, and was not asked for: `detail` says which, and what to do. */
  | { readonly type: 'kept-back'; readonly detail: string }
  /** There is no connection, or none any more: `detail` says why. Where it was sent, the server may have carried it out. */
  | { readonly type: 'unavailable'; readonly detail: string; readonly wasSent: boolean }
  | { readonly type: 'timed-out'; readonly wasSent: boolean }
  | { readonly type: 'cancelled'; readonly wasSent: boolean };

/**
 * The other MCP servers of one owner. An implementer owes:
 *
 * - Nothing of one owner to another: processes, lists, credentials, answers; but for servers that are shared by the operator's word.
 * - A reply to each request by its deadline and soon after an abort, and never a rejection. A tool that is withheld, left out or not there is
 *   `kept-back`, and not asked for.
 * - A list at once for servers that were listed before, whatever they do now.
 */
export interface UpstreamServers {
  /**
   * Those that are on, in the order of the settings. A server of which nothing is known is asked for its lists, and waited for at most
   * `waitMs`; with 0 it is not. Rejects only when it is aborted, with the reason of the signal.
   */
  list(options: { readonly waitMs: number }, signal: AbortSignal): Promise<readonly UpstreamSnapshot[]>;
  request(request: UpstreamCall, signal: AbortSignal): Promise<ServerReply>;
  /** Hears of each change of a list, a state or the settings until what it returns is called. */
  onChange(listener: () => void): () => void;
}
