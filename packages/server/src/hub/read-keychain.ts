import type { AsyncEntry } from '@napi-rs/keyring';

export type KeychainRead =
  | { readonly read: true; readonly text: string }
  /** A sentence for a user, without the secret. */
  | { readonly read: false; readonly reason: string };

/** The name of our use of the keychain: settings can name nothing else that lies in it. */
export const keychainService = 'gemini-mcp-server';

/** A keychain may wait for its user to unlock it, who is not there. */
const maxWaitMs = 2_000;

/** The secret that the keychain of the system, or of the desktop on Linux, has for us under a name. Never rejects. */
export async function readKeychain(name: string): Promise<KeychainRead> {
  const entryClass = await loadEntryClass();
  if (entryClass === null) {
    return { read: false, reason: `There is no keychain here: @napi-rs/keyring is not installed. ${advice}` };
  }
  try {
    // Otherwise the library falls back to the kernel's keyring, which forgets everything when the machine is restarted.
    const entry = new entryClass(keychainService, name, { linux: { store: 'secret-service' } });
    const signal = AbortSignal.timeout(maxWaitMs);
    const text = await Promise.race([entry.getPassword(signal), rejectWith(signal)]);
    return typeof text === 'string'
      ? { read: true, text }
      : { read: false, reason: `The keychain has nothing under the name ${JSON.stringify(name)}.` };
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/\.+$/, '') : 'it failed';
    return { read: false, reason: `The keychain cannot be used: ${said}. ${advice}` };
  }
}

const advice = 'Unlock it, or use file: instead.';

function rejectWith(signal: AbortSignal): Promise<never> {
  const error = new Error(`it did not answer within ${maxWaitMs / 1_000} s, and may be locked`);
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(error), { once: true });
  });
}

/** Null if it is not installed for this system. */
async function loadEntryClass(): Promise<typeof AsyncEntry | null> {
  try {
    return (await import('@napi-rs/keyring')).AsyncEntry;
  } catch {
    return null;
  }
}
