import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { whenResponseEnds } from '../limits/limit-concurrency.ts';
import { RawConnection } from './testing/raw-connection.ts';
import { ServedApp } from './testing/served-app.ts';

const count = 20;

let served: ServedApp;
let connection: RawConnection;
/** How often each response was reported as over, by the number of its request. */
let closings: Map<number, number>;
let aborted: Promise<number>[];
let responses: ServerResponse[];
let arrived: Promise<void>;
let answer: () => void;
const warnings: Error[] = [];
const keepWarning = (warning: Error): number => warnings.push(warning);

beforeEach(async () => {
  closings = new Map();
  aborted = [];
  responses = [];
  warnings.length = 0;
  process.on('warning', keepWarning);
  served = await new ServedApp().start();
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  arrived = new Promise((resolve) => {
    served.app.get('/:number', async ({ req, env, json }) => {
      const number = Number(req.param('number'));
      responses.push(env.outgoing);
      env.outgoing.on('close', () => closings.set(number, (closings.get(number) ?? 0) + 1));
      const { signal } = req.raw;
      aborted.push(new Promise((abort) => signal.addEventListener('abort', () => abort(number))));
      if (responses.length === count) {
        resolve();
      }
      await answered;
      return json({ number });
    });
  });
  connection = await RawConnection.open(served.port);
  const numbers = Array.from({ length: count }, (_, number) => number);
  await connection.send(numbers.map((number) => `GET /${number} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  await arrived;
});

afterEach(async () => {
  process.off('warning', keepWarning);
  connection.destroy();
  await served.stop();
});

it('every request of a closed connection is notified, whatever the order of responses', async () => {
  connection.destroy();
  expect((await Promise.all(aborted)).sort((one, other) => one - other)).toEqual([...Array(count).keys()]);
  expect([...closings.values()]).toEqual(Array(count).fill(1));
  let ended = 0;
  for (const response of responses) {
    whenResponseEnds(response, () => {
      ended += 1;
    });
  }
  expect(ended).toBe(count);
  expect(warnings).toEqual([]);
});

it('responses to pipelined requests leave in order, and each is over once', async () => {
  answer();
  const received = await connection.until(`{"number":${count - 1}}`);
  expect(received.match(/"number":\d+/g)).toEqual([...Array(count).keys()].map((number) => `"number":${number}`));
  const last = responses.at(-1);
  await new Promise<void>((resolve) => last && whenResponseEnds(last, resolve));
  connection.destroy();
  await served.stop();
  expect([...closings.values()]).toEqual(Array(count).fill(1));
});
