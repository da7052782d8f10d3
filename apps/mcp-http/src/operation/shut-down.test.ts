import { FakeClock } from '@gemini-mcp/core/testing';
import { streamSSE } from 'hono/streaming';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Drain, type ShutDownOptions, shutDown } from './shut-down.ts';
import { RawConnection } from './testing/raw-connection.ts';
import { ServedApp } from './testing/served-app.ts';

type Signal = { readonly given: Promise<void>; readonly give: () => void };

function createSignal(): Signal {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

let served: ServedApp;
let clock: FakeClock;
let drain: Drain;
/** The steps, in order. */
let done: string[];
let callsEnded: Signal;
let runnersClosed: Signal;
let hurry: AbortController;

beforeEach(async () => {
  served = new ServedApp();
  clock = new FakeClock();
  drain = new Drain();
  done = [];
  callsEnded = createSignal();
  runnersClosed = createSignal();
  hurry = new AbortController();
  served.app.use(drain.refuseNew);
  await served.start();
});

afterEach(() => served.stop());

function begin(known: Partial<ShutDownOptions> = {}): Promise<boolean> {
  return shutDown(
    {
      server: served.server,
      drain,
      clock,
      graceMs: 2_000,
      callsEnded: () => callsEnded.given,
      abortCalls: () => done.push('calls aborted'),
      endStreams: () => done.push('streams ended'),
      closeRunners: () => {
        done.push('runners closed');
        return runnersClosed.given;
      },
      log: served.log,
      ...known,
    },
    hurry.signal,
  );
}

describe('shutDown', () => {
  it('is clean if the calls end by themselves and everything closes', async () => {
    const ending = begin();
    await clock.advance(1_999);
    expect(done).toEqual([]);
    callsEnded.give();
    runnersClosed.give();
    expect(await ending).toBe(true);
    expect(done).toEqual(['streams ended', 'runners closed']);
    expect([served.server.listening, clock.sleeping]).toEqual([false, 0]);
  });

  it('cancels running calls after the grace', async () => {
    const ending = begin();
    await clock.advance(2_000);
    expect(done).toEqual(['calls aborted', 'streams ended', 'runners closed']);
    callsEnded.give();
    runnersClosed.give();
    expect(await ending).toBe(false);
    expect(served.lines).toMatchObject([{ event: 'calls-cancelled', reason: 'grace-over' }]);
  });

  it('cancels running calls at once when hurried', async () => {
    const ending = begin();
    await clock.advance(1);
    hurry.abort();
    await clock.advance(0);
    expect(done[0]).toBe('calls aborted');
    callsEnded.give();
    runnersClosed.give();
    expect(await ending).toBe(false);
    expect(served.lines).toMatchObject([{ reason: 'hurried' }]);
  });

  it('ends within its grace and 2.5 s, even if nothing else ends', async () => {
    let isOver = false;
    const connection = await RawConnection.open(served.port);
    await connection.send('GET / HTTP/1.1\r\nHost: ');
    const ending = begin().then((isClean) => {
      isOver = true;
      return isClean;
    });
    await clock.advance(4_499);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await ending).toBe(false);
    expect(await connection.closed()).toBe('');
    expect(clock.sleeping).toBe(0);
  });

  it('is not clean if a part could not be closed', async () => {
    callsEnded.give();
    expect(await begin({ closeRunners: () => Promise.reject(new Error('stuck')) })).toBe(false);
  });
});

describe('shutDown and connected clients', () => {
  it('accepts no new connection, closes idle ones, and lets a call on another finish', async () => {
    served.app.get('/', (context) => context.json({}));
    const busy = createSignal();
    served.app.get('/busy', async (context) => {
      done.push('busy');
      await busy.given;
      return context.json({ finished: true });
    });
    const connection = await RawConnection.open(served.port);
    await connection.send('GET /busy HTTP/1.1\r\nHost: a\r\n\r\n');
    const other = await RawConnection.open(served.port);
    await other.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await other.until('{}');
    const ending = begin();
    await expect(fetch(served.url())).rejects.toThrow('fetch failed');
    await other.closed();
    expect(done).toEqual(['busy']);
    busy.give();
    callsEnded.give();
    runnersClosed.give();
    expect(await connection.closed()).toContain('{"finished":true}');
    expect(await ending).toBe(true);
  });

  it('answers 503 to a request that arrives after its beginning', async () => {
    served.app.get('/', (context) => context.json({}));
    drain.begin();
    const response = await fetch(served.url());
    expect(response.status).toBe(503);
    expect([response.headers.get('Retry-After'), response.headers.get('Connection')]).toEqual(['5', 'close']);
    expect(await response.json()).toMatchObject({ error: { code: 'shutting-down' } });
  });

  it('sends the last bytes of a cancelled call, and ends streams', async () => {
    const cancelled = createSignal();
    served.app.get('/call', (context) =>
      streamSSE(context, async (stream) => {
        await stream.writeSSE({ data: 'first' });
        await cancelled.given;
        await stream.writeSSE({ data: 'cancelled' });
      }),
    );
    const response = await fetch(served.url('/call'));
    const ending = begin({
      abortCalls: () => {
        cancelled.give();
        callsEnded.give();
        runnersClosed.give();
      },
    });
    await clock.advance(2_000);
    expect(await response.text()).toBe('data: first\n\ndata: cancelled\n\n');
    await ending;
  });
});
