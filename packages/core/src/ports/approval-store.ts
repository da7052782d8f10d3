/** What a user has allowed for good. */
export type LastingApproval = {
  /** By which it is revoked: a digest of what it allows, so that what was changed by hand is another. */
  readonly id: string;
  /** The real path of the working directory for which it holds; null for every one. */
  readonly directory: string | null;
  /** Commands that begin with these words, with the network only where `network` says so; or one tool of the server that has this digest. */
  readonly allows:
    | { readonly type: 'command'; readonly prefix: readonly [string, ...string[]]; readonly network: boolean }
    | { readonly type: 'tool'; readonly server: string; readonly tool: string; readonly digest: string };
  readonly allowedAtMs: number;
};

/** What a store makes a `LastingApproval` of: the id is its own to tell. */
export type ApprovalToKeep = Omit<LastingApproval, 'id'>;

/**
 * Keeps what a user has allowed for good, in settings of the user and never in a project. An implementer owes that a record that it cannot
 * read allows nothing, and that nothing is lost when two write at once.
 */
export interface ApprovalStore {
  /** Never rejects: what cannot be read is not there. */
  list(signal: AbortSignal): Promise<readonly LastingApproval[]>;
  /** Resolves to null when it is kept, otherwise to why it is not, in words for a user. What is kept already stays as it is. */
  add(approval: ApprovalToKeep, signal: AbortSignal): Promise<string | null>;
  /** Resolves to whether there was such an approval. */
  revoke(id: string, signal: AbortSignal): Promise<boolean>;
}
