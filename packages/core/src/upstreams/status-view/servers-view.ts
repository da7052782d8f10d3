import type { ConnectionState } from '../../ports/upstreams/connection-state.ts';
import type { UpstreamSnapshot } from '../../ports/upstreams/upstream-servers.ts';

/** The upstreams as a reader sees them: data that can be written as JSON. Servers describe themselves in their own words. */
export type ServersView = {
  readonly servers: readonly ServerView[];
  /** Problems in the settings, each on one line with its position. */
  readonly problems: readonly string[];
};

export type ServerView = {
  /** The user's name for it. */
  readonly name: string;
  readonly transport: UpstreamSnapshot['transport'] | null;
  /** Its command with arguments, or its address, from the settings. Missing if the reader must not see it. */
  readonly place?: string;
  /** The user's own description. */
  readonly description: string | null;
  /** `disabled` if the settings turn it off. */
  readonly state: ConnectionState['type'] | 'disabled';
  /** The last problem, in sentences. */
  readonly problem: string | null;
  /** What the user can do now, in a sentence. */
  readonly advice: string | null;
  readonly trusted: boolean;
  readonly shared: boolean;
  /** When the lists below were read, in ISO 8601; null if they never were. */
  readonly listedAt: string | null;
  readonly tools: readonly ToolView[];
  readonly prompts: readonly PromptView[];
  readonly resources: readonly ResourceView[];
  /** The entries left out of the lists, and the reasons. */
  readonly leftOut: readonly string[];
};

export type ToolView = {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly arguments: readonly ArgumentView[];
  /** Why it needs approval, with the difference from the approved tool. */
  readonly withheld: { readonly reason: 'new' | 'changed' | 'unreadable'; readonly diff: string } | null;
  /** Why Gemini cannot use it, in a sentence; null for a tool that it can. Clients get it in any case. */
  readonly setAside: string | null;
  /** What a user should check, in sentences. */
  readonly flags: readonly string[];
};

export type ArgumentView = {
  readonly name: string;
  /** From its schema, such as `string` or `string|null`; `any` if the schema leaves it open. */
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
  /** An address, or a URI pattern. */
  readonly uri: string;
  readonly template: boolean;
  readonly name: string;
  readonly description: string;
  readonly mediaType: string | null;
};
