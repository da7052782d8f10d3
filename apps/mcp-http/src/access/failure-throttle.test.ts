import { describe, expect, it } from 'vitest';
import { FailureThrottle } from './failure-throttle.ts';

describe('FailureThrottle', () => {
  it('counts failures, and sets a waiting time over the limit', async () => {
    const throttle = new FailureThrottle({ maxFailures: 2 });
    expect(await throttle.countFailure('203.0.113.9')).toEqual({ failures: 1, retryAfterSeconds: null });
    expect(await throttle.countFailure('203.0.113.9')).toEqual({ failures: 2, retryAfterSeconds: null });
    const { failures, retryAfterSeconds } = await throttle.countFailure('203.0.113.9');
    expect(failures).toBe(3);
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('counts all addresses of one IPv6 network together', async () => {
    const throttle = new FailureThrottle();
    await throttle.countFailure('2001:db8:1:2::1');
    expect(await throttle.countFailure('2001:db8:1:2:ffff::2')).toMatchObject({ failures: 2 });
  });

  it('keeps a bounded number of counts, whatever the number of addresses', async () => {
    const throttle = new FailureThrottle();
    const counted: number[] = [];
    for (let index = 0; index < 20_000; index += 1) {
      const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
      counted.push((await throttle.countFailure(address)).failures);
    }
    expect(counted.filter((failures) => failures === 1).length).toBeLessThanOrEqual(4_096);
  });
});
