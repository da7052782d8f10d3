import type { AnswerEnding } from '../failure/answer-ending.ts';
import { endOfAnswer } from '../failure/end-of-answer.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Grounding } from '../grounding/grounding.ts';
import type { WebPage } from '../grounding/web-page.ts';
import type { Clock } from '../ports/clock.ts';
import {
  type GeminiRunner,
  type ModelUsage,
  plainRunSettings,
  type RunEnd,
  type RunEvent,
  type RunnerCapabilities,
  type RunRequest,
  type RunSettings,
  type TokenCount,
  type ToolEvent,
} from '../ports/gemini-runner.ts';
import { refuseRequest } from '../runner-choice/refuse-request.ts';
import { interruptionOf, interruptionUntil } from './interruption.ts';

/** How a scripted run goes: what it says, and how it ends. */
export type ScriptedRun = {
  /** What it says that it waits for, before all else. */
  readonly statuses?: readonly string[];
  /** What its tools do before it says anything. */
  readonly tools?: readonly Omit<ToolEvent, 'type'>[];
  readonly chunks?: readonly string[];
  readonly usage?: readonly ModelUsage[];
  readonly grounding?: Grounding;
  readonly pages?: readonly WebPage[];
  /** The chunks after the first are held back until this settles. */
  readonly release?: Promise<unknown>;
  /** Says nothing more after the chunks, until it is cancelled or its time is over. */
  readonly hangs?: boolean;
  /** Once this settles, a run that hangs ends as the run of a killed process does. */
  readonly killed?: Promise<unknown>;
  /** How the model ended the answer; complete by default, null for a runner that is not told. */
  readonly ending?: AnswerEnding | null;
  /** The model that says that it answered, where an ending is told; the one that was asked by default. */
  readonly modelVersion?: string;
  /** What went wrong after the chunks; nothing by default. */
  readonly failure?: GeminiFailure;
  /** Called when the run is over, whichever way it ended. */
  readonly onEnd?: () => void;
};

export type ScriptedGeminiRunnerOptions = {
  readonly clock: Clock;
  /** Decides each run; `index` counts the runs from 0. */
  readonly script: (request: RunRequest, index: number) => ScriptedRun;
  /** Decides each count; `tokenCount` is declared where it is given. */
  readonly count?: (request: RunRequest) => ScriptedCount;
  /** What differs from a runner that carries everything. */
  readonly capabilities?: Partial<RunnerCapabilities>;
  /** Absolute directories at or below which one may be given, by its name alone; any may be when it is missing. */
  readonly directories?: readonly string[];
};

/** What comes of a request to count: a number, a failure, or nothing until it is cancelled or its time is over. */
export type ScriptedCount = TokenCount | { readonly hangs: true };

/** A runner that carries a message and nothing else. */
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
  urls: false,
  grounding: false,
};

/** A runner without a process, which says what a test tells it to. */
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
      tools: ['none', 'web-search', 'read-only', 'everything'],
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
      urls: true,
      tokenCount: options.count !== undefined,
      grounding: true,
      ...options.capabilities,
    };
  }

  /** The requests that were carried, in order; refused ones are not among them, nor are directories that were not given. */
  get requests(): readonly RunRequest[] {
    return this.#requests;
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const refusal = refuseRequest(request, this.capabilities);
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
    const { settings = plainRunSettings } = request;
    const isGiven = this.#mayBeGiven(settings);
    if (!isGiven) {
      yield missDirectory(settings);
    }
    if (isGiven || settings.directoryIsOptional) {
      yield* this.#carry(isGiven ? request : { ...request, settings: { ...settings, directory: null } }, signal);
    }
  }

  async countTokens(request: RunRequest, signal: AbortSignal): Promise<TokenCount> {
    const { clock, count } = this.#options;
    const refusal = refuseRequest(request, this.capabilities);
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
      yield* this.#play(run, request, signal);
    } finally {
      run.onEnd?.();
    }
  }

  async *#play(run: ScriptedRun, request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const { statuses = [], chunks = [], tools = [], release = Promise.resolve() } = run;
    for (const text of statuses) {
      yield { type: 'status', text };
    }
    for (const tool of tools) {
      yield { type: 'tool', ...tool };
    }
    const early = this.capabilities.streaming ? chunks.slice(0, 1) : [];
    for (const text of early) {
      yield { type: 'text', text };
    }
    const { clock } = this.#options;
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

  #mayBeGiven({ directory, roots }: RunSettings): boolean {
    return directory === null || [this.#options.directories, roots].every((allowed) => liesBelow(directory, allowed));
  }
}

/** Whether a directory lies at or below one of those, by its name alone; below any where they are missing. */
function liesBelow(directory: string, allowed: readonly string[] | undefined): boolean {
  return allowed === undefined || allowed.some((root) => directory === root || directory.startsWith(`${root}/`));
}

function missDirectory({ directory, directoryIsOptional }: RunSettings): RunEvent {
  const detail = `${directory} lies below no directory that is allowed`;
  return directoryIsOptional
    ? { type: 'notice', text: `Gemini could not look into the working directory: ${detail}.` }
    : failed({ kind: 'directory-refused', detail });
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
