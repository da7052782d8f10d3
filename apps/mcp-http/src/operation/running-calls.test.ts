import { expect, it } from 'vitest';
import { CallCounts } from './readiness.ts';

/** A call that ends on request, or when its signal is aborted. */
function callUntilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}

it('returns the result of a call, and then releases the waiters for the last one', async () => {
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

it('aborts a call whose request closed before it began', async () => {
  const seen = await new CallCounts().run(({ aborted }) => Promise.resolve(aborted), AbortSignal.abort());
  expect(seen).toBe(true);
});

it('aborts all, and waits for each, including one that fails', async () => {
  const calls = new CallCounts();
  const { signal } = new AbortController();
  const first = calls.run(callUntilAborted, signal);
  const second = calls.run(async (own) => Promise.reject(new Error(await callUntilAborted(own))), signal);
  calls.abort();
  await calls.ended();
  expect(await first).toBe('aborted');
  await expect(second).rejects.toThrow('aborted');
});
