import type { ServerCredential } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { expect, it } from 'vitest';
import { InMemoryCredentialStore } from '../testing/in-memory-credential-store.ts';
import { CredentialKeeper, type Refreshed } from './credential-keeper.ts';

const never = new AbortController().signal;
const server = 'https://mcp.example.com/mcp';

const expired: ServerCredential = {
  server,
  resource: null,
  issuer: 'https://login.example.com',
  tokenUrl: 'https://login.example.com/token',
  tokenMethods: [],
  revocationUrl: null,
  client: {
    id: 'ours',
    secret: null,
    method: null,
    secretExpiresAtMs: null,
    redirectUri: 'http://127.0.0.1:1/',
    scopes: [],
  },
  serial: 'old',
  tokens: { access: 'old', refresh: 'once', expiresAtMs: 0, scopes: [] },
  refusal: null,
  wantedScopes: [],
  renewal: null,
  updatedAtMs: 1,
};

const renewed: Refreshed = {
  type: 'tokens',
  tokens: { serial: 'new', tokens: { access: 'new', refresh: null, expiresAtMs: null, scopes: [] } },
};

it('extends its lease for as long as it renews, so that no other process renews too', async () => {
  const clock = new FakeClock();
  const store = new InMemoryCredentialStore();
  await store.save('alice', { credential: expired, expectedVersion: 0 }, never);
  const answers: ((refreshed: Refreshed) => void)[] = [];
  const refresh = (): Promise<Refreshed> => new Promise((resolve) => answers.push(resolve));
  const keepers = [1, 2].map(() => new CredentialKeeper({ owner: 'alice', server, store, clock, refresh }));
  const renewals = keepers.map((keeper) => keeper.renew('old'));
  for (let seconds = 0; seconds < 30; seconds += 1) {
    await clock.advance(1_000);
  }
  // Another process notes meanwhile which rights the server wants.
  await keepers[1]?.want(['tools']);
  await clock.advance(1_000);
  expect(answers).toHaveLength(1);
  answers[0]?.(renewed);
  expect(await Promise.all(renewals)).toMatchObject([
    { type: 'renewed', credential: { serial: 'new', renewal: null } },
    { type: 'renewed', credential: { serial: 'new' } },
  ]);
  expect((await store.find({ owner: 'alice', server }))?.credential).toMatchObject({
    serial: 'new',
    wantedScopes: ['tools'],
  });
});
