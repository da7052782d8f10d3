import { FakeClock } from '@gemini-mcp/core/testing';
import { defaultConnectionLimits, Hub, InMemoryKeptLists, InMemoryKeptPins, readHubSettings } from '@gemini-mcp/hub';
import { expect, it } from 'vitest';
import { LateHub } from './late-hub.ts';

const never = new AbortController().signal;
const settings = readHubSettings('{ "mcpServers": { "notes": { "command": "notes" } } }', 'settings.json');

function openHub(): Hub {
  return new Hub({
    clock: new FakeClock(),
    processes: { start: async () => ({ started: false, detail: 'Nothing is started here.' }) },
    limits: defaultConnectionLimits,
    client: { name: 'test', version: '1' },
    settings: async () => settings,
    reach: async () => ({ isKnown: false, problem: 'Nothing is reached here.' }),
    roots: null,
    keptLists: new InMemoryKeptLists(),
    keptPins: new InMemoryKeptPins(),
    log: () => undefined,
  });
}

it('says that other servers cannot be asked where what speaks with them cannot be loaded, and tries again', async () => {
  const told: unknown[] = [];
  const fault = new Error('No descriptors.');
  const opening = [() => Promise.reject(fault), () => Promise.resolve(openHub())];
  const late = new LateHub({
    isNeeded: async () => true,
    open: () => opening.shift()?.() ?? Promise.reject(new Error('It is open already.')),
    onUnloadable: (error) => told.push(error),
    onClosed: async () => undefined,
  });
  const asks = { type: 'tool', tool: 'add', arguments: {} } as const;
  const request = { server: 'notes', asks, deadlineAtMs: 1_000, questions: null };
  expect(await late.of('ada').request(request, never)).toMatchObject({
    type: 'unavailable',
    detail: expect.stringContaining('could not be loaded'),
  });
  expect(told).toEqual([fault]);
  expect(await late.of('ada').list({ waitMs: 0 }, never)).toMatchObject([{ name: 'notes' }]);
  expect(told).toEqual([fault]);
  await late.close();
});
