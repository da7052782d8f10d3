import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SystemClock } from '@gemini-mcp/adapters-node';
import type { RunEvent } from '@gemini-mcp/core';
import { type RecordedError, recordedErrors, recordedStreams } from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RestGeminiRunner } from './rest-gemini-runner.ts';

type Sample = Pick<RecordedError, 'body' | 'failure' | 'headers'> & { readonly status?: number };

const samples: readonly (readonly [name: string, sample: Sample])[] = Object.entries({
  ...recordedErrors,
  ...recordedStreams,
});

/** Answers with the sample named by the model. */
const server = createServer((message, response) => {
  const [, name] = /models\/([^:]+):/.exec(message.url ?? '') ?? [];
  const { status = 200, headers = {}, body = '' } = samples.find(([known]) => known === name)?.[1] ?? {};
  message.resume().once('end', () => response.writeHead(status, headers).end(body));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

it.each(samples)("the runner over REST reports Google's %s by its meaning", async (model, { failure }) => {
  const { port } = server.address() as AddressInfo;
  const clock = new SystemClock();
  const runner = new RestGeminiRunner({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'a-key', clock });
  const events: RunEvent[] = [];
  const request = { model, input: 'Hi', deadlineAtMs: clock.now() + 60_000 };
  for await (const event of runner.run(request, new AbortController().signal)) {
    events.push(event);
  }
  expect(events.at(-1)).toMatchObject({ type: 'failure', failure });
});
