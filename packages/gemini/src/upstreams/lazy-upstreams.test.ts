import { KeychainSealer } from '@gemini-mcp/adapters-node/internal';
import { AnswerRecords, InMemoryRecordStore } from '@gemini-mcp/core';
import { CredentialRecords, listsInMemory, pinsInMemory, type UpstreamServers } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { InMemoryKeychain } from '@gemini-mcp/port-contracts/internal';
import { defaultConnectionLimits, Logins, readUpstreamConfig, Upstreams } from '@gemini-mcp/upstreams';
import { expect, it } from 'vitest';
import { LazyLogins } from './compose-upstreams.ts';
import { digestOf } from './digest-of.ts';
import { LazyUpstreams } from './lazy-upstreams.ts';
import { UpstreamToolProviderFactory } from './upstream-tool-provider-factory.ts';

const never = new AbortController().signal;
const settings = readUpstreamConfig('{ "mcpServers": { "notes": { "command": "notes" } } }', 'settings.json');

function openUpstreams(): Upstreams {
  return new Upstreams({
    clock: new FakeClock(),
    processes: { start: async () => ({ started: false, detail: 'Nothing is started here.' }) },
    limits: defaultConnectionLimits,
    client: { name: 'test', version: '1' },
    settings: async () => settings,
    reach: async () => ({ isKnown: false, problem: 'Nothing is reached here.' }),
    roots: () => null,
    upstreamListStore: listsInMemory(),
    toolPinStore: pinsInMemory(),
    log: () => undefined,
  });
}

/** Nothing is read or sent unless somebody logs in. */
function openLogins(): Logins {
  const clock = new FakeClock();
  const records = new InMemoryRecordStore();
  const sealer = new KeychainSealer({ records, clock, keychain: new InMemoryKeychain() });
  return new Logins({
    clock,
    fetch,
    store: new CredentialRecords({ records, sha256: digestOf, sealer, isSealed: false }),
    lookup: async () => [],
    openBrowser: () => Promise.reject(new Error('No browser is opened here.')),
    find: async () => ({ found: false, detail: 'Not found.' }),
    isOfOneUser: true,
  });
}

type Opening = () => Promise<Upstreams>;

function lazyUpstreams(
  opening: readonly Opening[],
  onUnloadable: (error: unknown) => void = () => undefined,
): LazyUpstreams {
  const left = [...opening];
  return new LazyUpstreams({
    isNeeded: async () => true,
    open: () => left.shift()?.() ?? Promise.reject(new Error('It is open already.')),
    onUnloadable,
    onClosed: async () => undefined,
  });
}

const unloadable: Opening = () => Promise.reject(new Error('No descriptors.'));

it('says that other servers cannot be asked where what speaks with them cannot be loaded, and tries again', async () => {
  const told: unknown[] = [];
  const fault = new Error('No descriptors.');
  const opening = [() => Promise.reject(fault), () => Promise.resolve(openUpstreams())];
  const lazy = lazyUpstreams(opening, (error) => told.push(error));
  const asks = { type: 'tool', tool: 'add', arguments: {} } as const;
  const request = { server: 'notes', asks, deadlineAtMs: 1_000, questions: null };
  expect(await lazy.of('ada').request(request, never)).toMatchObject({
    type: 'unavailable',
    detail: expect.stringContaining('could not be loaded'),
  });
  expect(told).toEqual([fault]);
  expect(await lazy.of('ada').list({ waitMs: 0 }, never)).toMatchObject([{ name: 'notes' }]);
  expect(told).toEqual([fault]);
  await lazy.close();
});

it('says that it could not be loaded, to those who approve and those who name a server, and not that no servers exist', async () => {
  const lazy = lazyUpstreams([unloadable, unloadable, async () => openUpstreams()]);
  const [shown] = await openUpstreams().of('ada').list({ waitMs: 0 }, never);
  const approval = shown === undefined ? expect.unreachable() : { owner: 'ada', shown, tools: 'all' as const };
  expect(await lazy.approve(approval)).toContain('could not be loaded');
  const answers = new AnswerRecords({ clock: new FakeClock(), createHandle: () => 'handle' });
  const toolProviderFactory = new UpstreamToolProviderFactory({
    upstreams: lazy,
    ownerOf: (owner) => owner,
    answers,
    ownNames: [],
    howToAdd: '',
  });
  expect(await toolProviderFactory.findMissing('ada', ['notes'])).toContain('could not be loaded');
  expect(await toolProviderFactory.findMissing('ada', ['nots'])).toContain('Did you mean "notes"?');
  expect(await lazy.problem()).toBeNull();
  await lazy.close();
});

it('explains how to add the first server', async () => {
  const none: UpstreamServers = {
    list: async () => [],
    request: async () => expect.unreachable(),
    onChange: () => () => undefined,
  };
  const upstreams = { of: () => none, problem: async () => null };
  const answers = new AnswerRecords({ clock: new FakeClock(), createHandle: () => 'handle' });
  const howToAdd = 'Write one down.';
  const toolProviderFactory = new UpstreamToolProviderFactory({
    upstreams,
    ownerOf: (owner) => owner,
    answers,
    ownNames: [],
    howToAdd,
  });
  expect(await toolProviderFactory.findMissing('ada', ['notes'])).toBe(
    'No server is named "notes": no other servers are configured. Write one down.',
  );
});

it('serves an owner whose pool went meanwhile', async () => {
  const upstreams = openUpstreams();
  const lazy = lazyUpstreams([async () => upstreams]);
  const servers = lazy.of('ada');
  expect(await servers.list({ waitMs: 0 }, never)).toMatchObject([{ name: 'notes' }]);
  const before = upstreams.of('ada');
  for (let number = 0; number < 64; number += 1) {
    await lazy.of(`owner ${number}`).list({ waitMs: 0 }, never);
  }
  expect(await servers.list({ waitMs: 0 }, never)).toMatchObject([{ name: 'notes' }]);
  expect(upstreams.of('ada')).not.toBe(before);
  await lazy.close();
});

it('opens nothing after its end, which may come while it looks whether there is anything to open', async () => {
  let opened = 0;
  const lazy = lazyUpstreams([
    async () => {
      opened += 1;
      return openUpstreams();
    },
  ]);
  const loading = lazy.load();
  await lazy.close();
  expect([await loading, opened]).toEqual([null, 0]);
});

it('loads the login library again after a failure', async () => {
  const opening = [() => Promise.reject(new Error('No descriptors.')), () => Promise.resolve(openLogins())];
  const lazy = new LazyLogins(
    () => opening.shift()?.() ?? Promise.reject(new Error('It is open already.')),
    async () => undefined,
  );
  await expect(lazy.load()).rejects.toThrow('No descriptors.');
  expect(await lazy.load()).toBeInstanceOf(Logins);
  await lazy.close();
});
