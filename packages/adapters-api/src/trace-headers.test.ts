import type { IncomingHttpHeaders } from 'node:http';
import { expect, it } from 'vitest';
import { collect } from './testing/ask.ts';
import { RunnerPlace } from './testing/runner-place.ts';
import { wallClock } from './testing/wall-clock.ts';

const place = new RunnerPlace();

const traceOf = (digit: string) => ({
  traceparent: `00-${digit.repeat(32)}-b7ad6b7169203331-01`,
  tracestate: `rojo=${digit}`,
  baggage: `user=${digit}`,
});

it('sends the trace of each run with its own request, and baggage never', async () => {
  const received = new Map<string, IncomingHttpHeaders>();
  const { runner } = await place.serve((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      received.set(/I am (.)/.exec(body)?.[1] ?? '', request.headers);
      response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const runOf = (digit: string, trace?: ReturnType<typeof traceOf>) =>
    collect(
      runner.run(
        { model: 'gemini-3.8-flash', input: `I am ${digit}`, deadlineAtMs: wallClock.now() + 60_000, trace },
        new AbortController().signal,
      ),
    );
  await Promise.all([runOf('a', traceOf('a')), runOf('b', traceOf('b')), runOf('c')]);
  const { traceparent, tracestate } = traceOf('a');
  expect(received.get('a')).toMatchObject({ traceparent, tracestate });
  expect(received.get('b')).toMatchObject({ traceparent: traceOf('b').traceparent, tracestate: 'rojo=b' });
  expect(received.get('c')).not.toHaveProperty('traceparent');
  for (const headers of received.values()) {
    expect(JSON.stringify(headers)).not.toMatch(/baggage|user=/);
  }
});
