import { createReadStream } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import type { RunEvent } from '@gemini-mcp/core';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';
import { RawServer } from './testing/raw-server.ts';
import { beginStream, eventOf } from './testing/raw-stream.ts';
import { wallClock } from './testing/wall-clock.ts';

const apiKey = 'AIzaFake-key_of_the_tests_000000000000';
const servers: RawServer[] = [];
const runners: ApiGeminiRunner[] = [];

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(
  answer: RequestListener,
): Promise<{ readonly server: RawServer; readonly runner: ApiGeminiRunner }> {
  const server = await RawServer.start(answer);
  const runner = new ApiGeminiRunner({
    login: { type: 'gemini-key', apiKey },
    geminiBaseUrl: server.url,
    clock: wallClock,
  });
  servers.push(server);
  runners.push(runner);
  return { server, runner };
}

function ask(
  runner: ApiGeminiRunner,
  { limitMs = 60_000, signal = new AbortController().signal } = {},
): AsyncIterable<RunEvent> {
  return runner.run({ model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: wallClock.now() + limitMs }, signal);
}

async function answerTo(answer: RequestListener): Promise<readonly RunEvent[]> {
  const { runner } = await serve(answer);
  return collect(ask(runner));
}

async function collect(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const collected: RunEvent[] = [];
  for await (const event of events) {
    collected.push(event);
  }
  return collected;
}

function textOf(events: readonly RunEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

function stream(write: (response: ServerResponse) => void): RequestListener {
  return (_, response) => write(beginStream(response));
}

describe('ApiGeminiRunner, where the server is not as it should be', () => {
  it.each([
    ['HTML in the place of a stream', 'text/html', '<h1>Log in first</h1>'],
    ['JSON in the place of a stream', 'application/json', '[{"candidates": []}]'],
  ])('%s is no answer', async (_, type, body) => {
    const events = await answerTo((__, response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect(events).toEqual([{ type: 'failure', failure: expect.objectContaining({ kind: 'malformed-output' }) }]);
    expect(JSON.stringify(events)).toContain(type);
  });

  it('a page of a gateway is a failure of the server, with its beginning', async () => {
    const events = await answerTo((_, response) =>
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

  it('a redirect is not followed: the key would go with it', async () => {
    let requests = 0;
    const events = await answerTo((_, response) => {
      requests += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(requests).toBe(1);
    expect(events).toEqual([
      { type: 'failure', failure: { kind: 'network', excerpt: expect.stringContaining('307') } },
    ]);
  });

  it('a bomb of gzip is not unpacked', async () => {
    const events = await answerTo((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      createReadStream('/dev/zero', { end: 100_000_000 }).pipe(createGzip()).pipe(response);
    });
    expect(events).toEqual([{ type: 'failure', failure: expect.objectContaining({ kind: 'malformed-output' }) }]);
  });

  it('an event of 50 MB ends the run before it is whole', async () => {
    const events = await answerTo(stream((response) => response.end(eventOf('x'.repeat(50_000_000), 'STOP'))));
    expect(events).toEqual([
      {
        type: 'failure',
        failure: { kind: 'malformed-output', excerpt: 'An event was longer than 16777216 characters.' },
      },
    ]);
  });

  it('300,000 events of one character are one answer', async () => {
    const events = await answerTo(
      stream((response) => response.end(eventOf('x').repeat(300_000) + eventOf('.', 'STOP'))),
    );
    expect(textOf(events)).toBe(`${'x'.repeat(300_000)}.`);
    expect(events.at(-1)).toMatchObject({ type: 'answer', ending: { type: 'complete' } });
  });

  it('bytes that are no UTF-8 are no answer', async () => {
    const events = await answerTo(stream((response) => response.end(Buffer.from([0x64, 0xff, 0xfe, 0x0a]))));
    expect(events).toEqual([
      { type: 'failure', failure: { kind: 'malformed-output', excerpt: 'The stream was no UTF-8.' } },
    ]);
  });

  it.each(['not JSON', '[]', '"text"', 'null', '7'])('an event that is %s ends the run', async (data) => {
    const events = await answerTo(
      stream((response) => response.end(`${eventOf('Begin')}data: ${data}\n\n${eventOf('more', 'STOP')}`)),
    );
    expect(events).toEqual([
      { type: 'text', text: 'Begin' },
      { type: 'failure', failure: { kind: 'malformed-output', excerpt: 'An event of the stream was no JSON object.' } },
    ]);
  });

  it.each([
    { candidates: 'none' },
    { candidates: [null] },
    { candidates: [{ content: { parts: [null, 7, { text: 7 }] }, finishReason: 7 }] },
    { candidates: [{ content: [] }], promptFeedback: 'blocked', usageMetadata: [], modelVersion: {} },
  ])('an event of another shape says nothing: %j', async (event) => {
    const events = await answerTo(
      stream((response) => response.end(`data: ${JSON.stringify(event)}\n\n${eventOf('Yes', 'STOP')}`)),
    );
    expect(textOf(events)).toBe('Yes');
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
  });

  it('an error after text ends the run with its meaning', async () => {
    const error = { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } };
    const events = await answerTo(
      stream((response) => response.end(`${eventOf('Begin')}data: ${JSON.stringify(error)}\n\n`)),
    );
    expect(events).toEqual([
      { type: 'text', text: 'Begin' },
      { type: 'failure', failure: expect.objectContaining({ kind: 'overloaded' }) },
    ]);
  });

  it('a connection that breaks off after text is a failure of the network', async () => {
    const events = await answerTo(stream((response) => response.write(eventOf('Begin'), () => response.destroy())));
    expect(events).toEqual([
      { type: 'text', text: 'Begin' },
      { type: 'failure', failure: expect.objectContaining({ kind: 'network' }) },
    ]);
  });

  it('no server there is a failure of the network that says so', async () => {
    const { runner, server } = await serve(() => undefined);
    await server.close();
    servers.length = 0;
    const events = await collect(ask(runner));
    expect(events).toEqual([
      { type: 'failure', failure: { kind: 'network', excerpt: expect.stringContaining('ECONNREFUSED') } },
    ]);
  });

  it('an error that repeats the key is told without it', async () => {
    const events = await answerTo((request, response) => {
      const message = `API key ${request.headers['x-goog-api-key']} is not valid`;
      response.writeHead(400).end(JSON.stringify({ error: { code: 400, status: 'INVALID_ARGUMENT', message } }));
    });
    expect(JSON.stringify(events)).toContain('API key [key] is not valid');
    expect(JSON.stringify(events)).not.toContain(apiKey);
  });
});

describe('ApiGeminiRunner closes its connection', () => {
  const drip = stream((response) => {
    const timer = setInterval(() => response.write(': still here\n\n'), 5);
    response.write(eventOf('Begin'));
    response.on('close', () => clearInterval(timer));
  });

  it('at the deadline, though a slow drip keeps it alive', async () => {
    const { runner, server } = await serve(drip);
    const events = await collect(ask(runner, { limitMs: 300 }));
    expect(events).toEqual([
      { type: 'text', text: 'Begin' },
      { type: 'failure', failure: { kind: 'timeout' } },
    ]);
    await server.allClosed();
  });

  it('when the caller aborts', async () => {
    const { runner, server } = await serve(drip);
    const abort = new AbortController();
    const seen: RunEvent[] = [];
    for await (const event of ask(runner, { signal: abort.signal })) {
      seen.push(event);
      abort.abort();
    }
    expect(seen).toEqual([
      { type: 'text', text: 'Begin' },
      { type: 'failure', failure: { kind: 'cancelled' } },
    ]);
    await server.allClosed();
  });

  it('when the consumer leaves', async () => {
    const { runner, server } = await serve(drip);
    for await (const event of ask(runner)) {
      expect(event).toEqual({ type: 'text', text: 'Begin' });
      break;
    }
    await server.allClosed();
  });
});
