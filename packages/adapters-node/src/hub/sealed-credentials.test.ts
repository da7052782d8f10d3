import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ServerCredential } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { InMemoryKeychain } from '@gemini-mcp/port-contracts/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Quarantined } from '../state/quarantine.ts';
import { FileCredentialStore } from './file-credential-store.ts';

const never = new AbortController().signal;
const server = 'https://mcp.example.com/mcp';
const issuer = 'https://login.example.com';
const place = { owner: 'alice', server };

const credential: ServerCredential = {
  server,
  resource: server,
  issuer,
  tokenUrl: `${issuer}/token`,
  tokenMethods: [],
  revocationUrl: null,
  client: {
    id: 'ours',
    secret: 'a-secret-of-ours',
    method: null,
    secretExpiresAtMs: null,
    redirectUri: 'http://127.0.0.1:1/oauth/callback',
    scopes: [],
  },
  serial: 'first',
  tokens: { access: 'an-access-token', refresh: 'a-refresh-token', expiresAtMs: null, scopes: ['tools'] },
  refusal: null,
  wantedScopes: [],
  renewal: null,
  updatedAtMs: 1,
};

let clock: FakeClock;
let directory: string;
let keychain: InMemoryKeychain;
let quarantined: Quarantined[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sealed-credentials-'));
  clock = new FakeClock();
  keychain = new InMemoryKeychain();
  quarantined = [];
});

afterEach(() => rm(directory, { recursive: true }));

/** As a process of its own. */
function open(kind: 'sealed' | 'plain' = 'sealed'): FileCredentialStore {
  const onQuarantine = (one: Quarantined): number => quarantined.push(one);
  const options = { directory, clock, keychain, isSealed: kind === 'sealed', onQuarantine };
  return new FileCredentialStore(options);
}

async function save(
  store: FileCredentialStore,
  owner = 'alice',
  fields: Partial<ServerCredential> = {},
): Promise<void> {
  const kept = { credential: { ...credential, ...fields }, expectedVersion: 0 };
  expect(await store.save(owner, kept, never)).toMatchObject({ saved: true });
}

async function files(): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function recordFile(): Promise<string> {
  const found = (await files()).filter((path) => path.includes('/credentials/') && path.endsWith('.json'));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

async function allText(): Promise<string> {
  return (await Promise.all((await files()).map((path) => readFile(path, 'utf8')))).join('\n');
}

function digest(text: string): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, 32);
}

const anythingSecret = /token|secret|example|ours|first/;

describe('Credentials that are sealed', () => {
  it('no file has anything of them in it, and only the user can read it', async () => {
    await save(open());
    expect(await allText()).not.toMatch(anythingSecret);
    const modes = await Promise.all((await files()).map(async (path) => (await stat(path)).mode & 0o777));
    expect(process.platform === 'win32' ? [] : [...new Set(modes)]).toEqual(
      process.platform === 'win32' ? [] : [0o600],
    );
    expect((await open().find(place, never))?.credential).toEqual(credential);
  });

  it('the same one, sealed twice, is not the same text', async () => {
    await save(open(), 'alice');
    const first = await readFile(await recordFile(), 'utf8');
    const found = await open().find(place, never);
    await open().save('alice', { credential, expectedVersion: found?.version ?? 0 }, never);
    const second = await readFile(await recordFile(), 'utf8');
    for (const part of ['nonce', 'text', 'tag']) {
      const value = (text: string): string => new RegExp(`"${part}":"([^"]+)"`).exec(text)?.[1] ?? part;
      expect(value(second)).not.toBe(value(first));
    }
  });

  it('one whose record says that it is of another owner is none', async () => {
    await save(open());
    const path = await recordFile();
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"alice"', '"bob"'));
    const ofAlice = dirname(dirname(path));
    await save(open(), 'bob', { server: `${server}/other` });
    const directories = await readdir(dirname(ofAlice));
    const ofBob = directories.find((name) => name !== ofAlice.slice(dirname(ofAlice).length + 1));
    await rename(dirname(path), join(dirname(ofAlice), ofBob ?? '', dirname(path).slice(ofAlice.length + 1)));
    expect(await open().find({ owner: 'bob', server }, never)).toBeNull();
    expect(quarantined).toMatchObject([{ reason: 'not as it was sealed, or sealed for another place' }]);
  });

  it.each([
    ['another server', ['https://evil.example/mcp', issuer]],
    ['another issuer', [server, 'https://evil.example']],
  ] as const)('one that was moved to the place of %s is none', async (_what, [otherServer, otherIssuer]) => {
    await save(open());
    const record = dirname(await recordFile());
    await rename(record, join(dirname(record), `${digest(otherServer)}-${digest(otherIssuer)}`));
    expect(await open().find({ owner: 'alice', server: otherServer }, never)).toBeNull();
    expect(quarantined).toMatchObject([{ reason: 'not as it was sealed, or sealed for another place' }]);
  });

  it.each(['nonce', 'text', 'tag'])('one with another %s is none', async (part) => {
    await save(open());
    const path = await recordFile();
    const changed = (await readFile(path, 'utf8')).replace(new RegExp(`"${part}":"(.)`), (all: string, first: string) =>
      all.replace(/.$/, first === 'A' ? 'B' : 'A'),
    );
    await writeFile(path, changed);
    expect(await open().find(place, never)).toBeNull();
    expect(quarantined).toHaveLength(1);
  });

  it('one with a tag that was cut is none', async () => {
    await save(open());
    const path = await recordFile();
    await writeFile(path, (await readFile(path, 'utf8')).replace(/"tag":"(.{6})[^"]*"/, '"tag":"$1"'));
    expect(await open().find(place, never)).toBeNull();
  });

  it('eight processes that begin at once make one key, and each reads what the others keep', async () => {
    const owners = Array.from({ length: 8 }, (_, index) => `owner-${index}`);
    await Promise.all(owners.map((owner) => save(open(), owner)));
    expect(keychain.secrets.size).toBe(1);
    for (const owner of owners) {
      expect((await open().find({ owner, server }, never))?.credential).toEqual(credential);
    }
  });

  it('two state directories have a key each', async () => {
    await save(open());
    const first = directory;
    directory = await mkdtemp(join(tmpdir(), 'sealed-credentials-'));
    await save(open());
    expect(keychain.secrets.size).toBe(2);
    await rm(first, { recursive: true });
  });
});

describe('Another choice than before', () => {
  it('what lay there in plain text is sealed with the first use, of all owners and servers', async () => {
    await save(open('plain'));
    await save(open('plain'), 'bob');
    await save(open('plain'), 'bob', { server: `${server}/other` });
    expect(await allText()).toMatch(anythingSecret);
    expect((await open().find(place, never))?.credential).toEqual(credential);
    expect(await allText()).not.toMatch(anythingSecret);
    expect((await open().find({ owner: 'bob', server: `${server}/other` }, never))?.credential.serial).toBe('first');
  });

  it('a login that begins seals what lies there in plain text', async () => {
    await save(open('plain'));
    expect(await open().prepare()).toBeNull();
    expect(await allText()).not.toMatch(anythingSecret);
  });

  it('what was sealed is found when files are wanted again, and is plain with the next write', async () => {
    await save(open());
    const store = open('plain');
    const found = await store.find(place, never);
    expect(found?.credential).toEqual(credential);
    const again = { credential, expectedVersion: found?.version ?? 0 };
    expect(await store.save('alice', again, never)).toMatchObject({ saved: true });
    keychain.problem = 'There is no keychain here.';
    expect((await open('plain').find(place, never))?.credential).toEqual(credential);
  });
});

describe('A keychain that cannot be used', () => {
  beforeEach(() => {
    keychain.problem = 'The keychain is locked. Unlock it.';
  });

  it('nothing is kept, in plain text neither, and the reason is told', async () => {
    const store = open();
    expect(await store.prepare()).toBe('No credential can be sealed. The keychain is locked. Unlock it.');
    expect(await store.save('alice', { credential, expectedVersion: 0 }, never)).toEqual({
      saved: false,
      reason: 'unavailable',
      detail: 'The keychain is locked. Unlock it',
    });
    expect(await files()).toEqual([]);
    await save(open('plain'), 'bob');
    keychain.problem = null;
    clock.advance(5_000);
    expect(await store.prepare()).toBeNull();
    await save(store);
  });

  it('is asked once in five seconds', async () => {
    const store = open();
    await store.prepare();
    keychain.problem = 'It is still locked.';
    expect(await store.prepare()).toBe('No credential can be sealed. The keychain is locked. Unlock it.');
    clock.advance(5_000);
    expect(await store.prepare()).toBe('No credential can be sealed. It is still locked.');
  });

  it('is not asked where there is no credential, or none that is to be sealed', async () => {
    expect(await open().find(place, never)).toBeNull();
    await save(open('plain'));
    expect((await open('plain').find(place, never))?.credential).toEqual(credential);
  });

  it('what lies there in plain text is not used as if it were sealed', async () => {
    await save(open('plain'));
    await expect(open().find(place, never)).rejects.toThrow(
      'The login lies there in plain text, and cannot be sealed: The keychain is locked. Unlock it.',
    );
  });

  it('what is sealed is told, stays, and is there again with the keychain', async () => {
    keychain.problem = null;
    await save(open());
    keychain.problem = 'The keychain is locked. Unlock it.';
    for (const kind of ['sealed', 'plain'] as const) {
      await expect(open(kind).find(place, never)).rejects.toThrow(
        'The login is sealed with a key of the keychain. The keychain is locked. Unlock it.',
      );
    }
    keychain.problem = null;
    expect((await open().find(place, never))?.credential).toEqual(credential);
    expect(quarantined).toEqual([]);
  });

  it('a key that it has lost is told, its login can be taken away, and a new key is made', async () => {
    keychain.problem = null;
    await save(open());
    keychain.secrets.clear();
    await expect(open().find(place, never)).rejects.toThrow(
      'The login is sealed with a key of the keychain. The keychain does not have that key any more. Log in to this server again.',
    );
    expect(await open().remove(place, never)).toBeNull();
    await save(open());
    expect((await open().find(place, never))?.credential).toEqual(credential);
    expect(keychain.secrets.size).toBe(1);
  });

  it('something else in the place of the key is no key', async () => {
    keychain.problem = null;
    await save(open());
    for (const name of keychain.secrets.keys()) {
      keychain.secrets.set(name, 'short');
    }
    await expect(open().find(place, never)).rejects.toThrow(/Log in to this server again\.$/);
  });

  it('one that forgets what it was given is not used', async () => {
    keychain.problem = null;
    keychain.read = async () => ({ type: 'none' });
    expect(await open().prepare()).toBe(
      'No credential can be sealed. The keychain does not give back what it was given to keep.',
    );
    expect(await files()).toEqual([]);
  });
});
