import type { CredentialStore, ServerCredential } from '@gemini-mcp/core/internal';
import { LoginProblem } from './login-subject.ts';

export type CredentialToKeep = {
  readonly store: CredentialStore;
  readonly owner: string;
  readonly credential: ServerCredential;
};

/** Another process may save at the same time, when it renews the old tokens. */
const maxTries = 10;

/** Keeps the credential of a login in place of all others for its server. Rejects with a `LoginProblem`. */
export async function keepCredential(toKeep: CredentialToKeep, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const expectedVersion = await makeRoom(toKeep, signal);
    const saved = await toKeep.store.save(toKeep.owner, { credential: toKeep.credential, expectedVersion }, signal);
    if (saved.saved) {
      return;
    }
    if (saved.reason === 'unavailable') {
      throw new LoginProblem(`The login could not be kept: ${saved.detail}.`);
    }
  }
  throw new LoginProblem('The login could not be kept: others change it all the time.');
}

/** The version to save over. A credential of another issuer goes, and one that cannot be read, such as for want of its key. */
async function makeRoom({ store, owner, credential }: CredentialToKeep, signal: AbortSignal): Promise<number> {
  const { server, issuer } = credential;
  const place = { owner, server };
  const kept = await store.find(place, signal).catch(() => 'unreadable' as const);
  signal.throwIfAborted();
  if (kept !== null && kept !== 'unreadable' && kept.credential.issuer === issuer) {
    return kept.version;
  }
  const problem = kept === null ? null : await store.remove(place, signal);
  if (problem !== null) {
    throw new LoginProblem(`The login could not be kept. ${problem}`);
  }
  return 0;
}
