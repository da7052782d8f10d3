import type { Keychain, KeychainRead } from '@gemini-mcp/core/internal';

export type SystemKeychainOptions = {
  /** The name of this use of the keychain: secrets have names of their own within it. */
  readonly service: string;
  /** What a user can do where the keychain cannot be used. */
  readonly advice: string;
};

/** The keychain of the secrets that settings refer to. */
export const secretsKeychain: SystemKeychainOptions = {
  service: 'gemini-mcp-server',
  advice: 'Unlock it, or use file: instead.',
};

/** The keychain of the keys that logins are sealed with. Settings cannot name one of these, and so cannot send it anywhere. */
export const loginsKeychain: SystemKeychainOptions = {
  service: 'gemini-mcp-server logins',
  advice: 'Unlock it, or keep logins in files that only you can read: GEMINI_MCP_CREDENTIALS=file.',
};

/** A keychain may wait for its user to unlock it, who is not there. */
const maxWaitMs = 2_000;

type Entry = {
  getPassword(signal?: AbortSignal): Promise<string | null | undefined>;
  setPassword(secret: string, signal?: AbortSignal): Promise<void>;
  deletePassword(signal?: AbortSignal): Promise<unknown>;
};

type Keyring = {
  readonly AsyncEntry: new (
    service: string,
    name: string,
    options: { readonly linux: { readonly store: 'secret-service' } },
  ) => Entry;
};

/** The keychain of the system, or of the desktop on Linux: what this program keeps in it under one name of a service. */
export class SystemKeychain implements Keychain {
  readonly #options: SystemKeychainOptions;

  constructor(options: SystemKeychainOptions) {
    this.#options = options;
  }

  async read(name: string): Promise<KeychainRead> {
    const asked = await this.#ask(name, (entry, signal) => entry.getPassword(signal));
    if (!asked.ok) {
      return { type: 'unavailable', reason: asked.reason };
    }
    return typeof asked.value === 'string' ? { type: 'found', secret: asked.value } : { type: 'none' };
  }

  async write(name: string, secret: string): Promise<string | null> {
    const asked = await this.#ask(name, (entry, signal) => entry.setPassword(secret, signal));
    return asked.ok ? null : asked.reason;
  }

  async remove(name: string): Promise<string | null> {
    const asked = await this.#ask(name, (entry, signal) => entry.deletePassword(signal));
    return asked.ok ? null : asked.reason;
  }

  async #ask<Value>(
    name: string,
    question: (entry: Entry, signal: AbortSignal) => Promise<Value>,
  ): Promise<{ readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string }> {
    const { service, advice } = this.#options;
    const keyring = await loadKeyring();
    if (keyring === null) {
      return { ok: false, reason: `No keychain is available: @napi-rs/keyring is not installed. ${advice}` };
    }
    try {
      // Otherwise the library falls back to the kernel's keyring, which forgets everything when the machine is restarted.
      const entry = new keyring.AsyncEntry(service, name, { linux: { store: 'secret-service' } });
      const signal = AbortSignal.timeout(maxWaitMs);
      return { ok: true, value: await Promise.race([question(entry, signal), rejectWith(signal)]) };
    } catch (error) {
      const said = error instanceof Error ? error.message.replace(/\.+$/, '') : 'it failed';
      return { ok: false, reason: `The keychain cannot be used: ${said}. ${advice}` };
    }
  }
}

function rejectWith(signal: AbortSignal): Promise<never> {
  const error = new Error(`it did not answer within ${maxWaitMs / 1_000} s, and may be locked`);
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(error), { once: true });
  });
}

/** Null if it is not installed for this system. */
async function loadKeyring(): Promise<Keyring | null> {
  try {
    return await import('@napi-rs/keyring');
  } catch {
    return null;
  }
}
