import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { endOfAnswer } from '../google/end-of-answer.ts';
import type { Clock } from '../ports/clock.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { RunEnd, RunEvent } from '../ports/gemini-runner/run-event.ts';
import type { CallDirectory, RunRequest } from '../ports/gemini-runner/run-request.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import { refuseLacking } from '../runner-choice/list-lacks.ts';
import { interruptionOf, interruptionUntil } from './interruption.ts';
import type { ScriptedCount, ScriptedRun } from './scripted-run.ts';
import { scriptTools } from './scripted-tool-session.ts';

export type ScriptedGeminiRunnerOptions = {
  readonly clock: Clock;
  /** Scripts each run; `index` counts the runs from 0. */
  readonly script: (request: RunRequest, index: number) => ScriptedRun;
  /** Scripts each count; if set, `tokenCount` is declared. */
  readonly count?: (request: RunRequest) => ScriptedCount;
  /** Differences from a runner that supports everything. */
  readonly capabilities?: Partial<RunnerCapabilities>;
  /** Absolute directories at or below which a request's directory must lie, compared by name; any directory if missing. */
  readonly directories?: readonly string[];
};

/** A runner that supports a message and nothing else. */
export const messageOnly: Partial<RunnerCapabilities> = {
  resume: false,
  tools: ['none'],
  sandbox: false,
  systemPrompt: false,
  mediaTypes: [],
  maxMediaBytes: 0,
  keyOfCall: false,
  answerSchema: false,
  thinking: false,
  flexibleTier: false,
  urls: false,
  grounding: false,
  offersTools: false,
};

/** A runner without a process, whose runs a test scripts. */
export class ScriptedGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  readonly #options: ScriptedGeminiRunnerOptions;
  readonly #requests: RunRequest[] = [];

  constructor(options: ScriptedGeminiRunnerOptions) {
    this.#options = options;
    this.capabilities = {
      name: 'scripted',
      maxInputBytes: 8_000_000,
      maxInputCharacters: 4_000_000,
      resume: true,
      tools: ['none', 'web-search', 'everything'],
      sandbox: true,
      systemPrompt: true,
      mediaTypes: ['image/png', 'application/pdf'],
      maxMediaBytes: 1_000_000,
      warmStart: true,
      streaming: true,
      usage: true,
      keyOfCall: true,
      answerSchema: true,
      thinking: true,
      flexibleTier: true,
      urls: true,
      offersTools: true,
      tokenCount: options.count !== undefined,
      grounding: true,
      ...options.capabilities,
    };
  }

  /** The requests that were run, in order, without refused ones. */
  get requests(): readonly RunRequest[] {
    return this.#requests;
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const refusal = refuseLacking(request, this.capabilities);
    if (refusal !== null) {
      yield failed(refusal);
      return;
    }
    const { clock } = this.#options;
    const interruption = interruptionOf({ clock, request }, signal);
    if (interruption !== null) {
      yield failed({ kind: interruption });
      return;
    }
    const { directory, ...others } = request;
    if (directory === undefined || this.#mayBeGiven(directory)) {
      yield* this.#carry(request, signal);
      return;
    }
    yield missDirectory(directory);
    if (directory.isOptional) {
      yield* this.#carry(others, signal);
    }
  }

  async countTokens(request: RunRequest, signal: AbortSignal): Promise<TokenCount> {
    const { clock, count } = this.#options;
    const refusal = refuseLacking(request, this.capabilities);
    const interruption = interruptionOf({ clock, request }, signal);
    if (refusal !== null || interruption !== null || count === undefined) {
      const missing = { kind: 'unsupported', feature: 'token-count' } as const;
      return { ok: false, failure: refusal ?? (interruption === null ? missing : { kind: interruption }) };
    }
    const counted = count(request);
    if ('ok' in counted) {
      return counted;
    }
    const moment = new Promise(() => undefined);
    return { ok: false, failure: { kind: (await interruptionUntil(moment, { clock, request }, signal)) ?? 'timeout' } };
  }

  async *#carry(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    this.#requests.push(request);
    const run = this.#options.script(request, this.#requests.length - 1);
    try {
      if (request.settings?.serviceTier === 'flexible') {
        yield { type: 'notice', text: 'Asked at the flexible tier' };
      }
      yield* beginningOf(run);
      const { toolSession } = run;
      const { clock } = this.#options;
      const ended = toolSession === undefined ? null : yield* scriptTools({ clock, toolSession, request }, signal);
      if (ended === null) {
        yield* this.#play(run, request, signal);
      } else {
        yield failed({ kind: ended });
      }
    } finally {
      run.onEnd?.();
    }
  }

  async *#play(run: ScriptedRun, request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const { chunks = [], release = Promise.resolve() } = run;
    const { clock } = this.#options;
    const early = this.capabilities.streaming ? chunks.slice(0, 1) : [];
    for (const text of early) {
      yield { type: 'text', text };
    }
    const interruption = chunks.length > 1 ? await interruptionUntil(release, { clock, request }, signal) : null;
    if (interruption !== null) {
      yield failed({ kind: interruption });
      return;
    }
    for (const text of run.hangs && !this.capabilities.streaming ? [] : chunks.slice(early.length)) {
      yield { type: 'text', text };
    }
    yield* this.#end(run, request, signal);
  }

  async *#end(run: ScriptedRun, request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const { hangs = false, killed = new Promise(() => undefined), usage } = run;
    const { clock } = this.#options;
    const moment = hangs ? killed : Promise.resolve();
    const interruption = await interruptionUntil(moment, { clock, request }, signal);
    if (interruption !== null) {
      yield failed({ kind: interruption });
      return;
    }
    if (hangs) {
      yield failed({ kind: 'crashed', detail: 'was killed', excerpt: '' });
      return;
    }
    if (usage !== undefined && this.capabilities.usage) {
      yield { type: 'usage', models: usage };
    }
    yield* told(run);
    yield endOf(run, request);
  }

  #mayBeGiven({ path, roots }: CallDirectory): boolean {
    return [this.#options.directories, roots].every((allowed) => liesBelow(path, allowed));
  }
}

/** Whether a directory lies at or below one of the allowed ones, compared by name; true if there is no list. */
function liesBelow(directory: string, allowed: readonly string[] | undefined): boolean {
  return allowed === undefined || allowed.some((root) => directory === root || directory.startsWith(`${root}/`));
}

function missDirectory({ path, isOptional }: CallDirectory): RunEvent {
  const detail = `${path} lies below no directory that is allowed`;
  return isOptional
    ? { type: 'notice', text: `Gemini could not work in the working directory: ${detail}.` }
    : failed({ kind: 'directory-refused', detail });
}

function beginningOf({ statuses = [], tools = [] }: ScriptedRun): readonly RunEvent[] {
  return [
    ...statuses.map((text) => ({ type: 'status', text }) as const),
    ...tools.map((tool) => ({ type: 'tool', ...tool }) as const),
  ];
}

function told({ grounding, pages }: ScriptedRun): readonly RunEvent[] {
  return [
    ...(grounding === undefined ? [] : [{ type: 'grounding', grounding } as const]),
    ...(pages === undefined ? [] : [{ type: 'pages', pages } as const]),
  ];
}

function endOf(
  { chunks = [], ending = { type: 'complete' }, failure, ...run }: ScriptedRun,
  request: RunRequest,
): RunEnd {
  if (failure !== undefined) {
    return failed(failure);
  }
  const hasText = chunks.some((chunk) => chunk.trim() !== '');
  if (ending !== null) {
    return endOfAnswer({ ending, hasText, modelVersion: run.modelVersion ?? request.model });
  }
  return hasText ? { type: 'answer', ending } : failed({ kind: 'empty-answer', excerpt: '' });
}

function failed(failure: GeminiFailure): RunEnd {
  return { type: 'failure', failure };
}
