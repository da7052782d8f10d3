import type { InputRefusal, RunOutcome, UnsupportedFeature } from '../failure/run-outcome.ts';
import type { Clock } from '../ports/clock.ts';
import {
  type GeminiRunner,
  type ModelUsage,
  plainRunSettings,
  type RunEvent,
  type RunnerCapabilities,
  type RunRequest,
} from '../ports/gemini-runner.ts';
import { answeredOutcome } from './answered-outcome.ts';

/** How a scripted run goes: what it says, and how it ends. */
export type ScriptedRun = {
  /** What its tools do before it says anything. */
  readonly tools?: readonly Omit<Extract<RunEvent, { type: 'tool' }>, 'type'>[];
  readonly chunks?: readonly string[];
  readonly usage?: readonly ModelUsage[];
  /** Says nothing more after the chunks, until it is cancelled or its time is over. */
  readonly hangs?: boolean;
  /** What differs from a run that exited by itself: a success with what was said. */
  readonly outcome?: Partial<RunOutcome>;
};

export type ScriptedGeminiRunnerOptions = {
  readonly clock: Clock;
  /** Decides each run; `index` counts the runs from 0. */
  readonly script: (request: RunRequest, index: number) => ScriptedRun;
  /** What differs from a runner that carries everything. */
  readonly capabilities?: Partial<RunnerCapabilities>;
};

/** A runner that carries a message and nothing else. */
export const messageOnly: Partial<RunnerCapabilities> = {
  resume: false,
  tools: ['none'],
  sandbox: false,
  systemPrompt: false,
  mediaTypes: [],
  maxMediaBytes: 0,
};

/** A runner without a process behind it, which says what a test tells it to. */
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
      ...options.capabilities,
    };
  }

  /** The requests that were carried, in order; refused ones are not among them. */
  get requests(): readonly RunRequest[] {
    return this.#requests;
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const refused = refuse(request, this.capabilities);
    if (refused !== null) {
      yield outcome({ termination: 'refused', ...refused, completion: 'missing', answered: false });
      return;
    }
    if (signal.aborted) {
      yield outcome({ termination: 'cancelled', completion: 'missing', answered: false });
      return;
    }
    this.#requests.push(request);
    yield* this.#play(this.#options.script(request, this.#requests.length - 1), request, signal);
  }

  async *#play(run: ScriptedRun, request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const chunks = run.chunks ?? [];
    const answered = chunks.some((chunk) => chunk.trim() !== '');
    for (const tool of run.tools ?? []) {
      yield { type: 'tool', ...tool };
    }
    for (const text of chunks) {
      yield { type: 'text', text };
    }
    const termination = run.hangs === true ? await this.#hang(request, signal) : this.#interruption(request, signal);
    if (termination !== null) {
      yield outcome({ termination, completion: 'missing', answered });
      return;
    }
    if (run.usage !== undefined) {
      yield { type: 'usage', models: run.usage };
    }
    yield outcome({ answered, ...run.outcome });
  }

  async #hang({ deadlineAtMs }: RunRequest, signal: AbortSignal): Promise<'timed-out' | 'cancelled'> {
    const { clock } = this.#options;
    return clock.sleep(deadlineAtMs - clock.now(), signal).then(
      () => 'timed-out' as const,
      () => 'cancelled' as const,
    );
  }

  #interruption({ deadlineAtMs }: RunRequest, signal: AbortSignal): 'timed-out' | 'cancelled' | null {
    if (signal.aborted) {
      return 'cancelled';
    }
    return this.#options.clock.now() >= deadlineAtMs ? 'timed-out' : null;
  }
}

type Refused = Pick<RunOutcome, 'refusal' | 'unsupported'>;

function refuse(request: RunRequest, capabilities: RunnerCapabilities): Refused | null {
  const refusal = refuseSize(request, capabilities);
  if (refusal !== null) {
    return { refusal };
  }
  const unsupported = findUnsupported(request, capabilities);
  return unsupported === null ? null : { unsupported };
}

function refuseSize({ input, history = [], media = [] }: RunRequest, capabilities: RunnerCapabilities) {
  const { maxInputCharacters, maxMediaBytes, mediaTypes } = capabilities;
  const characters = history.reduce((sum, { text }) => sum + text.length, input.length);
  const bytes = media.reduce((sum, each) => sum + each.bytes.length, 0);
  const refusals: readonly InputRefusal[] = [
    { measure: 'characters', actual: characters, limit: maxInputCharacters },
    ...(mediaTypes.length > 0 ? [{ measure: 'bytes of media', actual: bytes, limit: maxMediaBytes } as const] : []),
  ];
  return refusals.find(({ actual, limit }) => actual > limit) ?? null;
}

function findUnsupported(request: RunRequest, capabilities: RunnerCapabilities): UnsupportedFeature | null {
  const { history = [], media = [], settings = plainRunSettings } = request;
  const { resume, systemPrompt, tools, sandbox, mediaTypes } = capabilities;
  const wanted: readonly (readonly [UnsupportedFeature, boolean])[] = [
    ['history', history.length > 0 && !resume],
    ['system-prompt', settings.systemPrompt !== null && !systemPrompt],
    ['tools', !tools.includes(settings.tools)],
    ['directory', settings.directory !== null && tools.every((access) => access === 'none')],
    ['sandbox', settings.sandbox && !sandbox],
    ['media', media.some(({ mediaType }) => !mediaTypes.includes(mediaType))],
  ];
  return wanted.find(([, isMissing]) => isMissing)?.[0] ?? null;
}

function outcome(known: Partial<RunOutcome>): RunEvent {
  return { type: 'outcome', outcome: { ...answeredOutcome, ...known } };
}
