import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { Drain } from './drain.ts';
import { answerHealth, Readiness, type ReadinessOptions } from './readiness.ts';
import { ServedApp } from './testing/served-app.ts';

const well = (): Promise<boolean> => Promise.resolve(true);
const ill = (): Promise<boolean> => Promise.resolve(false);

function createReadiness(
  checks: ReadinessOptions['checks'],
  { clock = new FakeClock(), drain = new Drain() } = {},
): Readiness {
  return new Readiness({ checks, clock, drain });
}

describe('Readiness', () => {
  it('names what is wrong, in the order of the checks', async () => {
    const rejecting = (): Promise<boolean> => Promise.reject(new Error('/home/canary'));
    expect(await createReadiness({ cli: ill, state: well, disk: rejecting }).check()).toEqual(['cli', 'disk']);
    expect(await createReadiness({ cli: well }).check()).toEqual([]);
  });

  it('takes a check that hangs for one that has failed', async () => {
    const clock = new FakeClock();
    const checking = createReadiness({ cli: () => new Promise(() => undefined), state: well }, { clock }).check();
    await clock.advance(2_000);
    expect(await checking).toEqual(['cli']);
    expect(clock.sleeping).toBe(0);
  });

  it('checks once in five seconds, however often it is asked', async () => {
    const clock = new FakeClock();
    let checked = 0;
    let isWell = true;
    const cli = (): Promise<boolean> => {
      checked += 1;
      return Promise.resolve(isWell);
    };
    const readiness = createReadiness({ cli }, { clock });
    await Promise.all(Array.from({ length: 100 }, () => readiness.check()));
    isWell = false;
    await clock.advance(4_999);
    expect([await readiness.check(), checked]).toEqual([[], 1]);
    await clock.advance(1);
    expect([await readiness.check(), checked]).toEqual([['cli'], 2]);
  });

  it('is at an end as soon as the server is ending', async () => {
    const drain = new Drain();
    const readiness = createReadiness({ cli: well }, { drain });
    expect(await readiness.check()).toEqual([]);
    drain.begin();
    expect(await readiness.check()).toEqual(['shutting-down']);
  });
});

describe('over HTTP', () => {
  it('health, readiness and its end are answered with a status and names', async () => {
    const served = await new ServedApp().start();
    const drain = new Drain();
    let isWell = true;
    const readiness = createReadiness({ cli: () => Promise.resolve(isWell) }, { drain });
    const later = createReadiness({ cli: () => Promise.resolve(isWell) });
    served.app.get('/healthz', answerHealth);
    served.app.get('/readyz', readiness.answer);
    served.app.get('/later', later.answer);
    const ask = async (path: string): Promise<readonly unknown[]> => {
      const response = await fetch(served.url(path));
      return [response.status, await response.json()];
    };
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
    expect(await ask('/readyz')).toEqual([200, { status: 'ready' }]);
    isWell = false;
    expect(await ask('/later')).toEqual([503, { status: 'not-ready', failed: ['cli'] }]);
    drain.begin();
    expect(await ask('/readyz')).toEqual([503, { status: 'not-ready', failed: ['shutting-down'] }]);
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
    await served.stop();
  });
});
