import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryKeychain } from '@gemini-mcp/port-contracts/internal';
import { type OfflineGeminiApi, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGemini } from '../create-gemini.ts';
import { EmbeddedRunner } from '../embedded-runner.ts';
import { findPlace } from '../find-place.ts';
import { LoginStore, type ReadLogin } from './stored-login.ts';

let home: string;
let api: OfflineGeminiApi;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'embedded-login-'));
  api = await startOfflineGeminiApi();
  api.reply(text('Hello'));
});

afterEach(async () => {
  await api.close();
  await rm(home, { recursive: true, force: true });
});

const environment = () => ({ HOME: home, PATH: '', GOOGLE_GEMINI_BASE_URL: api.url });

describe('createGemini with a stored login', () => {
  const ask = async (options = {}) => {
    await using gemini = createGemini({
      ...{ environment: environment(), workingDirectory: home, stateDirectory: join(home, 'state') },
      ...options,
    });
    return await gemini.ask('Hi');
  };

  it('asks with the key of the file', async () => {
    await new LoginStore(environment()).write('file', 'stored-key');
    expect(await ask()).toMatchObject({ ok: true, text: 'Hello' });
    expect(api.requests.at(-1)?.apiKey).toBe('stored-key');
  });

  it.each([
    [{ apiKey: 'own' }, 'own'],
    [{ environment: () => ({ ...environment(), GEMINI_API_KEY: 'of-the-environment' }) }, 'of-the-environment'],
    [{ environment: () => ({ ...environment(), GEMINI_API_KEY: `\${user_config.key}` }) }, 'stored-key'],
  ])('with %j, asks with %s', async ({ environment: variables, ...options }: Record<string, unknown>, key) => {
    await new LoginStore(environment()).write('file', 'stored-key');
    await ask({ ...options, ...(typeof variables === 'function' && { environment: variables() }) });
    expect(api.requests.at(-1)?.apiKey).toBe(key);
  });
});

describe('EmbeddedRunner with a key in the keychain', () => {
  async function run(read: () => Promise<ReadLogin>) {
    const place = { ...findPlace({ environment: environment(), workingDirectory: home }), fromKeychain: read };
    const runner = new EmbeddedRunner({
      place,
      preference: 'auto',
      clock: undefined,
      apiKey: null,
      allowsGoogleLogs: false,
    });
    const events = [];
    const request = { model: 'gemini-4-carbon', input: 'Hi', deadlineAtMs: Date.now() + 30_000 };
    for await (const event of runner.run(request, new AbortController().signal)) {
      events.push(event);
    }
    await runner.close();
    return events.at(-1);
  }

  it('waits for it, and asks the API with it', async () => {
    const keychain = new InMemoryKeychain();
    const store = new LoginStore(environment(), keychain);
    await store.write('keychain', 'kept-key');
    expect(await run(() => store.read())).toMatchObject({ type: 'answer' });
    expect(api.requests.at(-1)?.apiKey).toBe('kept-key');
  });

  it('sends nothing without it, and says why', async () => {
    const problem = 'The keychain did not answer.';
    expect(await run(async () => ({ type: 'unreadable', problem }))).toMatchObject({
      type: 'failure',
      failure: { kind: 'authentication', problem: 'missing', excerpt: problem },
    });
    expect(api.requests).toEqual([]);
  });
});
