/** An approval that holds beyond its run. */
export type LastingApproval = {
  /** The id to revoke it by: a digest of the approved command or tool, so that an entry edited by hand gets a new id. */
  readonly id: string;
  /** The real path of the working directory that it holds for; null for all directories. */
  readonly directory: string | null;
  /** Commands that begin with these words, with network access only if `network` is set; or one tool of the server with this digest. */
  readonly allows:
    | { readonly type: 'command'; readonly prefix: readonly [string, ...string[]]; readonly network: boolean }
    | { readonly type: 'tool'; readonly server: string; readonly tool: string; readonly digest: string };
  readonly allowedAtMs: number;
};

/** The input for a `LastingApproval`: the store computes the id. */
export type ApprovalToKeep = Omit<LastingApproval, 'id'>;

/**
 * Keeps a user's lasting approvals, in the user's settings and never in a project. Implementations must treat a record that they cannot read as no
 * approval, and lose nothing when two processes write at once.
 */
export interface ApprovalStore {
  /** Never rejects: skips records that it cannot read. */
  list(signal: AbortSignal): Promise<readonly LastingApproval[]>;
  /** Resolves to null once the approval is saved, otherwise to the reason, as a text for a user. An approval that exists already stays unchanged. */
  add(approval: ApprovalToKeep, signal: AbortSignal): Promise<string | null>;
  /** Resolves to whether the approval existed. */
  revoke(id: string, signal: AbortSignal): Promise<boolean>;
}
