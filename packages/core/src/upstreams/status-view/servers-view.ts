import type { ConnectionState } from '../../ports/upstreams/connection-state.ts';
import type { UpstreamSnapshot } from '../../ports/upstreams/upstream-servers.ts';

/** Other servers as a reader is shown them: data that can be written as JSON. What servers say of themselves is in their own words. */
export type ServersView = {
  readonly servers: readonly ServerView[];
  /** What is wrong with the settings, each on one line with its place. */
  readonly problems: readonly string[];
};

export type ServerView = {
  /** As the user named it. */
  readonly name: string;
  readonly transport: UpstreamSnapshot['transport'] | null;
  /** Where it is: a command with its arguments, or an address, as the settings have it. Missing where the reader is not told. */
  readonly place?: string;
  /** The user's own words on it. */
  readonly description: string | null;
  /** `disabled` if its settings leave it off. */
  readonly state: ConnectionState['type'] | 'disabled';
  /** What went wrong the last time, in sentences. */
  readonly problem: string | null;
  /** What the user can do now, in a sentence. */
  readonly advice: string | null;
  readonly trusted: boolean;
  readonly shared: boolean;
  /** When the lists below were read, in ISO 8601; null where they never were. */
  readonly listedAt: string | null;
  readonly tools: readonly ToolView[];
  readonly prompts: readonly PromptView[];
  readonly resources: readonly ResourceView[];
  /** What was left out of the lists, and why. */
  readonly leftOut: readonly string[];
};

export type ToolView = {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly arguments: readonly ArgumentView[];
  /** Why it is not used before it is approved, with what is not as it was approved. */
  readonly withheld: { readonly reason: 'new' | 'changed' | 'unreadable'; readonly diff: string } | null;
  /** Why Gemini cannot have it, in a sentence; null for a tool that it can. Clients get it all the same. */
  readonly setAside: string | null;
  /** What a user should look at, in sentences. */
  readonly flags: readonly string[];
};

export type ArgumentView = {
  readonly name: string;
  /** As its schema says, such as `string` or `string|null`; `any` where it leaves that open. */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
};

export type PromptView = {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly arguments: readonly Omit<ArgumentView, 'type'>[];
};

export type ResourceView = {
  /** An address, or the pattern of its addresses. */
  readonly uri: string;
  readonly template: boolean;
  readonly name: string;
  readonly description: string;
  readonly mediaType: string | null;
};
