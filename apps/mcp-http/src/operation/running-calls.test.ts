import { expect, it } from 'vitest';
import { CallCounts } from './readiness.ts';

/** A call that ends when it is told to, or when its signal is aborted. */
function callUntilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}

it('gives back what a call gives, and lets whoever waits for the last of them go on then', async () => {
  const calls = new CallCounts();
  expect(await calls.run(() => Promise.resolve(42), new AbortController().signal)).toBe(42);
  await calls.ended();
});

it('aborts a call with its request', async () => {
  const calls = new CallCounts();
  const request = new AbortController();
  const call = calls.run(callUntilAborted, request.signal);
  request.abort();
  expect(await call).toBe('aborted');
});

it('aborts a call whose request was closed before it began', async () => {
  const seen = await new CallCounts().run(({ aborted }) => Promise.resolve(aborted), AbortSignal.abort());
  expect(seen).toBe(true);
});

it('aborts all, and waits for each of them, also for one that fails', async () => {
  const calls = new CallCounts();
  const { signal } = new AbortController();
  const first = calls.run(callUntilAborted, signal);
  const second = calls.run(async (own) => Promise.reject(new Error(await callUntilAborted(own))), signal);
  calls.abort();
  await calls.ended();
  expect(await first).toBe('aborted');
  await expect(second).rejects.toThrow('aborted');
});
