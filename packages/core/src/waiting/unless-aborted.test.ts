import { describe, expect, it } from 'vitest';
import { aborted, unlessAborted } from './unless-aborted.ts';

describe('unlessAborted', () => {
  it('resolves to what came, also where the abort came too late', async () => {
    const controller = new AbortController();
    controller.abort();
    expect(await unlessAborted(Promise.resolve('here'), controller.signal)).toBe('here');
  });

  it('resolves to aborted where the abort kept it from coming', async () => {
    const controller = new AbortController();
    controller.abort();
    expect(await unlessAborted(Promise.reject(controller.signal.reason), controller.signal)).toBe(aborted);
  });

  it('lets any other error through', async () => {
    const broken = new Error('broken');
    await expect(unlessAborted(Promise.reject(broken), new AbortController().signal)).rejects.toBe(broken);
  });
});
