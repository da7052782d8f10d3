export type KeychainRead =
  | { readonly type: 'found'; readonly secret: string }
  | { readonly type: 'none' }
  /** It cannot be known whether there is one. A sentence for a user. */
  | { readonly type: 'unavailable'; readonly reason: string };

/**
 * Short secrets of this user, by name, where the system keeps such: who has the files of the user alone does not have them. An implementer
 * owes that they outlive the process and a restart of the machine, and that no call waits for a user for longer than some seconds. Nothing
 * rejects.
 */
export interface Keychain {
  /** The secret that was written last under a name, by whichever process. */
  read(name: string): Promise<KeychainRead>;
  /** Puts a secret in the place of what was there. Resolves to null, or to why not, for a user. */
  write(name: string, secret: string): Promise<string | null>;
  /** Takes a secret away; one that is not there is no problem. Resolves to null, or to why not, for a user. */
  remove(name: string): Promise<string | null>;
}
