import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ApiGeminiRunner } from '@gemini-mcp/adapters-api';
import { SystemClock } from '@gemini-mcp/adapters-node';
import type { RunRequest } from '@gemini-mcp/core';
import { type Benchmark, type Comparison, figureBelow } from '../benchmark.ts';
import { Series } from '../series.ts';

const event = `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: 'Begin' }] } }] })}\r\n\r\n`;
const deadlineMs = 60_000;
/** Soon enough for a bench, and late enough for the first text to have come. */
const shortDeadlineMs = 300;

/** An answer that never ends, and how soon its connection is closed at the API's end after a run has to end. */
export const apiClosing: Benchmark = {
  name: 'api-closing',
  defaultRounds: 30,
  run: async (workbench, rounds) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event);
    });
    const clock = new SystemClock();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const login = { type: 'gemini-key', apiKey: 'none' } as const;
    const runner = new ApiGeminiRunner({ login, geminiBaseUrl: `http://127.0.0.1:${port}`, clock });
    workbench.onClose(async () => {
      server.closeAllConnections();
      server.close();
      await runner.close();
    });

    const time = async (limitMs: number, atText: AtText): Promise<number> => {
      const closed = once(server, 'connection').then(([socket]: Socket[]) => whenClosed(socket));
      const request = { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: clock.now() + limitMs };
      const endedAt = await readUntilEnded(runner, request, atText);
      return (await closed) - endedAt;
    };

    return [
      await measure('an abort', rounds, () => time(deadlineMs, 'abort')),
      await measure('the consumer has left', rounds, () => time(deadlineMs, 'leave')),
      await measure('the deadline', rounds, () => time(shortDeadlineMs, 'wait')),
    ];
  },
};

/** What is done when the first text has come. */
type AtText = 'abort' | 'leave' | 'wait';

/** Resolves to when the run had to end. */
async function readUntilEnded(runner: ApiGeminiRunner, request: RunRequest, atText: AtText): Promise<number> {
  const abort = new AbortController();
  const deadlineAt = performance.now() + request.deadlineAtMs - Date.now();
  let textAt = 0;
  for await (const { type } of runner.run(request, abort.signal)) {
    textAt ||= type === 'text' ? performance.now() : 0;
    if (atText === 'leave') {
      break;
    }
    if (atText === 'abort') {
      abort.abort();
    }
  }
  return atText === 'wait' ? deadlineAt : textAt;
}

async function measure(what: string, rounds: number, time: () => Promise<number>): Promise<Comparison> {
  const series = new Series();
  for (let round = 0; round <= rounds; round += 1) {
    const figure = await time();
    if (round > 0) {
      series.add(figure);
    }
  }
  return {
    what: `The connection to the API is closed after ${what}: the longest of ${rounds}`,
    unit: 'ms',
    baseline: null,
    ours: series.greatest,
    target: figureBelow(50),
  };
}

function whenClosed(socket: Socket | undefined): Promise<number> {
  return new Promise((resolve) => {
    socket?.on('error', () => undefined).once('close', () => resolve(performance.now()));
  });
}
