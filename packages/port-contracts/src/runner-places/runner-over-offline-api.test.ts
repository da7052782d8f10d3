import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GeminiRunner, RunEvent } from '@gemini-mcp/core';
import { messageOnly, ScriptedGeminiRunner } from '@gemini-mcp/core/testing';
import { expect, it } from 'vitest';
import type { GeminiRunnerHarness } from '../gemini-runner/gemini-runner-harness.ts';
import { runningTimers } from '../running-timers.ts';
import { collectEvents } from './collect-events.ts';
import { type RunnerPlace, runnerOverOfflineApi } from './runner-over-offline-api.ts';

const end: RunEvent = { type: 'failure', failure: { kind: 'cancelled' } };

type Work = (place: RunnerPlace) => Promise<unknown>;

/** A harness around a runner with runs of this script. */
async function harnessDoing(work: Work): Promise<GeminiRunnerHarness> {
  return runnerOverOfflineApi((place): GeminiRunner => {
    const { capabilities } = new ScriptedGeminiRunner({
      clock: place.clock,
      script: () => ({}),
      capabilities: messageOnly,
    });
    return {
      capabilities,
      async *run() {
        await work(place);
        yield end;
      },
    };
  }).create();
}

function post({ baseUrl, apiKey }: RunnerPlace, body: object, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${baseUrl}/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse&key=${apiKey}`, {
    method: 'POST',
    body: JSON.stringify({ store: false, ...body }),
    signal,
  });
}

const turns = [
  { role: 'user', parts: [{ text: 'One' }] },
  { role: 'model', parts: [{ text: 'T' }, { text: 'wo' }] },
  { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'AQID' } }, { text: 'Three' }] },
];

it('returns arrived requests, by either of the names that the API accepts', async () => {
  const keys: string[] = [];
  const harness = await harnessDoing((place) => {
    keys.push(place.apiKey);
    return post(place, { contents: turns, system_instruction: { parts: [{ text: 'Be terse.' }] } }).then((it) =>
      it.text(),
    );
  });
  harness.arrange(() => ({ type: 'answer', chunks: ['ok'] }));
  await collectEvents(harness);
  expect(harness.received()).toEqual(['Three']);
  expect(harness.carried?.()).toMatchObject([
    {
      model: 'gemini-2.5-pro',
      apiKey: keys[0],
      tools: 'none',
      history: [
        { role: 'user', text: 'One' },
        { role: 'model', text: 'Two' },
      ],
      systemPrompt: 'Be terse.',
      media: [{ mediaType: 'image/png', bytes: Uint8Array.of(1, 2, 3) }],
    },
  ]);
  await harness.dispose();
  expect(await harness.remains?.()).toEqual([]);
});

it('finds a request that a run has left open, and no closed one', async () => {
  const over = new AbortController();
  const harness = await harnessDoing((place) => post(place, { contents: turns }, over.signal).catch(() => undefined));
  harness.arrange(() => ({ type: 'hang', chunks: ['half'] }));
  await collectEvents(harness);
  expect(await harness.leftovers()).toEqual([expect.stringMatching(/^an open request: .*:streamGenerateContent/)]);
  over.abort();
  expect(await harness.leftovers()).toEqual([]);
  await harness.dispose();
});

it.each([
  ['no store', { store: undefined }],
  ['store: true', { store: true }],
  ['store as a text', { store: 'false' }],
])('finds a request that Google would store: %s', async (_, fields) => {
  const harness = await harnessDoing(async (place) => {
    await (await post(place, { ...fields, contents: turns })).text();
  });
  harness.arrange(() => ({ type: 'answer', chunks: ['ok'] }));
  await collectEvents(harness);
  expect(await harness.leftovers()).toEqual([expect.stringMatching(/^a log at Google, .*:streamGenerateContent/)]);
  await harness.dispose();
});

it('finds sleeps and timers that a run has left', async () => {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sleep: Promise<void> | undefined;
  // If one of vitest's timers ends meanwhile, it hides the timer that is left.
  while (runningTimers() > 0) {
    await nextTurn();
  }
  const harness = await harnessDoing(async ({ clock }) => {
    timer = setTimeout(() => undefined, 60_000);
    sleep = clock.sleep(60_000, over.signal).catch(() => undefined);
  });
  await collectEvents(harness);
  expect(await harness.leftovers()).toEqual(['a sleep on the clock', 'a timer']);
  clearTimeout(timer);
  over.abort();
  await sleep;
  await harness.dispose();
  expect(await harness.remains?.()).toEqual([]);
});
