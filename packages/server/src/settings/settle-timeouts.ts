/** How long a call may take where neither the caller nor the operator says so. */
export const defaultTimeoutsMs = { query: 120_000, chat: 600_000, search: 60_000 } as const;

export type TimeoutSettings = {
  readonly timeoutMs: number | null;
  readonly chatTimeoutMs: number | null;
  readonly searchTimeoutMs: number | null;
};

export type Timeouts = {
  /** For gemini_query and gemini_job when the caller gives none. */
  readonly queryTimeoutMs: number;
  /** For geminiChat, chat and chat-reply. */
  readonly chatTimeoutMs: number;
  /** For googleSearch. */
  readonly searchTimeoutMs: number;
};

/** The common timeout holds wherever a tool has none of its own. */
export function settleTimeouts({ timeoutMs, chatTimeoutMs, searchTimeoutMs }: TimeoutSettings): Timeouts {
  return {
    queryTimeoutMs: timeoutMs ?? defaultTimeoutsMs.query,
    chatTimeoutMs: chatTimeoutMs ?? timeoutMs ?? defaultTimeoutsMs.chat,
    searchTimeoutMs: searchTimeoutMs ?? timeoutMs ?? defaultTimeoutsMs.search,
  };
}
