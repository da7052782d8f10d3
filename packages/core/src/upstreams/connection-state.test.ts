import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectionFailure, ConnectionState } from '../ports/upstreams/connection-state.ts';
import { admit, type ConnectionEvent, nextConnectionState } from './connection-state.ts';

const failure: ConnectionFailure = { kind: 'ended', detail: 'It ended with 1.' };

function after(events: readonly ConnectionEvent[], from: ConnectionState = { type: 'disconnected', failures: 0 }) {
  return events.reduce(nextConnectionState, from);
}

const began = { type: 'began', atMs: 10 } as const;
const connected = { type: 'connected', atMs: 20 } as const;
const failed = { type: 'failed', atMs: 100, failure } as const;

describe('nextConnectionState', () => {
  it.each<[string, readonly ConnectionEvent[], ConnectionState]>([
    ['it is begun', [began], { type: 'connecting', sinceMs: 10, failures: 0 }],
    ['it is there', [began, connected], { type: 'connected', sinceMs: 20, failures: 0 }],
    ['it cannot be there without a beginning', [connected], { type: 'disconnected', failures: 0 }],
    ['it ends unused', [began, connected, { type: 'ended' }], { type: 'disconnected', failures: 0 }],
    ['it fails at the start', [began, failed], { type: 'failed', failure, failures: 1, retryAtMs: 1_100 }],
    ['it fails twice', [began, failed, began, failed], { type: 'failed', failure, failures: 2, retryAtMs: 5_100 }],
    [
      'being there does not make up for failures: a server may die in each call',
      [began, failed, began, connected, failed],
      { type: 'failed', failure, failures: 2, retryAtMs: 5_100 },
    ],
    [
      'an answered call does',
      [began, failed, began, connected, { type: 'served' }],
      { type: 'connected', sinceMs: 20, failures: 0 },
    ],
    [
      'it requires a login',
      [began, { type: 'login-wanted', challenge: 'Bearer' }],
      { type: 'awaiting-login', challenge: 'Bearer' },
    ],
    [
      'nothing is tried before the login',
      [began, { type: 'login-wanted', challenge: 'Bearer' }, began],
      { type: 'awaiting-login', challenge: 'Bearer' },
    ],
    [
      'the login makes it ready',
      [began, { type: 'login-wanted', challenge: 'Bearer' }, { type: 'logged-in' }],
      { type: 'disconnected', failures: 0 },
    ],
    [
      'a late failure of an ended one is ignored',
      [began, { type: 'ended' }, failed],
      { type: 'disconnected', failures: 0 },
    ],
  ])('%s', (_, events, state) => {
    expect(after(events)).toEqual(state);
  });
});

describe('admit', () => {
  it('has a request wait for the next try after the first failures, and refuses it at once after the third', () => {
    const twice = after([began, failed, began, failed]);
    expect(admit(twice, 100)).toEqual({ type: 'wait', untilMs: 5_100 });
    expect(admit(twice, 5_100)).toEqual({ type: 'connect' });
    const thrice = after([began, failed], twice);
    expect(admit(thrice, 100)).toEqual({
      type: 'refuse',
      detail: 'It failed 3 times in a row and is tried again in 30 s. It ended with 1.',
    });
    expect(admit(thrice, 30_100)).toEqual({ type: 'connect' });
  });

  it('refuses a server that requires a login, however much time has passed', () => {
    const waiting = after([began, { type: 'login-wanted', challenge: '' }]);
    expect(admit(waiting, 1e15)).toEqual({ type: 'refuse', detail: 'It requires a login.' });
  });

  it('never has a request wait longer than the longest pause, whatever happened', () => {
    const event = fc.constantFrom<ConnectionEvent>(
      began,
      connected,
      failed,
      { type: 'served' },
      { type: 'ended' },
      { type: 'login-wanted', challenge: '' },
      { type: 'logged-in' },
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const state = after(events);
        const { type } = admit(state, 30_100);
        expect(type).not.toBe('wait');
        expect(type === 'refuse').toBe(state.type === 'awaiting-login');
      }),
    );
  });
});
