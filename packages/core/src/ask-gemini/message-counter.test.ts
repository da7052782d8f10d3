import { expect, it } from 'vitest';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedCount } from '../testing/scripted-run.ts';
import type { AskRequest } from './ask-request.ts';
import { type MessageCounterOptions, messageCounter } from './message-counter.ts';

const request: AskRequest = {
  prompt: 'Why?',
  files: [],
  globPatterns: [],
  directories: [],
  model: null,
  timeoutMs: 600_000,
  maxFiles: 1,
  maxBytes: 1,
  owner: 'ada',
  history: [{ role: 'user', text: 'Hi' }],
  settings: { ...plainRunSettings, systemPrompt: 'Be terse.', apiKey: 'key' },
};

function arrange(count: ScriptedCount, signal = new AbortController().signal, timeoutMs = 600_000) {
  const clock = new FakeClock();
  const counted: RunRequest[] = [];
  const runner = new ScriptedGeminiRunner({
    clock,
    script: () => ({}),
    count: (asked) => {
      counted.push(asked);
      return count;
    },
  });
  const options: MessageCounterOptions = {
    runner,
    clock,
    request,
    chain: ['pro', 'flash'],
    deadlineAtMs: clock.now() + timeoutMs,
  };
  return { clock, counted, options, counter: messageCounter(options, signal) };
}

it('counts what a run of the first model would be given', async () => {
  const { counter, counted } = arrange({ ok: true, tokens: 7 });
  const media = [{ path: 'a', mediaType: 'image/png', bytes: Uint8Array.of(1) }];
  expect(await counter?.('the message', media)).toEqual({ ok: true, tokens: 7 });
  const { owner, history, settings } = request;
  expect(counted).toMatchObject([{ model: 'pro', input: 'the message', media, owner, history, settings }]);
});

it.each([
  ['half of the call', 50_000, 25_000],
  ['a minute', 600_000, 60_000],
])('gives up all counts together after %s', async (_, timeoutMs, limitMs) => {
  const { clock, counter } = arrange({ hangs: true }, undefined, timeoutMs);
  const hanging = counter?.('the message', []);
  await clock.advance(limitMs);
  const timeout = { ok: false, failure: { kind: 'timeout' } };
  expect(await hanging).toEqual(timeout);
  expect(await counter?.('the message', []), 'the count after that').toEqual(timeout);
});

it('ends with an abort', async () => {
  const cancellation = new AbortController();
  const { counter } = arrange({ hangs: true }, cancellation.signal);
  const hanging = counter?.('the message', []);
  cancellation.abort();
  expect(await hanging).toEqual({ ok: false, failure: { kind: 'cancelled' } });
});

it('is null if the runner for the request cannot count', () => {
  const { clock, options } = arrange({ hangs: true });
  const runner = new ScriptedGeminiRunner({ clock, script: () => ({}) });
  expect(messageCounter({ ...options, runner }, new AbortController().signal)).toBeNull();
});
