import type { IncomingMessage } from 'node:http';
import type { RunEvent } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { apiMediaTypes } from './api-capabilities.ts';
import { ApiGeminiRunner } from './api-gemini-runner.ts';
import { RawServer } from './testing/raw-server.ts';
import { wallClock } from './testing/wall-clock.ts';

const media = [{ path: 'a.mp4', mediaType: 'video/mp4', bytes: new Uint8Array(20_000_000) }];

describe('media that are on their way', () => {
  it('stop with the abort, and so does the connection', async () => {
    let arrive: (message: IncomingMessage) => void = () => undefined;
    const arrived = new Promise<IncomingMessage>((resolve) => {
      arrive = resolve;
    });
    // Reads nothing of the body: most of it stays with the sender.
    const server = await RawServer.start((message) => arrive(message));
    const runner = new ApiGeminiRunner({
      login: { type: 'gemini-key', apiKey: 'key' },
      geminiBaseUrl: server.url,
      clock: wallClock,
    });
    const abort = new AbortController();
    const request = { model: 'gemini-4-carbon', input: 'Why?', media, deadlineAtMs: wallClock.now() + 60_000 };
    const events: RunEvent[] = [];
    const run = (async () => {
      for await (const event of runner.run(request, abort.signal)) {
        events.push(event);
      }
    })();
    const message = await arrived;
    abort.abort();
    await run;
    expect(events).toEqual([{ type: 'failure', failure: { kind: 'cancelled' } }]);
    // A connection that is not read from shows no end.
    message.resume();
    await server.allClosed();
    await runner.close();
    await server.close();
  });
});

describe('apiMediaTypes', () => {
  it('are fewer on Vertex AI, and never what only some models take', () => {
    const all = apiMediaTypes({ type: 'gemini-key', apiKey: '' });
    const onVertex = apiMediaTypes({ type: 'vertex-key', apiKey: '' });
    expect(all.filter((mediaType) => !onVertex.includes(mediaType))).toEqual([
      'audio/aiff',
      'audio/aac',
      'video/mov',
      'video/avi',
    ]);
    expect(all.filter((mediaType) => !/^(?:image|audio|video)\//.test(mediaType))).toEqual(['application/pdf']);
  });
});
