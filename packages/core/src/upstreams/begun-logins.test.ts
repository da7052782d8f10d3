import { describe, expect, it } from 'vitest';
import type { LoginEnd, LoginRequest, ServerLogins } from '../ports/upstreams/server-logins.ts';
import { InMemoryBegunLogins } from './begun-logins.ts';

const loggedIn: LoginEnd = { type: 'logged-in', issuer: 'https://login.example', scopes: [] };

/** Logins that end with the address `right`, or at once with the given result. */
class WaitingLogins implements ServerLogins {
  count = 0;
  atOnce: LoginEnd | null = null;

  async login({ onLink }: LoginRequest, signal: AbortSignal): Promise<LoginEnd> {
    this.count += 1;
    const url = `https://login.example/${this.count}`;
    if (this.atOnce !== null) {
      return this.atOnce;
    }
    return await new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ type: 'cancelled' }), { once: true });
      const answer = (address: string): boolean => {
        if (address === 'right') {
          resolve(loggedIn);
        }
        return address === 'right';
      };
      onLink({ url, issuer: 'https://login.example', secretGoesTo: null, answer });
    });
  }

  async logout(): Promise<{ readonly type: 'none' }> {
    return { type: 'none' };
  }

  async known(): Promise<{ readonly type: 'none' }> {
    return { type: 'none' };
  }
}

const alice = { owner: 'alice', server: 'tools' };

describe('InMemoryBegunLogins', () => {
  it('gives the same link until the login ends by its answer, and a new one afterwards', async () => {
    const begun = new InMemoryBegunLogins(new WaitingLogins());
    expect(await begun.begin(alice)).toEqual({ type: 'link', url: 'https://login.example/1' });
    expect(await begun.begin(alice)).toEqual({ type: 'link', url: 'https://login.example/1' });
    expect(await begun.answer(alice, 'wrong')).toEqual({ type: 'not-awaited' });
    expect(await begun.answer(alice, 'right')).toEqual(loggedIn);
    expect(await begun.answer(alice, 'right')).toEqual({ type: 'not-awaited' });
    expect(await begun.begin(alice)).toEqual({ type: 'link', url: 'https://login.example/2' });
    await begun.close();
  });

  it('an owner can neither see nor answer the login of another', async () => {
    const begun = new InMemoryBegunLogins(new WaitingLogins());
    await begun.begin(alice);
    expect(await begun.answer({ ...alice, owner: 'bob' }, 'right')).toEqual({ type: 'not-awaited' });
    expect(await begun.begin({ ...alice, owner: 'bob' })).toEqual({ type: 'link', url: 'https://login.example/2' });
    await begun.close();
  });

  it('returns an end that needs no link', async () => {
    const logins = new WaitingLogins();
    logins.atOnce = { type: 'failed', detail: 'why' };
    const begun = new InMemoryBegunLogins(logins);
    expect(await begun.begin(alice)).toEqual({ type: 'failed', detail: 'why' });
    expect(await begun.begin(alice)).toEqual({ type: 'failed', detail: 'why' });
    expect(logins.count).toBe(2);
  });

  it('has a bound for each owner and for all, and cancels what waits when it is closed', async () => {
    const logins = new WaitingLogins();
    const begun = new InMemoryBegunLogins(logins);
    const beginAll = (owner: string, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => begun.begin({ owner, server: `${index}` })));
    const ofAlice = await beginAll('alice', 6);
    expect(ofAlice.map(({ type }) => type)).toEqual([...Array.from({ length: 5 }, () => 'link'), 'failed']);
    expect((await beginAll('bob', 1))[0]).toMatchObject({ type: 'link' });
    const ofOthers = await Promise.all(Array.from({ length: 100 }, (_, index) => beginAll(`owner ${index}`, 1)));
    expect(ofOthers.flat().filter(({ type }) => type === 'link')).toHaveLength(94);
    const waiting = begun.begin(alice);
    await begun.close();
    await waiting;
    expect(await begun.answer(alice, 'right')).toEqual({ type: 'not-awaited' });
  });
});
