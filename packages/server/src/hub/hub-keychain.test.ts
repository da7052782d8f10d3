import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AsyncEntry } from '@napi-rs/keyring';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keychainService, readKeychain } from './read-keychain.ts';

const bus = 'DBUS_SESSION_BUS_ADDRESS';
const busBefore = process.env[bus];

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** The keychain of a Linux desktop, on a bus of its own. It is asked through the environment of this process. */
const hasKeyring = process.platform === 'linux' && isInstalled('dbus-daemon') && isInstalled('gnome-keyring-daemon');

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

async function send(message: readonly string[]): Promise<void> {
  const words = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', ...message];
  await once(
    spawn('dbus-send', words, { env: { PATH: process.env['PATH'], [bus]: address }, stdio: 'ignore' }),
    'exit',
  );
}

describe.skipIf(!hasKeyring)('The keychain of a Linux desktop', () => {
  it('gives what its user has put there for us, whole, and nothing that is there for others', async () => {
    setBus(address);
    const secret = 'A-z_09'.repeat(8);
    const store = { linux: { store: 'secret-service' } } as const;
    await new AsyncEntry(keychainService, 'one', store).setPassword(secret);
    await new AsyncEntry('another program', 'two', store).setPassword(secret);
    expect(await readKeychain('one')).toEqual({ read: true, text: secret });
    expect(await readKeychain('two')).toEqual({
      read: false,
      reason: 'The keychain has nothing under the name "two".',
    });
  });

  it('one that does not answer is not waited for', async () => {
    setBus(address);
    process.kill(keyringId, 'SIGSTOP');
    const read = await readKeychain('any');
    process.kill(keyringId, 'SIGCONT');
    expect(read).toEqual({
      read: false,
      reason: expect.stringMatching(
        /^The keychain cannot be used: (?:.*not receive a reply|it did not answer within 2 s).*\. Unlock it, or use file: instead\.$/,
      ),
    });
  });
});
