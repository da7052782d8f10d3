import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { localPrincipal } from '../principal.ts';
import { readPrincipals, StaticTokens, stampOf, tokenDigest } from './read-principals.ts';
import { watchPrincipals } from './watch-principals.ts';

let directory: string;
let path: string;
let clock: FakeClock;
let stop: AbortController;
let watching: Promise<void>;
let tokens: StaticTokens;
let events: string[];

const entry = (name: string, fields: object = {}): object => ({
  ...{ name, tokenSha256: Buffer.from(tokenDigest(`token of ${name}`)).toString('hex') },
  ...fields,
});

/** As an editor does it. */
async function write(principals: readonly object[] | string): Promise<void> {
  const text = typeof principals === 'string' ? principals : JSON.stringify({ principals });
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

async function start(hasSeveralOwners: boolean): Promise<void> {
  const stamp = await stampOf(path);
  const listed = await readPrincipals(path);
  tokens = new StaticTokens([], listed);
  const note = (event: string, fields: object = {}): void => void events.push(`${event} ${JSON.stringify(fields)}`);
  const principals = listed.map(({ principal }) => principal);
  const access = { staticTokens: tokens, principals, stamp, hasSeveralOwners };
  watching = watchPrincipals({ path, access, clock, log: { info: note, warn: note, error: note } }, stop.signal);
}

/** Resolves when the file has been read `count` times in all, rightly or not. */
async function readOnce(count: number): Promise<void> {
  const isRead = (): boolean => events.filter((event) => event.startsWith('principals-')).length >= count;
  await expect
    .poll(async () => {
      await clock.advance(2_000);
      return isRead();
    })
    .toBe(true);
}

const namesOf = (...names: readonly string[]): readonly (string | undefined)[] =>
  names.map((name) => tokens.find(`token of ${name}`)?.name);

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'principals-')));
  path = join(directory, 'principals.json');
  clock = new FakeClock();
  stop = new AbortController();
  events = [];
  await write([entry('alice'), entry('bob', { roots: [directory] })]);
});

afterEach(async () => {
  stop.abort();
  await watching;
  await rm(directory, { recursive: true, force: true });
});

it('takes new principals, and forgets those who have left', async () => {
  await start(true);
  await write([entry('alice', { scopes: ['gemini:query'] }), entry('carol')]);
  await readOnce(1);
  expect(namesOf('alice', 'bob', 'carol')).toEqual(['alice', undefined, 'carol']);
  expect([...(tokens.find('token of alice')?.scopes ?? [])]).toEqual(['gemini:query']);
  expect(events).toEqual(['principals-read {"principals":2}']);
});

it.each(['', '{"principals":[]}', '{"principals":[{"name":"local"}]}'])(
  'keeps all if the file becomes %j',
  async (text) => {
    await start(true);
    await write(text);
    await readOnce(1);
    expect(namesOf('alice', 'bob')).toEqual(['alice', 'bob']);
    expect(events[0]).toContain('principals-not-read');
  },
);

it('keeps all if the file is gone, and takes it when it is back', async () => {
  await start(true);
  await rm(path);
  await readOnce(1);
  expect(namesOf('alice')).toEqual(['alice']);
  await write([entry('bob')]);
  await readOnce(2);
  expect(namesOf('alice', 'bob')).toEqual([undefined, 'bob']);
});

it('leaves entries for the next start that need what the server settled at this one', async () => {
  const further = join(directory, 'further');
  await mkdir(further);
  await start(true);
  await write([entry('alice', { roots: [further] }), entry('carol', { roots: [directory] })]);
  await readOnce(1);
  expect(namesOf('alice', 'bob', 'carol')).toEqual([undefined, undefined, 'carol']);
  expect(events[0]).toContain('principal-waits {"principal":"alice"');
});

it('takes no second principal if the server began for one', async () => {
  await write([entry('alice')]);
  await start(false);
  await write([entry('alice'), entry('bob')]);
  await readOnce(1);
  expect(namesOf('alice', 'bob')).toEqual(['alice', undefined]);
});

it('reads nothing again while the file stays as it is', async () => {
  await start(true);
  for (let pauses = 0; pauses < 3; pauses += 1) {
    await clock.advance(2_000);
  }
  stop.abort();
  await watching;
  expect(events).toEqual([]);
});

it("never takes the operator's own token away", () => {
  const own = new StaticTokens([{ sha256: tokenDigest('own'), principal: localPrincipal }]);
  own.replace([]);
  expect(own.find('own')).toBe(localPrincipal);
});
