import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CredentialRecords } from '@gemini-mcp/core/internal';
import { loginsKeychain, SystemKeychain, secretsKeychain } from '@gemini-mcp/gemini/internal';
import { describeKeychainContract } from '@gemini-mcp/port-contracts/internal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openCredentials } from './testing/open-credentials.ts';
import { storedCredential as credential } from './testing/stored-credential.ts';

const never = new AbortController().signal;
const bus = 'DBUS_SESSION_BUS_ADDRESS';
const busBefore = process.env[bus];

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** The keychain of a Linux desktop, on a bus of its own. It is asked through the environment of this process. */
const hasKeyring = process.platform === 'linux' && isInstalled('dbus-daemon') && isInstalled('gnome-keyring-daemon');

const place = { owner: 'user', server: credential.server };

let home: string;
let address = '';
let daemon: ChildProcess | undefined;
let keyringId = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'keychain-'));
  if (!hasKeyring) {
    return;
  }
  const services = join(home, 'dbus-1', 'services');
  await mkdir(services, { recursive: true });
  await writeFile(join(home, 'password'), 'a password of this test');
  const start = `echo $$ > ${home}/pid; exec gnome-keyring-daemon --unlock --foreground --components=secrets < ${home}/password`;
  const service = `[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/bin/sh -c '${start}'\n`;
  await writeFile(join(services, 'org.freedesktop.secrets.service'), service);
  const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: home };
  const started = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface(started.stdout), 'line');
  daemon = started;
  address = String(line);
  // The bus starts the keychain for it, and answers once that one does.
  await send(['/', 'org.freedesktop.DBus.Peer.Ping']);
  keyringId = Number(await readFile(join(home, 'pid'), 'utf8'));
}, 30_000);

afterAll(async () => {
  if (daemon !== undefined) {
    process.kill(keyringId, 'SIGKILL');
    daemon.kill('SIGKILL');
    await once(daemon, 'exit');
  }
  await rm(home, { recursive: true });
});

afterEach(() => {
  setBus(busBefore);
});

function setBus(to: string | undefined): void {
  if (to === undefined) {
    delete process.env[bus];
    return;
  }
  process.env[bus] = to;
}

/** As its user does, who is not there to unlock it again. */
async function lock(): Promise<void> {
  const locking = 'org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login';
  await send(['/org/freedesktop/secrets', ...locking.split(' ')]);
}

async function send(message: readonly string[]): Promise<void> {
  const words = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', ...message];
  await once(
    spawn('dbus-send', words, { env: { PATH: process.env['PATH'], [bus]: address }, stdio: 'ignore' }),
    'exit',
  );
}

function openStore(directory: string): CredentialRecords {
  return openCredentials({ directory, keychain: new SystemKeychain(loginsKeychain), isSealed: true });
}

describe.skipIf(!hasKeyring)('The keychain of a Linux desktop', () => {
  it('logins are sealed with a key that lies in it, and that the settings of a server cannot name', async () => {
    setBus(address);
    const directory = await mkdtemp(join(home, 'state-'));
    expect(await openStore(directory).prepare()).toBeNull();
    expect(await openStore(directory).save('user', { credential, expectedVersion: 0 }, never)).toMatchObject({
      saved: true,
    });
    expect((await openStore(directory).find(place, never))?.credential).toEqual(credential);
  });

  it('one that does not answer is not waited for', async () => {
    setBus(address);
    process.kill(keyringId, 'SIGSTOP');
    const read = await new SystemKeychain(secretsKeychain).read('any');
    process.kill(keyringId, 'SIGCONT');
    expect(read).toEqual({
      type: 'unavailable',
      reason: expect.stringMatching(
        /^The keychain cannot be used: (?:.*not receive a reply|it did not answer within 5 s).*\. Unlock it, or use file: instead\.$/,
      ),
    });
  });

  // The last promise locks it for good.
  let services = 0;
  describeKeychainContract({
    name: 'SystemKeychain over GNOME Keyring',
    create: async () => {
      setBus(address);
      services += 1;
      const options = { service: `test ${services}`, advice: 'Do without it.' };
      return {
        store: new SystemKeychain(options),
        reopen: () => new SystemKeychain(options),
        breakAll: lock,
        dispose: async () => undefined,
      };
    },
  });
});
