import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '@gemini-mcp/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';
import type { ApiLogin } from './api-login.ts';
import { googleCloudLogin } from './google-cloud-login.ts';
import { RawServer } from './testing/raw-server.ts';
import { beginStream, eventOf } from './testing/raw-stream.ts';
import { wallClock } from './testing/wall-clock.ts';

describe('googleCloudLogin', () => {
  let directory: string;
  let requests: string[];
  let server: RawServer;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gemini-mcp-login-'));
    requests = [];
    server = await RawServer.start((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      if (request.url === '/token') {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ access_token: 'token-1', token_type: 'Bearer', expires_in: 3_600 }));
        return;
      }
      beginStream(response).end(eventOf('Yes', 'STOP'));
    });
  });

  afterEach(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  /** The credentials of a federation, whose tokens come from an address of ours. */
  async function writeFederation(tokenUrl = `${server.url}/token`): Promise<string> {
    const subject = join(directory, 'subject');
    await writeFile(subject, 'a token of the other side');
    return write({
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/other',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: tokenUrl,
      credential_source: { file: subject },
    });
  }

  async function write(credentials: object): Promise<string> {
    const path = join(directory, 'credentials.json');
    await writeFile(path, JSON.stringify(credentials));
    return path;
  }

  async function ask(credentialsFile: string, times = 1): Promise<readonly RunEvent[]> {
    const login = googleCloudLogin({ project: 'team-1', location: 'eu', credentialsFile });
    const runner = new ApiGeminiRunner({ login, vertexBaseUrl: server.url, clock: wallClock });
    const events: RunEvent[] = [];
    for (let call = 0; call < times; call += 1) {
      const request = { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: wallClock.now() + 60_000 };
      for await (const event of runner.run(request, new AbortController().signal)) {
        events.push(event);
      }
    }
    await runner.close();
    return events;
  }

  it('asks Vertex AI as the project, with one token for several calls', async () => {
    const events = await ask(await writeFederation(), 2);
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(2);
    const asked =
      'POST /v1beta1/projects/team-1/locations/eu/publishers/google/models/gemini-3.8-flash:streamGenerateContent?alt=sse Bearer token-1';
    expect(requests).toEqual([expect.stringContaining('POST /token'), asked, asked]);
  });

  it('gives up at the deadline while Google keeps the token back', async () => {
    const never = new Promise<never>(() => undefined);
    const login: ApiLogin = { type: 'vertex-project', project: 'team-1', location: 'eu', accessToken: () => never };
    const runner = new ApiGeminiRunner({ login, vertexBaseUrl: server.url, clock: wallClock });
    const request = { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: wallClock.now() + 20 };
    const events: RunEvent[] = [];
    for await (const event of runner.run(request, new AbortController().signal)) {
      events.push(event);
    }
    expect(events).toEqual([{ type: 'failure', failure: { kind: 'timeout' } }]);
    expect(requests).toEqual([]);
  });

  it('makes no request if the file is missing', async () => {
    const events = await ask(join(directory, 'missing.json'));
    expect(events).toEqual([
      {
        type: 'failure',
        failure: { kind: 'authentication', problem: 'missing', excerpt: expect.stringContaining('missing.json') },
      },
    ]);
    expect(requests).toEqual([]);
  });

  it('reports rejected credentials without showing them', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const events = await ask(await write({ type: 'unheard-of', private_key: key }));
    expect(events).toEqual([
      { type: 'failure', failure: expect.objectContaining({ kind: 'authentication', problem: 'rejected' }) },
    ]);
    expect(JSON.stringify(events)).not.toContain(key.slice(40, 80));
  });

  it('distinguishes an unreachable server from rejected credentials', async () => {
    const closed = await RawServer.start(() => undefined);
    await closed.close();
    const credentialsFile = await writeFederation(`${closed.url}/token`);
    expect((await ask(credentialsFile)).at(-1)).toMatchObject({
      type: 'failure',
      failure: { kind: 'network', excerpt: expect.stringContaining('ECONNREFUSED') },
    });
  });
});
