import { text as textOfBody } from 'node:stream/consumers';
import { CallQueue } from '@gemini-mcp/core';
import { expect, it } from 'vitest';
import { ask, collect, textOf } from './testing/ask.ts';
import { beginStream, eventOf } from './testing/raw-stream.ts';
import { RunnerPlace } from './testing/runner-place.ts';

const runners = new RunnerPlace();
const [calls, atOnce] = [1_000, 32];

it('LOAD-05: of 1,000 concurrent calls 32 run: no answer is lost or swapped, and connections are reused', async () => {
  let [running, mostRunning] = [0, 0];
  let letAnswer = (): void => undefined;
  const allPlacesTaken = new Promise<void>((resolve) => {
    letAnswer = resolve;
  });
  const { server, runner } = await runners.serve(async (request, response) => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    if (running === atOnce) {
      letAnswer();
    }
    const [token = ''] = /canary-\d+\./.exec(await textOfBody(request)) ?? [];
    beginStream(response).write(eventOf('answer to '));
    await allPlacesTaken;
    running -= 1;
    response.end(eventOf(token, 'STOP'));
  });
  const queue = new CallQueue({ maxRunning: atOnce, maxQueued: calls });
  const askInTurn = async (index: number): Promise<string> => {
    const ticket = queue.enter('ada');
    await ticket?.admitted;
    const answer = await collect(ask(runner, { input: `Repeat canary-${index}.` }));
    ticket?.leave();
    return textOf(answer);
  };
  const answers = await Promise.all(Array.from({ length: calls }, (_, index) => askInTurn(index)));
  expect(answers).toEqual(answers.map((_, index) => `answer to canary-${index}.`));
  expect(mostRunning).toBe(atOnce);
  // undici takes a connection for busy until a moment after its answer has ended, so that the next call may open another one.
  expect(server.connections).toBeLessThanOrEqual(2 * atOnce);
});
