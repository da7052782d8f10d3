/** Who asks for something other than a tool call, and for how long. */
export type SurfaceContext = {
  /** Whose the request is: whatever another owner keeps is as unknown as what never existed. Decided by whoever serves. */
  readonly owner: string;
  /** The name by which the client introduced itself, if it did. A stranger's word: for logs, not for decisions. */
  readonly clientName: string | null;
  /** Aborted when the client cancels the request or the connection closes. */
  readonly signal: AbortSignal;
};
