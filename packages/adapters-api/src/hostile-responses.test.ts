import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import type { Clock, RunEvent } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { ask, collect, textOf } from './testing/ask.ts';
import { beginStream, eventOf } from './testing/raw-stream.ts';
import { RunnerPlace } from './testing/runner-place.ts';

const place = new RunnerPlace();

function stream(write: (response: ServerResponse) => void): RequestListener {
  return (_, response) => write(beginStream(response));
}

describe('ApiGeminiRunner with a faulty server', () => {
  it.each([
    ['HTML in the place of a stream', 'text/html', '<h1>Log in first</h1>'],
    ['JSON in the place of a stream', 'application/json', '[{"candidates": []}]'],
  ])('CLI-07: %s is not an answer', async (_, type, body) => {
    const events = await place.answerTo((__, response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect(events).toEqual([{ type: 'failure', failure: expect.objectContaining({ kind: 'malformed-output' }) }]);
    expect(JSON.stringify(events)).toContain(type);
  });

  it('a page of a gateway is a failure of the server, with its beginning', async () => {
    const events = await place.answerTo((_, response) =>
      response.writeHead(502).end(`<h1>Bad gateway</h1>${'x'.repeat(1_000_000)}`),
    );
    expect(events).toEqual([
      {
        type: 'failure',
        failure: {
          kind: 'server-error',
          httpStatus: 502,
          excerpt: expect.stringMatching(/^<h1>Bad gateway<\/h1>x{400,480}$/),
        },
      },
    ]);
  });

  it.each([
    ['7', 7_000],
    ['1e9', null],
    ['-1', null],
    ['9'.repeat(400), 86_400_000],
    ['soon', null],
  ])('Retry-After: %s', async (header, retryAfterMs) => {
    const events = await place.answerTo((_, response) => response.writeHead(429, { 'retry-after': header }).end());
    expect(events).toEqual([{ type: 'failure', failure: { kind: 'rate-limited', retryAfterMs, excerpt: '' } }]);
  });

  it('does not follow a redirect, which would receive the key', async () => {
    let requests = 0;
    const events = await place.answerTo((_, response) => {
      requests += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(requests).toBe(1);
    expect(events).toEqual([
      { type: 'failure', failure: { kind: 'network', excerpt: expect.stringContaining('307') } },
    ]);
  });

  it('does not unpack a gzip bomb', async () => {
    const events = await place.answerTo((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      createReadStream('/dev/zero', { end: 100_000_000 }).pipe(createGzip()).pipe(response);
    });
    expect(events).toEqual([{ type: 'failure', failure: expect.objectContaining({ kind: 'malformed-output' }) }]);
  });

  it('an event of 50 MB ends the run before it is whole', async () => {
    const events = await place.answerTo(stream((response) => response.end(eventOf('x'.repeat(50_000_000), 'STOP'))));
    expect(events).toEqual([
      {
        type: 'failure',
        failure: { kind: 'malformed-output', excerpt: 'An event was longer than 16777216 characters.' },
      },
    ]);
  });

  it('an event of 50 MB in many lines ends the run as well', async () => {
    const line = `data: ${'x'.repeat(1_000)}\n`;
    const events = await place.answerTo(stream((response) => response.end(line.repeat(50_000))));
    expect(events).toEqual([{ type: 'failure', failure: expect.objectContaining({ kind: 'malformed-output' }) }]);
  });

  it('100,000 events of one character are one answer', async () => {
    const pieces = 'data: {"candidates":[{"content":{"parts":[{"text":"x"}]}}]}\n\n'.repeat(1_000);
    const { runner } = await place.serve(
      stream((response) => {
        for (let written = 0; written < 100; written += 1) {
          response.write(pieces);
        }
        response.end(eventOf('.', 'STOP'));
      }),
    );
    let [characters, end]: [number, RunEvent | null] = [0, null];
    for await (const event of ask(runner)) {
      characters += event.type === 'text' ? event.text.length : 0;
      end = event;
    }
    expect(characters).toBe(100_001);
    expect(end).toMatchObject({ type: 'answer', ending: { type: 'complete' } });
  });

  it('CLI-11: an endless answer fails once it exceeds the limit', async () => {
    let isClosed = false;
    const { runner, server } = await place.serve(
      stream((response) => {
        const piece = eventOf('x'.repeat(1_000_000));
        const write = (): void => {
          while (!isClosed && response.write(piece)) {}
        };
        response.on('drain', write).once('close', () => {
          isClosed = true;
        });
        write();
      }),
    );
    let [characters, end]: [number, RunEvent | null] = [0, null];
    for await (const event of ask(runner)) {
      characters += event.type === 'text' ? event.text.length : 0;
      end = event;
    }
    expect(end).toEqual({
      type: 'failure',
      failure: { kind: 'malformed-output', excerpt: 'The answer was longer than 33554432 characters.' },
    });
    expect(characters).toBeLessThan(35_000_000);
    await server.allClosed();
  });

  it.each([
    ['events that say nothing', 'data: {}\n\n'],
    ['comments', ':\n\n'],
    ['empty lines', '\n'],
  ])('UPSTREAM-M2: %s as fast as they are read are read with pauses', async (_, unit) => {
    let [nowMs, rests] = [Date.now(), 0];
    const clock: Clock = {
      now: () => {
        nowMs += 1;
        return nowMs;
      },
      sleep: async (durationMs, signal) => {
        if (durationMs < 1_000) {
          rests += 1;
          return;
        }
        // The deadline, which does not come.
        await once(signal, 'abort');
      },
    };
    const { server } = await place.serve(
      stream((response) => response.end(`${unit.repeat(1_000_000 / unit.length)}${eventOf('Yes', 'STOP')}`)),
    );
    const request = { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: nowMs + 600_000 };
    const events = await collect(place.runnerAt(server.url, { clock }).run(request, new AbortController().signal));
    expect(textOf(events)).toBe('Yes');
    expect(rests).toBeGreaterThan(20);
  });

  it('rejects bytes that are not UTF-8', async () => {
    const events = await place.answerTo(stream((response) => response.end(Buffer.from([0x64, 0xff, 0xfe, 0x0a]))));
    expect(events).toEqual([
      { type: 'failure', failure: { kind: 'malformed-output', excerpt: 'The stream was not UTF-8.' } },
    ]);
  });

  it.each(['not JSON', '[]', '"text"', 'null', '7'])('CLI-07: an event that is %s ends the run', async (data) => {
    const events = await place.answerTo(
      stream((response) => response.end(`${eventOf('Begin')}data: ${data}\n\n${eventOf('more', 'STOP')}`)),
    );
    expect(events).toEqual([
      { type: 'text', text: 'Begin' },
      {
        type: 'failure',
        failure: { kind: 'malformed-output', excerpt: 'An event of the stream was not a JSON object.' },
      },
    ]);
  });

  it.each([
    { candidates: 'none' },
    { candidates: [null] },
    { candidates: [{ content: { parts: [null, 7, { text: 7 }] }, finishReason: 7 }] },
    { candidates: [{ content: [] }], promptFeedback: 'blocked', usageMetadata: [], modelVersion: {} },
  ])('ignores an event of another shape: %j', async (event) => {
    const events = await place.answerTo(
      stream((response) => response.end(`data: ${JSON.stringify(event)}\n\n${eventOf('Yes', 'STOP')}`)),
    );
    expect(textOf(events)).toBe('Yes');
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
  });

  it('CLI-08: a stream of nothing is an empty answer', async () => {
    expect(await place.answerTo(stream((response) => response.end()))).toEqual([
      { type: 'failure', failure: { kind: 'empty-answer', excerpt: '' } },
    ]);
  });

  it('an error after text ends the run with its meaning', async () => {
    const error = { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } };
    const events = await place.answerTo(
      stream((response) => response.end(`${eventOf('Begin')}data: ${JSON.stringify(error)}\n\n`)),
    );
    expect(events).toEqual([
      { type: 'text', text: 'Begin' },
      { type: 'failure', failure: expect.objectContaining({ kind: 'overloaded' }) },
    ]);
  });

  it('a connection that breaks off after text is a failure of the network', async () => {
    const events = await place.answerTo(
      stream((response) => response.write(eventOf('Begin'), () => response.destroy())),
    );
    expect(events).toEqual([
      { type: 'text', text: 'Begin' },
      { type: 'failure', failure: expect.objectContaining({ kind: 'network' }) },
    ]);
  });

  it('reports a missing server as a network failure', async () => {
    const { runner, server } = await place.serve(() => undefined);
    await server.close();
    expect(await collect(ask(runner))).toEqual([
      { type: 'failure', failure: { kind: 'network', excerpt: expect.stringContaining('ECONNREFUSED') } },
    ]);
  });
});
