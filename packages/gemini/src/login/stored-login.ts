import {
  type LoginFileRead,
  loginFilePath,
  readLoginFile,
  removeLoginFile,
  writeLoginFile,
} from '@gemini-mcp/adapters-node/internal';
import type { Keychain } from '@gemini-mcp/core/internal';
import { SystemKeychain } from '../upstreams/system-keychain.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type LoginPlace = 'file' | 'keychain';

/** A stored login as read. */
export type ReadLogin =
  | { readonly type: 'none' }
  | { readonly type: 'found'; readonly place: LoginPlace; readonly key: string }
  /** A sentence for a user. */
  | { readonly type: 'unreadable'; readonly problem: string };

const advice = 'Unlock it, or keep the key in a file: gemini-mcp-server login --store file.';

/** The user's key for the Gemini API: in a private file, or in the keychain and then named by the file. */
export class LoginStore {
  readonly path: string;
  readonly #keychain: Keychain;

  /** `environment` has the home. The keychain is used only if the file says so, or to store something there. */
  constructor(
    environment: Environment,
    keychain: Keychain = new SystemKeychain({ service: 'gemini-mcp-server login', advice }),
  ) {
    this.path = loginFilePath(environment);
    this.#keychain = keychain;
  }

  /** What the file says, without asking the keychain. Never throws. */
  look(): LoginFileRead {
    return readLoginFile(this.path);
  }

  /** Waits five seconds at most for a keychain that does not answer. Never rejects. */
  async read(): Promise<ReadLogin> {
    const read = this.look();
    switch (read.type) {
      case 'none':
        return read;
      case 'refused':
        return { type: 'unreadable', problem: `${this.path} ${read.reason}.` };
      case 'found':
        return read.login.place === 'file' ? { type: 'found', ...read.login } : await this.#ask();
    }
  }

  async #ask(): Promise<ReadLogin> {
    // Programs with different homes share the keychain.
    const read = await this.#keychain.read(this.path);
    switch (read.type) {
      case 'found':
        return { type: 'found', place: 'keychain', key: read.secret };
      case 'none':
        return {
          type: 'unreadable',
          problem: 'The keychain no longer has the key. Log in again: gemini-mcp-server login',
        };
      case 'unavailable':
        return { type: 'unreadable', problem: read.reason };
    }
  }

  /** Stores a key in place of the one before. Resolves to null, or to the reason for a failure, a sentence for a user. */
  async write(place: LoginPlace, key: string): Promise<string | null> {
    return place === 'keychain' ? await this.#writeToKeychain(key) : await this.#writeToFile(key);
  }

  async #writeToKeychain(key: string): Promise<string | null> {
    const problem = await this.#keychain.write(this.path, key);
    if (problem !== null) {
      return problem;
    }
    const read = await this.#keychain.read(this.path);
    if (read.type !== 'found' || read.secret !== key) {
      return 'The keychain does not return the key that was stored in it.';
    }
    return this.#failure(await writeLoginFile(this.path, { place: 'keychain' }));
  }

  async #writeToFile(key: string): Promise<string | null> {
    const before = this.look();
    const problem = this.#failure(await writeLoginFile(this.path, { place: 'file', key }));
    if (problem === null && before.type === 'found' && before.login.place === 'keychain') {
      await this.#keychain.remove(this.path);
    }
    return problem;
  }

  /** Removes the key, if one is stored. Resolves to null, or to the reason for a failure, a sentence for a user. */
  async remove(): Promise<string | null> {
    const read = this.look();
    if (read.type === 'found' && read.login.place === 'keychain') {
      const problem = await this.#keychain.remove(this.path);
      if (problem !== null) {
        return problem;
      }
    }
    return this.#failure(await removeLoginFile(this.path));
  }

  #failure(reason: string | null): string | null {
    return reason === null ? null : `${this.path} could not be changed: ${reason}.`;
  }
}
