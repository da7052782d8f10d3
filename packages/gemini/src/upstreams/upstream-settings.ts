import type { UpstreamConfig } from '@gemini-mcp/upstreams';

/** What the settings of other servers say now. */
export type UpstreamSettingsRead = {
  /** Of all places that count. */
  readonly merged: UpstreamConfig;
  readonly files: readonly {
    /** Where programs of its servers start, and from where relative paths lead. */
    readonly directory: string;
    /** Null for one that does not count. */
    readonly settings: UpstreamConfig | null;
  }[];
};

/** Where the settings of other servers are read. */
export type UpstreamSettings = {
  /** Whether there are any: without them nothing of what speaks with servers is loaded. Never rejects. */
  readonly isThere: () => Promise<boolean>;
  /** The same object for as long as nothing has changed. Rejects only if what reads them cannot be loaded. */
  readonly read: () => Promise<UpstreamSettingsRead>;
};
