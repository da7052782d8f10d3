import type { Server } from 'node:http';
import type { Clock } from '@gemini-mcp/core';
import { raceTimeout } from '@gemini-mcp/core/internal';
import type { Log } from '@gemini-mcp/server';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { refuse } from '../refusal.ts';

export type ShutDownOptions = {
  readonly server: Server;
  readonly drain: Drain;
  readonly clock: Clock;
  /** Grace period of running calls. */
  readonly graceMs: number;
  /** Resolves when no call is running any more. */
  readonly callsEnded: () => Promise<unknown>;
  /** Cancels running calls. */
  readonly abortCalls: () => void;
  /** Ends the streams that wait for news and belong to no call. */
  readonly endStreams: () => unknown;
  /** Ends every started process, and resolves when they have exited. */
  readonly closeRunners: () => Promise<unknown>;
  readonly log: Log;
};

/** For everything that ends after the calls: longer than a stubborn process takes to die. */
const lastWorkMs = 2_500;

/** For the last bytes of answers, once nothing is running: a client that does not read them by then never will. */
const lastBytesMs = 250;

const never = new AbortController().signal;

/**
 * Ends the server: no new connection or call, a grace for running ones, then an end of those, of the streams and of the
 * processes. Takes at most `graceMs` and 2.5 s; an abort of `hurry` ends the grace. Resolves to whether every call ended by
 * itself and everything could be closed in time. Never rejects.
 */
export async function shutDown(options: ShutDownOptions, hurry: AbortSignal): Promise<boolean> {
  const { server, drain, clock, graceMs, callsEnded, abortCalls, endStreams, closeRunners, log } = options;
  drain.begin();
  const closed = stopListening(server);
  const calls = settled(callsEnded());
  const grace = await raceTimeout({ event: calls, durationMs: graceMs, clock }, hurry);
  if (grace !== 'happened') {
    log.info('calls-cancelled', { reason: grace === 'aborted' ? 'hurried' : 'grace-over' });
    abortCalls();
  }
  endStreams();
  const deadlineAtMs = clock.now() + lastWorkMs;
  const work = Promise.all([calls, settled(closeRunners())]);
  const workEnd = await raceTimeout({ event: work, durationMs: lastWorkMs, clock }, never);
  const leftMs = Math.max(0, deadlineAtMs - clock.now());
  await raceTimeout({ event: closed, durationMs: Math.min(lastBytesMs, leftMs), clock }, never);
  server.closeAllConnections();
  return grace === 'happened' && workEnd === 'happened' && (await work).every((isDone) => isDone);
}

/** Resolves when all connections are gone. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Resolves to whether it succeeded. */
function settled(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Whether the server is ending. Once it is, it stays so. */
export class Drain {
  #hasBegun = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(): void {
    this.#hasBegun = true;
  }

  /** Refuses requests on open connections with 503 during shutdown. */
  readonly refuseNew: MiddlewareHandler<HttpEnv> = async (context, next) => {
    if (!this.#hasBegun) {
      return next();
    }
    return refuse(context, {
      status: 503,
      code: 'shutting-down',
      message: 'This server is shutting down. Try again when it is back.',
      headers: { 'Retry-After': '5', Connection: 'close' },
    });
  };
}
