export type KeychainRead =
  | { readonly type: 'found'; readonly secret: string }
  | { readonly type: 'none' }
  /** Whether the secret exists is unknown. `reason` is a sentence for a user. */
  | { readonly type: 'unavailable'; readonly reason: string };

/**
 * The system's keychain: short secrets of this user, by name. Access to the user's files alone does not reveal them. Implementations must keep
 * secrets beyond the process and a restart of the machine, and must not wait for a user for more than a few seconds. Nothing rejects.
 */
export interface Keychain {
  /** The secret last written under a name, by any process. */
  read(name: string): Promise<KeychainRead>;
  /** Writes or replaces a secret. Resolves to null, or to the reason for a failure, for a user. */
  write(name: string, secret: string): Promise<string | null>;
  /** Removes a secret, if it exists. Resolves to null, or to the reason for a failure, for a user. */
  remove(name: string): Promise<string | null>;
}
