import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { answerHealth, Readiness, type ReadinessOptions } from './readiness.ts';
import { Drain } from './shut-down.ts';
import { ServedApp } from './testing/served-app.ts';

const well = (): Promise<boolean> => Promise.resolve(true);
const ill = (): Promise<boolean> => Promise.resolve(false);

function createReadiness(
  checks: ReadinessOptions['checks'],
  { clock = new FakeClock(), drain = new Drain() } = {},
): Readiness {
  return new Readiness({ checks, clock, drain });
}

/** The result of the first checks. */
async function failedOf(readiness: Readiness): Promise<readonly string[]> {
  const watching = new AbortController();
  const watch = readiness.watch(watching.signal);
  await new Promise(setImmediate);
  watching.abort();
  await watch;
  return readiness.failed;
}

describe('Readiness', () => {
  it('names the failed checks in order', async () => {
    const rejecting = (): Promise<boolean> => Promise.reject(new Error('/home/canary'));
    expect(await failedOf(createReadiness({ cli: ill, state: well, disk: rejecting }))).toEqual(['cli', 'disk']);
    expect(await failedOf(createReadiness({ cli: well }))).toEqual([]);
  });

  it('counts a check that hangs as failed', async () => {
    const clock = new FakeClock();
    const readiness = createReadiness({ cli: () => new Promise(() => undefined), state: well }, { clock });
    const watching = new AbortController();
    const watch = readiness.watch(watching.signal);
    await clock.advance(2_000);
    expect(readiness.failed).toEqual(['cli']);
    watching.abort();
    await watch;
    expect(clock.sleeping).toBe(0);
  });

  it('is starting before the first checks have ended, and checks again 30 seconds later', async () => {
    const clock = new FakeClock();
    let isWell = true;
    let checked = 0;
    const cli = (): Promise<boolean> => {
      checked += 1;
      return Promise.resolve(isWell);
    };
    const readiness = createReadiness({ cli }, { clock });
    expect(readiness.failed).toEqual(['starting']);
    const watching = new AbortController();
    const watch = readiness.watch(watching.signal);
    await clock.advance(29_999);
    isWell = false;
    expect([readiness.failed, checked]).toEqual([[], 1]);
    await clock.advance(1);
    expect([readiness.failed, checked]).toEqual([['cli'], 2]);
    watching.abort();
    await watch;
  });

  it('is not ready as soon as shutdown begins', async () => {
    const drain = new Drain();
    const readiness = createReadiness({ cli: well }, { drain });
    expect(await failedOf(readiness)).toEqual([]);
    drain.begin();
    expect(readiness.failed).toEqual(['shutting-down']);
  });
});

describe('over HTTP', () => {
  it('ACCESS-02: a request without a token reads the last result and starts no check', async () => {
    const served = await new ServedApp().start();
    const drain = new Drain();
    let checked = 0;
    const cli = (): Promise<boolean> => {
      checked += 1;
      return Promise.resolve(checked === 1);
    };
    const readiness = createReadiness({ cli }, { drain });
    served.app.get('/healthz', answerHealth);
    served.app.get('/readyz', readiness.answer);
    const ask = async (path: string): Promise<readonly unknown[]> => {
      const response = await fetch(served.url(path));
      return [response.status, await response.json()];
    };
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
    expect(await ask('/readyz')).toEqual([503, { status: 'not-ready', failed: ['starting'] }]);
    expect(checked).toBe(0);
    await failedOf(readiness);
    for (let time = 0; time < 20; time += 1) {
      expect(await ask('/readyz')).toEqual([200, { status: 'ready' }]);
    }
    expect(checked).toBe(1);
    await failedOf(readiness);
    expect(await ask('/readyz')).toEqual([503, { status: 'not-ready', failed: ['cli'] }]);
    drain.begin();
    expect(await ask('/readyz')).toEqual([503, { status: 'not-ready', failed: ['shutting-down'] }]);
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
    await served.stop();
  });
});
