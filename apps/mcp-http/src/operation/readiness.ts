import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import { ensurePrivateDirectory } from '@gemini-mcp/adapters-node/internal';
import type { Clock, RecordKind, RecordStore } from '@gemini-mcp/core';
import { raceTimeout } from '@gemini-mcp/core/internal';
import type { Handler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import type { Drain } from './shut-down.ts';

export type ReadinessOptions = {
  /** By its name in the failure report: resolves to whether it passes. A check that rejects or takes too long has failed. */
  readonly checks: Readonly<Record<string, (signal: AbortSignal) => Promise<boolean>>>;
  readonly drain: Drain;
  readonly clock: Clock;
};

/** How long a result is valid. */
const checkIntervalMs = 30_000;

const checkTimeoutMs = 2_000;

/**
 * Reports whether calls can be executed. The server runs the checks by itself: requests need no token, and a check may start
 * processes and create directories, so a request starts none.
 */
export class Readiness {
  readonly #options: ReadinessOptions;
  #failed: readonly string[] = ['starting'];

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** The names of the checks that failed last; empty if all passed. */
  get failed(): readonly string[] {
    return this.#options.drain.hasBegun ? ['shutting-down'] : this.#failed;
  }

  /** Runs the checks now, and again 30 seconds after each end, until the signal is aborted. Never rejects. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#failed = await this.#findFailed(signal);
      await this.#options.clock.sleep(checkIntervalMs, signal).catch(() => undefined);
    }
  }

  async #findFailed(signal: AbortSignal): Promise<readonly string[]> {
    const { checks, clock } = this.#options;
    const failed = await Promise.all(
      Object.entries(checks).map(async ([name, check]) =>
        (await succeeds(() => check(signal), clock, signal)) ? [] : [name],
      ),
    );
    return failed.flat();
  }

  /** `GET /readyz`: 200 or 503 with the names of failed checks, and nothing else about this machine. */
  readonly answer: Handler<HttpEnv> = (context) => {
    const { failed } = this;
    context.header('Cache-Control', 'no-store');
    return failed.length === 0
      ? context.json({ status: 'ready' })
      : context.json({ status: 'not-ready', failed }, 503, { 'Retry-After': '5' });
  };
}

async function succeeds(check: () => Promise<boolean>, clock: Clock, signal: AbortSignal): Promise<boolean> {
  let isWell = false;
  const event = check().then(
    (found) => {
      isWell = found;
    },
    () => undefined,
  );
  await raceTimeout({ event, durationMs: checkTimeoutMs, clock }, signal);
  return isWell;
}

/** `GET /healthz`: 200 as long as the server answers. */
export const answerHealth: Handler<HttpEnv> = (context) => {
  context.header('Cache-Control', 'no-store');
  return context.json({ status: 'ok' });
};

export type ReadinessChecksOptions = {
  /** Whether the Gemini API has a login: plain calls then need no CLI. */
  readonly hasApiLogin: boolean;
  /** Finds the CLI and its login; null if no call may use it. */
  readonly finder: Pick<GeminiCliFinder, 'find' | 'hasLogin'> | null;
  readonly stateDirectory: string;
  /** A store that is shared with other machines; null if there is no such store. */
  readonly sharedRecords: Pick<RecordStore, 'owners'> | null;
};

/** Of no record. */
const probe: RecordKind = {
  name: 'probe',
  maxBytesOfRecord: 0,
  maxRecordsOfOwner: 0,
  maxBytesOfOwner: 0,
  maxBytes: 0,
  maxAgeMs: null,
  whenFull: 'refuse',
};

/** The checks that calls depend on. */
export function readinessChecks(options: ReadinessChecksOptions): ReadinessOptions['checks'] {
  const { finder, hasApiLogin, stateDirectory, sharedRecords } = options;
  return {
    login: async () => hasApiLogin || (await finder?.hasLogin()) === true,
    ...(finder !== null && !hasApiLogin && { 'gemini-cli': (signal) => isThere(finder, signal) }),
    'state-directory': async () => {
      await ensurePrivateDirectory(stateDirectory);
      await access(stateDirectory, constants.W_OK | constants.X_OK);
      return true;
    },
    ...(sharedRecords !== null && {
      'shared-store': async (signal) => (await sharedRecords.owners(probe, signal)).length === 0,
    }),
  };
}

/** A CLI that is not fetched because no login exists is not a fault of its own. */
async function isThere(finder: Pick<GeminiCliFinder, 'find'>, signal: AbortSignal): Promise<boolean> {
  const location = await finder.find(() => undefined, signal);
  return location !== null && (location.found || location.lacksLogin === true);
}

/** The running calls, so that they can be ended and awaited. */
export class CallCounts {
  readonly #running = new Map<AbortController, Promise<unknown>>();

  /** Runs a call with a signal that is aborted with `signal` or with all calls. */
  async run<Result>(work: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) {
      abort();
    }
    const running = work(controller.signal);
    this.#running.set(controller, running);
    try {
      return await running;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#running.delete(controller);
    }
  }

  abort(): void {
    for (const controller of this.#running.keys()) {
      controller.abort();
    }
  }

  /** Resolves when the current calls have ended. Never rejects. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
