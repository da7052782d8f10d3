import { type Clock, waitAtMost } from '@gemini-mcp/core';
import type { Handler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import type { Drain } from './drain.ts';

export type ReadinessOptions = {
  /** By the name that is told when it fails: resolves to whether all is well. One that rejects or takes too long has failed. */
  readonly checks: Readonly<Record<string, () => Promise<boolean>>>;
  readonly drain: Drain;
  readonly clock: Clock;
};

/** Anybody may ask: how often they do must not decide how much work it is. */
const believedMs = 5_000;

const checkTimeoutMs = 2_000;

/** Says whether calls could be carried out now. */
export class Readiness {
  readonly #options: ReadinessOptions;
  #failed: Promise<readonly string[]> | null = null;
  #checkedAtMs = 0;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Resolves to the names of what is wrong; none when all is well. What was found is believed for five seconds. */
  async check(): Promise<readonly string[]> {
    const { clock, drain } = this.#options;
    if (drain.hasBegun) {
      return ['shutting-down'];
    }
    if (this.#failed === null || clock.now() - this.#checkedAtMs >= believedMs) {
      this.#checkedAtMs = clock.now();
      this.#failed = this.#findFailed();
    }
    return this.#failed;
  }

  async #findFailed(): Promise<readonly string[]> {
    const { checks, clock } = this.#options;
    const failed = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => ((await succeeds(check, clock)) ? [] : [name])),
    );
    return failed.flat();
  }

  /** `GET /readyz`: 200 or 503, with the names of what is wrong and nothing else of this machine. */
  readonly answer: Handler<HttpEnv> = async (context) => {
    const failed = await this.check();
    context.header('Cache-Control', 'no-store');
    return failed.length === 0
      ? context.json({ status: 'ready' })
      : context.json({ status: 'not-ready', failed }, 503, { 'Retry-After': '5' });
  };
}

async function succeeds(check: () => Promise<boolean>, clock: Clock): Promise<boolean> {
  let isWell = false;
  const event = check().then(
    (found) => {
      isWell = found;
    },
    () => undefined,
  );
  await waitAtMost({ event, durationMs: checkTimeoutMs, clock }, new AbortController().signal);
  return isWell;
}

/** `GET /healthz`: 200 as long as anything is answered at all. */
export const answerHealth: Handler<HttpEnv> = (context) => {
  context.header('Cache-Control', 'no-store');
  return context.json({ status: 'ok' });
};
