import { createRequire } from 'node:module';
import { request } from 'undici';
import { expect, it } from 'vitest';
import { ask } from './testing/ask.ts';
import { beginStream, eventOf } from './testing/raw-stream.ts';
import { RunnerPlace } from './testing/runner-place.ts';

const place = new RunnerPlace();

/** undici's clock of its long limits of time, which its own tests put forward. */
const { tick }: { readonly tick: (durationMs: number) => void } = createRequire(import.meta.url)(
  'undici/lib/util/timers.js',
);

/** Longer than the 300 seconds that undici, and the `fetch` of Node, wait for a head, and again for each piece of a body. */
const silenceMs = 400_000;

/** Twice: what has just begun to wait counts from the first one. */
function beSilent(): void {
  tick(silenceMs);
  tick(silenceMs);
}

it('an answer may begin and go on after any silence, where undici by itself gives up', async () => {
  let continueAnswer = (): void => undefined;
  const { server, runner } = await place.serve((_, response) => {
    beSilent();
    beginStream(response).write(eventOf('Begin'));
    continueAnswer = () => {
      beSilent();
      response.end(eventOf('end', 'STOP'));
    };
  });
  const events = [];
  for await (const event of ask(runner)) {
    events.push(event);
    continueAnswer();
    continueAnswer = () => undefined;
  }
  expect(events).toEqual([
    { type: 'text', text: 'Begin' },
    { type: 'text', text: 'end' },
    { type: 'answer', ending: { type: 'complete' } },
  ]);
  await expect(request(server.url, { method: 'POST', body: '{}' })).rejects.toMatchObject({
    code: 'UND_ERR_HEADERS_TIMEOUT',
  });
});
