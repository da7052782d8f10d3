import { join, resolve } from 'node:path';
import { readSecretFile } from '@gemini-mcp/adapters-node/internal';
import type { SecretReference } from '@gemini-mcp/hub';
import { SystemKeychain, secretsKeychain } from './system-keychain.ts';

export type SecretRead =
  | { readonly read: true; readonly text: string }
  /** A sentence for a user, without the secret. */
  | { readonly read: false; readonly reason: string };

export type SecretPlace = {
  /** From where relative paths lead. */
  readonly directory: string;
  readonly home: string;
};

/** The secret that settings refer to. Never rejects. */
export async function readSecret({ kind, name }: SecretReference, place: SecretPlace): Promise<SecretRead> {
  if (kind === 'keychain') {
    return await readFromKeychain(name);
  }
  const path = name.startsWith('~/') ? join(place.home, name.slice(2)) : resolve(place.directory, name);
  const file = await readSecretFile(path);
  return file.read ? file : { read: false, reason: `The file ${path} ${file.reason}.` };
}

async function readFromKeychain(name: string): Promise<SecretRead> {
  const read = await new SystemKeychain(secretsKeychain).read(name);
  switch (read.type) {
    case 'found':
      return { read: true, text: read.secret };
    case 'none':
      return { read: false, reason: `The keychain has nothing under the name ${JSON.stringify(name)}.` };
    case 'unavailable':
      return { read: false, reason: read.reason };
  }
}
