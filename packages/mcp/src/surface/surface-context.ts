import type { TraceContext } from '@gemini-mcp/core';

/** Who sends a request other than a tool call, and for how long. */
export type SurfaceContext = {
  /** The owner of the request. An owner never sees another owner's data. The embedding server assigns owners. */
  readonly owner: string;
  /** The client's own name from `initialize`, if any. Unverified: for logs, not for decisions. */
  readonly clientName: string | null;
  /** Aborted when the client cancels the request or the connection closes. */
  readonly signal: AbortSignal;
  /** The trace that the request belongs to, if it states a valid one. For requests to others, never for decisions. */
  readonly trace?: TraceContext | undefined;
};

/** The client's root URIs, unchecked; null if it offers no roots or has not answered. */
export type ClientRootUris = readonly string[] | null;
