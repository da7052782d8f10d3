import { type Clock, plainRunSettings, type RunRequest } from '@gemini-mcp/core';
import { CliGeminiRunner, type CliGeminiRunnerOptions } from '../cli-gemini-runner.ts';
import { GeminiCliFinder } from '../finding/gemini-cli-finder.ts';
import { offersTools } from '../settings/model-tools.ts';
import type { PoolReport } from './pool/pool-report.ts';
import { WarmPool } from './pool/warm-pool.ts';
import type { ProcessKind } from './process/process-kind.ts';
import { defaultWarmLimits, type WarmLimits } from './warm-limits.ts';
import { WarmTransport } from './warm-transport.ts';

export type WarmGeminiRunnerOptions = CliGeminiRunnerOptions & {
  readonly limits?: Partial<WarmLimits>;
  /**
   * Times the processes: how long one idles, and how long it may take to answer us. Defaults to `clock`; one that does not keep the
   * program alive, such as `new SystemClock({ keepsAlive: false })`, lets a program exit once it has its answers.
   */
  readonly processClock?: Clock;
  /** Receives the start and the end of each warm process; must not throw. */
  readonly onPool?: (report: PoolReport) => void;
};

export type WarmUpRequest = Pick<RunRequest, 'model' | 'settings' | 'toolProviders'>;

/**
 * Runs the Gemini CLI in its session mode (`gemini --acp`): long-lived processes that carry many requests, each in a session of its own.
 * Refuses all tools and a sandbox as unsupported. A run ends when everything of it is gone; the process stays.
 */
export class WarmGeminiRunner extends CliGeminiRunner {
  readonly #transport: WarmTransport;
  readonly #finder: GeminiCliFinder;
  readonly #pool: WarmPool;

  constructor(options: WarmGeminiRunnerOptions) {
    const { clock, processClock = clock, finder = new GeminiCliFinder(options) } = options;
    const limits = { ...defaultWarmLimits, ...options.limits };
    const pool = new WarmPool({ ...options, clock: processClock, limits });
    const transport = new WarmTransport({ ...options, limits, pool });
    super({ ...options, finder }, transport);
    this.#transport = transport;
    this.#finder = finder;
    this.#pool = pool;
  }

  /**
   * Starts the process for such a request, and sessions in it. Resolves when it is ready or has failed; never rejects. An abort ends the
   * wait, not the process.
   */
  async warmUp(request: WarmUpRequest, signal: AbortSignal): Promise<void> {
    const kind = await this.#findKind(request, signal);
    const lease = kind === null ? null : await this.#pool.lease({ kind, digest: null, owner: null }, signal);
    if (lease?.ok === true) {
      this.#pool.release(lease.pooled);
    }
  }

  /** Ends all processes and their runs. Resolves after all of them are gone. Do not start a run afterwards. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Resolves to null if the CLI is missing, or if the system lacks the resources to look for it: a call will report it. */
  async #findKind(request: WarmUpRequest, signal: AbortSignal): Promise<ProcessKind | null> {
    const { model, settings = plainRunSettings } = request;
    const location = await this.#finder.find(() => undefined, signal);
    if (location?.found !== true) {
      return null;
    }
    const { cli } = location;
    const { programs } = this.#finder;
    const hasModelTools = offersTools(request);
    return this.#transport.describeKind({ cli, programs, model, settings, hasModelTools }).catch(() => null);
  }
}
