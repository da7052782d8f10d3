import { pathToFileURL } from 'node:url';
import { rootsOf } from '../composition/roots-of.ts';
import { reachOfServer } from '../reach/reach.ts';
import type { Configuration } from '../settings/configuration.ts';

export type HubRootsOptions = {
  readonly configuration: Configuration;
  readonly isOfOneUser: boolean;
  /** Over HTTP: the directories that the operator has given a principal, as real paths; null where it has none of its own. */
  readonly rootsOfOwner?: ((owner: string) => readonly string[] | null) | undefined;
};

/**
 * The directories that other servers may take for those of their owner: where calls of that owner may have files read, and nowhere else. Over
 * HTTP none is told that belongs to the server and not to the principal.
 */
export class HubRoots {
  readonly #options: HubRootsOptions;
  #named: readonly string[] = [];

  constructor(options: HubRootsOptions) {
    this.#options = options;
  }

  /** Addresses of directories as they are when it is called; null for an owner who has none, and never will. */
  of(owner: string): (() => Promise<readonly string[]>) | null {
    const { isOfOneUser, rootsOfOwner } = this.#options;
    const own = isOfOneUser ? null : (rootsOfOwner?.(owner) ?? null);
    if (!isOfOneUser && own === null) {
      return null;
    }
    return async () => (own ?? this.#ofUser()).map((path) => pathToFileURL(path).href);
  }

  /** The client has named these directories, real paths, in the place of those before. False where they are the same. */
  name(directories: readonly string[]): boolean {
    const isNew = JSON.stringify(directories) !== JSON.stringify(this.#named);
    this.#named = [...directories];
    return isNew;
  }

  /** What a client names counts where the server has no root of its own. */
  #ofUser(): readonly string[] {
    const { configuration } = this.#options;
    return configuration.noRootBecause === null ? rootsOf(configuration, reachOfServer(configuration)) : this.#named;
  }
}
