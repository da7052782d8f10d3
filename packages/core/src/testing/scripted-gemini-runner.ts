import type { RunOutcome } from '../failure/run-outcome.ts';
import type { Clock } from '../ports/clock.ts';
import type { GeminiRunner, ModelUsage, RunEvent, RunnerCapabilities, RunRequest } from '../ports/gemini-runner.ts';
import { listLacks } from '../runner-choice/list-lacks.ts';
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
    const [lack] = listLacks(request, this.capabilities);
    if (lack !== undefined) {
      yield outcome({ termination: 'refused', ...lack, completion: 'missing', answered: false });
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

function outcome(known: Partial<RunOutcome>): RunEvent {
  return { type: 'outcome', outcome: { ...answeredOutcome, ...known } };
}
