import { PassThrough } from 'node:stream';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Surface, SurfaceSource } from '../../surface/surface.ts';
import { modernRequest } from '../testing/modern-caller.ts';
import { serveStdio } from './serve-stdio.ts';
import type { StdioServed } from './stdio-served.ts';

type Line = {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly served: Promise<StdioServed>;
  /** The signals of all calls so far. */
  readonly calls: readonly AbortSignal[];
};

function open(): Line {
  const [stdin, stdout] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const calls: AbortSignal[] = [];
  const surface: Surface = {
    tools: [
      {
        ...{ name: 'hang', title: 'Hang', description: 'Hangs', input: z.strictObject({}) },
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        run: (_, { signal }) => {
          calls.push(signal);
          return new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve({ text: 'aborted', isError: true }));
          });
        },
      },
    ],
    ...{ prompts: [], resources: [] },
  };
  const source: SurfaceSource = { current: () => Promise.resolve(surface), onChange: () => () => undefined };
  const server = {
    ...{ version: '1.0.0', surface: source, clock: new FakeClock() },
    ...{ log: () => undefined, ownerOf: () => 'alice' },
  };
  return { stdin, stdout, calls, served: serveStdio({ server, stdin, stdout }, new AbortController().signal) };
}

function linesOf(messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

const legacy = (id: number, method: string, params: object = {}): object => ({ jsonrpc: '2.0', id, method, params });
const listen = (id: number): object =>
  modernRequest(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
const hang = { name: 'hang', arguments: {} };

const mixed = [
  modernRequest(1, 'server/discover'),
  legacy(2, 'initialize', {
    ...{ protocolVersion: '2025-11-25', capabilities: { elicitation: {} } },
    clientInfo: { name: 'test', version: '1' },
  }),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  modernRequest(3, 'tools/call', hang),
  legacy(4, 'tools/call', hang),
  listen(5),
  legacy(6, 'tools/list'),
  modernRequest(7, 'tools/list'),
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } },
];

describe('both eras on one line', () => {
  const text = linesOf(mixed);
  // Within and between the messages.
  const cuts = Array.from({ length: 60 }, (_, index) => Math.round((text.length * index) / 59));

  it('end with the input, wherever it is cut, and leave no call running', async () => {
    for (const cut of cuts) {
      const { stdin, stdout, served, calls } = open();
      stdout.resume();
      stdin.end(text.slice(0, cut));
      const { reason, callsEnded } = await served;
      await callsEnded;
      expect([cut, reason, calls.every((signal) => signal.aborted)]).toEqual([cut, 'end-of-input', true]);
    }
  });

  it('end with the output, after any number of messages, and leave no call running', async () => {
    for (let answers = 0; answers <= 5; answers += 1) {
      const { stdin, stdout, served, calls } = open();
      let received = 0;
      const take = (count: number): void => {
        received += count;
        if (received >= answers) {
          stdout.destroy();
        }
      };
      stdout.on('data', (piece: string) => take(piece.split('\n').length - 1));
      take(0);
      stdin.write(text);
      const { reason, callsEnded } = await served;
      await callsEnded;
      expect([answers, reason, calls.every((signal) => signal.aborted)]).toEqual([answers, 'output-closed', true]);
    }
  });
});

it('LISTEN: 10,000 subscriptions on one line are bounded at 16, and the others hear why', async () => {
  const { stdin, stdout, served } = open();
  const ids = Array.from({ length: 10_000 }, (_, index) => index);
  stdin.write(linesOf([...ids.map(listen), modernRequest('last', 'prompts/list')]));
  let text = '';
  for await (const piece of stdout) {
    text += piece;
    if (text.includes('"id":"last"')) {
      break;
    }
  }
  const messages = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.filter(({ method }) => method === 'notifications/subscriptions/acknowledged')).toHaveLength(16);
  expect(messages.filter(({ error }) => error?.message.startsWith('At most 16 subscriptions'))).toHaveLength(9_984);
  await served;
});
