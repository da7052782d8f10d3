import {
  type Clock,
  plainRunSettings,
  type RunEnd,
  type RunnerCapabilities,
  type RunRequest,
  type ToolSession,
} from '@gemini-mcp/core';
import type { StartProblem } from '../../processes/describe-start-error.ts';
import { CliGeminiRunner, type CliGeminiRunnerOptions } from '../cli-gemini-runner.ts';
import { cliMaxInputCharacters } from '../cli-limits.ts';
import type { CliRun, CliTransport, CliTransportOptions, Tell } from '../cli-transport.ts';
import { failRun } from '../fail-run.ts';
import { GeminiCliFinder } from '../finding/gemini-cli-finder.ts';
import { cliMediaTypes, maxMediaBytes } from '../message/media-files.ts';
import type { RunLimit } from '../run-limit.ts';
import { failWithoutTools, offersTools, withToolSession } from '../settings/model-tools.ts';
import { untilAborted } from '../until-aborted.ts';
import type { PoolReport } from './pool/pool-report.ts';
import type { PooledProcess } from './pool/pooled-process.ts';
import { WarmPool } from './pool/warm-pool.ts';
import type { AcpProcess } from './process/acp-process.ts';
import type { ProcessKind } from './process/process-kind.ts';
import { aloneOfKind, describeProcessKind } from './process/process-kind.ts';
import { type Again, messageHeader, PromptRun } from './prompt/prompt-run.ts';
import { conversationDigest, conversationScope } from './session/conversation-digest.ts';
import { prepareSession } from './session/prepare-session.ts';
import { defaultWarmLimits, type WarmLimits } from './warm-limits.ts';

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

type WarmCliTransportOptions = CliTransportOptions & {
  readonly limits: WarmLimits;
  readonly pool: WarmPool;
};

/** The maximum number of attempts; the second only if the first reported nothing. */
const maxTries = 2;

/** The facts about a run that select its kind of process. */
type KindRequest = Pick<CliRun, 'cli' | 'programs' | 'settings'> & {
  readonly model: string;
  readonly hasModelTools: boolean;
};

/** One attempt to carry a run. */
type Try = {
  readonly run: CliRun;
  readonly kind: ProcessKind;
  readonly mayTryAgain: boolean;
};

const capabilities: RunnerCapabilities = {
  name: 'warm',
  // The protocol has no limit in bytes; a UTF-16 code unit takes three bytes at most.
  maxInputBytes: 3 * cliMaxInputCharacters,
  maxInputCharacters: cliMaxInputCharacters - messageHeader.length,
  resume: true,
  tools: ['none', 'web-search'],
  sandbox: false,
  systemPrompt: true,
  mediaTypes: cliMediaTypes,
  maxMediaBytes,
  warmStart: true,
  streaming: true,
  usage: true,
  keyOfCall: true,
  backend: { by: 'Gemini CLI' },
};

type Leased = Try & {
  readonly pooled: PooledProcess;
  readonly scope: string | null;
  readonly digest: string | null;
  readonly toolSession: ToolSession | null;
};

/** Runs requests on long-lived processes of the CLI, each in a session of its own. */
class WarmTransport implements CliTransport {
  readonly capabilities: RunnerCapabilities;
  readonly #options: WarmCliTransportOptions;

  constructor(options: WarmCliTransportOptions) {
    this.#options = options;
    this.capabilities = { ...capabilities, offersTools: options.loopbackToolServer !== undefined };
  }

  async carry(run: CliRun, tell: Tell, limit: RunLimit): Promise<RunEnd> {
    const { request } = run;
    const kind = await this.describeKind({ ...run, model: request.model, hasModelTools: offersTools(request) });
    if (!kind.hasLogin) {
      return failRun({ kind: 'unsupported', feature: 'login' });
    }
    let on = kind;
    for (let tries = 1; ; tries += 1) {
      const carried = await this.#try({ run, kind: on, mayTryAgain: tries < maxTries }, tell, limit);
      if (carried.type !== 'again') {
        return carried;
      }
      const { processId, detail, alone } = carried;
      on = alone ? aloneOfKind(kind) : kind;
      this.#options.pool.report({ type: 'retried', processId, detail });
    }
  }

  /** Resolves to the kind of process for a run. Rejects if the system has run out of a resource. */
  async describeKind({ model, programs, ...run }: KindRequest): Promise<ProcessKind> {
    return describeProcessKind({ ...this.#options, ...run, request: { model }, path: await programs.forChildren() });
  }

  async #try(given: Try, tell: Tell, limit: RunLimit): Promise<RunEnd | Again> {
    const { pool } = this.#options;
    const { kind, run } = given;
    const { request } = run;
    const turns = request.history ?? [];
    const scope = conversationScope({ request, hasModelTools: kind.hasModelTools });
    const digest = turns.length === 0 || scope === null ? null : conversationDigest({ turns, scope });
    const lease = await pool.lease({ kind, digest, owner: request.owner ?? null }, limit.signal);
    if (!lease.ok) {
      return withoutProcess(lease.problem, limit);
    }
    const { pooled } = lease;
    const carry = (toolSession: ToolSession | null) =>
      this.#carryOn({ ...given, pooled, scope, digest, toolSession }, tell, limit);
    try {
      return await withToolSession({ ...this.#options, run, tell, carry }, limit);
    } finally {
      pool.release(pooled);
    }
  }

  async #carryOn(leased: Leased, tell: Tell, limit: RunLimit): Promise<RunEnd | Again> {
    const { run, pooled, toolSession } = leased;
    const options = { ...this.#options, ...leased, request: run.request };
    const prepared = await prepareSession(options, limit);
    if (prepared.type === 'gone') {
      return withoutSession(prepared.detail, pooled, leased, limit);
    }
    if (prepared.type !== 'session') {
      return prepared;
    }
    const { process, session, isKept } = prepared;
    if (toolSession !== null && !isKept && !(await this.#isListed(toolSession, process, limit))) {
      await pooled.discard(session);
      return limit.signal.aborted ? failRun(limit.failure) : failWithoutTools();
    }
    return new PromptRun({ ...options, process, session }, tell).carry(limit);
  }

  /** The CLI opens a session even if it failed to get the tools. */
  async #isListed({ listed }: ToolSession, process: AcpProcess, { signal }: RunLimit): Promise<boolean> {
    const within = process.within(listed, this.#options.limits.answerMs);
    return (await untilAborted(within, signal)) === true;
  }
}

function withoutSession(
  detail: string,
  { id, kind: { isAlone } }: PooledProcess,
  { mayTryAgain }: Try,
  limit: RunLimit,
): RunEnd | Again {
  return mayTryAgain && !limit.signal.aborted
    ? { type: 'again', processId: id, detail, alone: isAlone }
    : failRun({ kind: 'crashed', detail: 'ended', excerpt: detail });
}

/** The end of a run without a process; `problem` is null if the wait was aborted. */
function withoutProcess(problem: StartProblem | null, limit: RunLimit): RunEnd {
  if (problem === null) {
    return failRun(limit.failure);
  }
  const { isShortage, detail } = problem;
  return failRun(
    isShortage ? { kind: 'resources-exhausted', detail } : { kind: 'runner-unavailable', excerpt: detail },
  );
}
