import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventOf } from './testing/raw-stream.ts';
import { RunnerPlace } from './testing/runner-place.ts';

const place = new RunnerPlace();
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n';
const answer = eventOf('Yes', 'STOP');
const yes = [
  { type: 'text', text: 'Yes' },
  { type: 'answer', ending: { type: 'complete' } },
];

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function says(text: string): (socket: Socket) => unknown {
  return (socket) => socket.end(text);
}

describe('ApiGeminiRunner with malformed HTTP', () => {
  it.each([
    ['an answer over HTTP/1.0', `${head.replace('1.1', '1.0')}\r\n${answer}`],
    [
      'hints before the answer',
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${head}Connection: close\r\n\r\n${answer}`,
    ],
    [
      'a type in other letters, with a charset',
      `${head.replace('text/event', 'TEXT/Event').replace('stream', 'stream; charset=utf-8')}\r\n${answer}`,
    ],
  ])('%s is read', async (_, text) => {
    expect(await place.answerOnSocket(says(text))).toEqual(yes);
  });

  it.each([
    ['another protocol than HTTP', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
    ['a head of many megabytes', `${head}X-A: ${'x'.repeat(5_000_000)}\r\n\r\n${answer}`],
    ['a head of many lines', `${head}${'X-A: b\r\n'.repeat(5_000)}\r\n${answer}`],
    // Which no one has asked for: undici takes it for an error.
    ['100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${head}\r\n${answer}`],
    [
      'two lengths that contradict each other',
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${answer}`,
    ],
    ['a connection that closes before the head', ''],
    ['a connection that closes in the head', 'HTTP/1.1 200'],
    ['no content', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ])('%s is a failure of the network', async (_, text) => {
    expect(await place.answerOnSocket(says(text))).toEqual([
      { type: 'failure', failure: expect.objectContaining({ kind: 'network' }) },
    ]);
  });

  it.each([
    ['a piece that is missing', `${head}Transfer-Encoding: chunked\r\n\r\n${chunk(answer)}`],
    ['a length that is not reached', `${head}Content-Length: 9999\r\n\r\n${answer}`],
  ])('text before %s does not count as the whole answer', async (_, text) => {
    expect(await place.answerOnSocket(says(text))).toEqual([
      { type: 'text', text: 'Yes' },
      { type: 'failure', failure: expect.objectContaining({ kind: 'network' }) },
    ]);
  });

  it('a head without an answer is an empty one', async () => {
    expect(await place.answerOnSocket(says(`${head}\r\n`))).toEqual([
      { type: 'failure', failure: { kind: 'empty-answer', excerpt: '' } },
    ]);
  });

  it('rejects a response with two content types', async () => {
    expect(await place.answerOnSocket(says(`${head}Content-Type: text/html\r\n\r\n${answer}`))).toEqual([
      { type: 'failure', failure: expect.objectContaining({ kind: 'malformed-output' }) },
    ]);
  });

  it('reports the reason for a request refused before it was read', async () => {
    const refusal = 'HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbig!';
    expect(await place.answerOnSocket(says(refusal), { input: 'x'.repeat(7_000_000) })).toEqual([
      { type: 'failure', failure: { kind: 'context-too-large', refusal: null, excerpt: 'big!' } },
    ]);
  });

  it('reports a key that does not fit into a header, without showing it', async () => {
    const login = { type: 'gemini-key', apiKey: 'AIzaFake-key\nof two lines' } as const;
    const { server } = await place.serve((_, response) => response.end());
    const events = [];
    const request = { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: Date.now() + 60_000 };
    for await (const event of place.runnerAt(server.url, { login }).run(request, new AbortController().signal)) {
      events.push(event);
    }
    expect(events).toEqual([{ type: 'failure', failure: expect.objectContaining({ kind: 'configuration' }) }]);
    expect(JSON.stringify(events)).not.toContain('AIzaFake');
    expect(server.connections).toBe(0);
  });
});
