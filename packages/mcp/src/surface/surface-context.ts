/** Who asks for something other than a tool call, and for how long. */
export type SurfaceContext = {
  /** Whose the request is: an owner never learns of anything that another one keeps. The server that uses this package decides. */
  readonly owner: string;
  /** The name by which the client introduced itself, if it did. A stranger's word: for logs, not for decisions. */
  readonly clientName: string | null;
  /** Aborted when the client cancels the request or the connection closes. */
  readonly signal: AbortSignal;
};

/** The URIs that a client gave as its roots, unchecked; null where it offers none or has not answered. */
export type ClientRootUris = readonly string[] | null;
