import { createHash, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '@gemini-mcp/server';
import type { Principal } from '../principal.ts';

export type StaticToken = {
  readonly sha256: Uint8Array;
  readonly principal: Principal;
};

/** What is kept of a token, and compared. */
export function tokenDigest(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

/** The tokens that do not change while the server runs. Throws a `ConfigurationError` where one has two principals. */
export class StaticTokens {
  readonly #tokens: readonly StaticToken[];

  constructor(tokens: readonly StaticToken[]) {
    const names = new Map<string, string>();
    for (const { sha256, principal } of tokens) {
      const digest = Buffer.from(sha256).toString('hex');
      const other = names.get(digest);
      if (other !== undefined) {
        throw new ConfigurationError(
          `The principals ${other} and ${principal.name} have the same token. Give each its own.`,
        );
      }
      names.set(digest, principal.name);
    }
    this.#tokens = [...tokens];
  }

  /** Whose a token is. Takes equally long whichever it is, or none: what is compared are digests, and all of them. */
  find(token: string): Principal | null {
    const digest = tokenDigest(token);
    let found: Principal | null = null;
    for (const { sha256, principal } of this.#tokens) {
      found = timingSafeEqual(sha256, digest) ? principal : found;
    }
    return found;
  }
}
