import type { Keychain, KeychainRead } from '@gemini-mcp/core/internal';

/** A keychain for tests. Several with the same `secrets` are several processes with one keychain. */
export class InMemoryKeychain implements Keychain {
  readonly secrets: Map<string, string>;
  /** If set, reads and writes fail for this reason. */
  problem: string | null = null;

  constructor(secrets: Map<string, string> = new Map()) {
    this.secrets = secrets;
  }

  async read(name: string): Promise<KeychainRead> {
    if (this.problem !== null) {
      return { type: 'unavailable', reason: this.problem };
    }
    const secret = this.secrets.get(name);
    return secret === undefined ? { type: 'none' } : { type: 'found', secret };
  }

  async write(name: string, secret: string): Promise<string | null> {
    if (this.problem === null) {
      this.secrets.set(name, secret);
    }
    return this.problem;
  }

  async remove(name: string): Promise<string | null> {
    if (this.problem === null) {
      this.secrets.delete(name);
    }
    return this.problem;
  }
}
