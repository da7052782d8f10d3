/** Where secrets of settings lie in the system's keychain: under this name, and their own. */
const service = 'gemini-mcp-server';

/** A keychain may wait for its user to unlock it, who is not there. */
const maxWaitMs = 2_000;

export type KeychainRead =
  | { readonly read: true; readonly text: string }
  /** A sentence for a user. */
  | { readonly read: false; readonly reason: string };

type Keyring = {
  readonly AsyncEntry: new (
    service: string,
    name: string,
  ) => { getPassword(signal?: AbortSignal): Promise<string | null | undefined> };
};

/** A secret of the system's keychain by its name. Never rejects. */
export async function readKeychain(name: string): Promise<KeychainRead> {
  const keyring = await loadKeyring();
  if (keyring === null) {
    return { read: false, reason: 'There is no keychain here: @napi-rs/keyring is not installed. Use file: instead.' };
  }
  const signal = AbortSignal.timeout(maxWaitMs);
  const late = new Promise<KeychainRead>((resolve) => {
    const reason = `The keychain did not answer within ${maxWaitMs / 1_000} s. Unlock it, or use file: instead.`;
    signal.addEventListener('abort', () => resolve({ read: false, reason }), { once: true });
  });
  return await Promise.race([readEntry(keyring, name, signal), late]);
}

async function readEntry({ AsyncEntry }: Keyring, name: string, signal: AbortSignal): Promise<KeychainRead> {
  try {
    const text = await new AsyncEntry(service, name).getPassword(signal);
    return typeof text === 'string'
      ? { read: true, text }
      : { read: false, reason: `The keychain has nothing under the name ${JSON.stringify(name)}.` };
  } catch (error) {
    return { read: false, reason: `The keychain refuses: ${error instanceof Error ? error.message : 'it failed'}.` };
  }
}

/** Null where it is not installed for this system. */
async function loadKeyring(): Promise<Keyring | null> {
  try {
    return await import('@napi-rs/keyring');
  } catch {
    return null;
  }
}
