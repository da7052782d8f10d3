import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RawConnection } from '../operation/testing/raw-connection.ts';
import { ServedApp } from '../operation/testing/served-app.ts';
import { whenResponseEnds } from './limit-concurrency.ts';

let served: ServedApp;
let answer: (response: Response) => void;
/** The response to watch. */
let outgoing: Promise<ServerResponse>;

beforeEach(async () => {
  served = await new ServedApp().start();
  outgoing = new Promise((resolve) => {
    served.app.get('/', (context) => {
      resolve(context.env.outgoing);
      return new Promise<Response>((give) => {
        answer = give;
      });
    });
  });
});

afterEach(() => served.stop());

it('calls back once a response has ended, not before', async () => {
  const asking = fetch(served.url());
  const watched = await outgoing;
  let times = 0;
  const ended = new Promise<void>((resolve) => {
    whenResponseEnds(watched, () => {
      times += 1;
      resolve();
    });
  });
  expect(times).toBe(0);
  answer(new Response('done'));
  await (await asking).text();
  await ended;
  expect(times).toBe(1);
});

it('calls back at once if the receiver has disconnected', async () => {
  const connection = await RawConnection.open(served.port);
  await connection.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const watched = await outgoing;
  connection.destroy();
  await once(watched, 'close');
  let times = 0;
  whenResponseEnds(watched, () => {
    times += 1;
  });
  expect(times).toBe(1);
});
