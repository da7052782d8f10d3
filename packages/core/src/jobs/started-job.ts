import { characterEnd } from '../answers/cut-end.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobReport, JobState } from './job.ts';
import type { JobNews, JobTask } from './job-task.ts';

export type StartedJobOptions<Result> = {
  readonly clock: Clock;
  readonly handle: string;
  readonly title: string;
  readonly task: JobTask<Result>;
  readonly maxPartialCharacters: number;
  readonly onError: (error: unknown) => void;
};

/** One job from its start on. */
export class StartedJob<Result> {
  readonly #options: StartedJobOptions<Result>;
  readonly #cancellation = new AbortController();
  readonly #startedAtMs: number;
  #endedAtMs: number | null = null;
  #state: JobState = 'running';
  #status = '';
  #partialText = '';
  #isPartialTextFull = false;
  #result: Result | null = null;
  /** Resolves when the task has really ended, however it did. */
  readonly ended: Promise<void>;

  constructor(options: StartedJobOptions<Result>) {
    this.#options = options;
    this.#startedAtMs = options.clock.now();
    this.ended = this.#run();
  }

  /** Null while it runs. */
  get endedAtMs(): number | null {
    return this.#endedAtMs;
  }

  get report(): JobReport<Result> {
    const { handle, title } = this.#options;
    return {
      handle,
      title,
      state: this.#state,
      startedAtMs: this.#startedAtMs,
      endedAtMs: this.#endedAtMs,
      status: this.#status,
      partialText: this.#partialText,
      result: this.#result,
    };
  }

  /** Asks the task to end. */
  cancel(): void {
    this.#cancellation.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#cancellation;
    try {
      const { state, result } = await this.#options.task(this.#news(), signal);
      this.#result = result;
      this.#end(state);
    } catch (error) {
      // A task that lets the abort itself escape was cancelled and has nothing to show for it; any other error is a fault.
      const isCancelled = signal.aborted && error === signal.reason;
      this.#end(isCancelled ? 'cancelled' : 'failed');
      if (!isCancelled) {
        this.#options.onError(error);
      }
    }
  }

  #end(state: JobState): void {
    this.#state = state;
    this.#endedAtMs = this.#options.clock.now();
  }

  #news(): JobNews {
    return {
      status: (text) =>
        this.#whileRunning(() => {
          this.#status = text;
        }),
      text: (piece) => this.#whileRunning(() => this.#append(piece)),
      restart: () =>
        this.#whileRunning(() => {
          this.#partialText = '';
          this.#isPartialTextFull = false;
        }),
    };
  }

  #whileRunning(change: () => void): void {
    if (this.#endedAtMs === null) {
      change();
    }
  }

  #append(piece: string): void {
    if (this.#isPartialTextFull) {
      return;
    }
    const { maxPartialCharacters } = this.#options;
    const text = this.#partialText + piece;
    this.#isPartialTextFull = text.length > maxPartialCharacters;
    this.#partialText = this.#isPartialTextFull ? text.slice(0, characterEnd(text, 0, maxPartialCharacters)) : text;
  }
}
