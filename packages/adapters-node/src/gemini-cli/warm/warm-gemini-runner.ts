import {
  type Clock,
  type GeminiRunner,
  plainRunSettings,
  type RunEnd,
  type RunEvent,
  type RunnerCapabilities,
  type RunRequest,
} from '@gemini-mcp/core';
import type { CliGeminiRunnerOptions } from '../cli-gemini-runner.ts';
import { cliMaxInputCharacters } from '../cli-limits.ts';
import { failRun } from '../fail-run.ts';
import { GeminiCliFinder } from '../finding/gemini-cli-finder.ts';
import type { GeminiCli } from '../finding/gemini-cli-location.ts';
import { runPlaceOptions } from '../given-directory/run-place.ts';
import { cliMediaTypes, maxMediaBytes } from '../message/media-files.ts';
import { refuseRequest } from '../refuse-request.ts';
import type { RunLimit } from '../run-limit.ts';
import { withGeminiCli } from '../with-gemini-cli.ts';
import { withinLimit } from '../within-limit.ts';
import type { PoolReport } from './pool/pool-report.ts';
import { WarmPool } from './pool/warm-pool.ts';
import { describeProcessKind, type ProcessKind } from './process/process-kind.ts';
import { messageHeader } from './prompt/prompt-parts.ts';
import { defaultWarmLimits, type WarmLimits } from './warm-limits.ts';
import { WarmRun } from './warm-run.ts';

export type WarmGeminiRunnerOptions = CliGeminiRunnerOptions & {
  /** What differs from the usual limits. */
  readonly limits?: Partial<WarmLimits>;
  /**
   * Times the processes: how long one idles, and how long it may take to answer us. `clock` when it is missing; one that keeps no
   * program alive, such as `new SystemClock({ keepsAlive: false })`, lets a program end that has its answers.
   */
  readonly processClock?: Clock;
  /** Told of each process that is kept warm, and of what becomes of it; must not throw. */
  readonly onPool?: (report: PoolReport) => void;
};

export type WarmUpRequest = Pick<RunRequest, 'model' | 'settings'>;

/** A name of a directory and what is said of it stand before a message. */
const roomForNote = 2_000;

/**
 * Runs the Gemini CLI in its session mode (`gemini --acp`): processes that stay and carry many requests, each in a session of
 * its own. What a directory's own settings may change, what needs all tools, and what needs a sandbox, it refuses as
 * unsupported.
 */
export class WarmGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities = {
    name: 'warm',
    // The protocol knows no limit in bytes: three of them is what a UTF-16 code unit takes at most.
    maxInputBytes: 3 * cliMaxInputCharacters,
    maxInputCharacters: cliMaxInputCharacters - messageHeader.length - roomForNote,
    resume: true,
    tools: ['none', 'web-search', 'read-only'],
    sandbox: false,
    systemPrompt: true,
    mediaTypes: cliMediaTypes,
    maxMediaBytes,
    warmStart: true,
    streaming: true,
    usage: true,
    keyOfCall: true,
  };
  readonly #options: WarmGeminiRunnerOptions;
  readonly #limits: WarmLimits;
  readonly #finder: GeminiCliFinder;
  readonly #pool: WarmPool;

  constructor(options: WarmGeminiRunnerOptions) {
    this.#options = options;
    this.#limits = { ...defaultWarmLimits, ...options.limits };
    this.#finder = options.finder ?? new GeminiCliFinder(options);
    const { clock, processClock = clock } = options;
    this.#pool = new WarmPool({ ...options, clock: processClock, limits: this.#limits });
  }

  /** Its end waits until everything of the run is gone; the process stays for the next. */
  run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const options = { clock: this.#options.clock, deadlineAtMs: request.deadlineAtMs };
    return withinLimit(options, (limit) => this.#runWithin(limit, request), signal);
  }

  /**
   * Starts the process that a request with these settings would need, and sessions in it. Resolves when it is ready or it is
   * clear that it will not be; never rejects. An abort ends the wait, not the process.
   */
  async warmUp({ model, settings = plainRunSettings }: WarmUpRequest, signal: AbortSignal): Promise<void> {
    const location = await this.#finder.find(signal);
    const kind = location?.found === true ? await this.#describeKind(location.cli, { model, settings }) : null;
    const lease = kind === null ? null : await this.#pool.lease({ kind, digest: null, owner: null }, signal);
    if (lease?.ok === true) {
      this.#pool.release(lease.pooled);
    }
  }

  /** Ends all processes; what runs on them ends with them. Resolves when nothing is left. No run may follow. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Resolves to null where the system has nothing left to look with: a call will say so. */
  async #describeKind(cli: GeminiCli, { model, settings }: Required<WarmUpRequest>): Promise<ProcessKind | null> {
    const hasDirectory = settings.directory !== null;
    const options = { ...this.#options, cli, request: { model }, settings, hasDirectory };
    try {
      return await describeProcessKind({ ...options, path: await this.#finder.programs.forChildren() });
    } catch {
      return null;
    }
  }

  async *#runWithin(limit: RunLimit, request: RunRequest): AsyncGenerator<RunEvent> {
    const refused = this.#refuse(request);
    if (refused !== null) {
      yield refused;
      return;
    }
    const own = { limits: this.#limits, pool: this.#pool, programs: this.#finder.programs };
    const options = { ...this.#options, ...runPlaceOptions(this.#options), ...own, request };
    yield* withGeminiCli(this.#finder, (cli) => new WarmRun({ ...options, cli }).events(limit), limit);
  }

  #refuse(request: RunRequest): RunEnd | null {
    const { tools, sandbox } = request.settings ?? plainRunSettings;
    if (sandbox) {
      return failRun({ kind: 'unsupported', feature: 'sandbox' });
    }
    return this.capabilities.tools.includes(tools)
      ? refuseRequest(request, this.capabilities)
      : failRun({ kind: 'unsupported', feature: 'tools' });
  }
}
