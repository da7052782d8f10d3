import type { Clock } from '../ports/clock.ts';
import { RetentionIndex } from '../records/retention-index.ts';
import { characterEnd } from '../text/truncate-text.ts';
import { raceAbort } from '../waiting/race-abort.ts';
import { raceTimeout } from '../waiting/race-timeout.ts';
import type { JobNews, JobReport, JobState, Jobs, JobTask, JobToStart, JobToWaitFor } from './jobs.ts';

export type BackgroundJobsOptions<Result = unknown> = {
  readonly clock: Clock;
  /** Creates a fresh, unpredictable handle, never reused. */
  readonly createHandle: () => string;
  /** Called with the error if a task rejects; must not throw. */
  readonly onError: (error: unknown) => void;
  /** Called when a job has ended; must not throw. */
  readonly onEnd?: (owner: string, ended: JobReport<Result>) => void;
  /** Limit of one owner's running jobs; 8 if missing. */
  readonly maxPerOwner?: number;
  /** Limit of one owner's ended jobs that are still known; 32 if missing. */
  readonly maxKeptPerOwner?: number;
  /** Limit of what all ended jobs hold together, in UTF-16 code units of their text and of their result as JSON; 64 Mi if missing. */
  readonly maxKeptCharacters?: number;
  /** How long a job is known after its end; an hour if missing. */
  readonly keptMs?: number;
  /** In UTF-16 code units; 200,000 if missing. */
  readonly maxPartialCharacters?: number;
};

/**
 * Jobs in the memory of one process. The beginning of a job's text is shown, up to the cap: the result, which must be JSON, has it whole. An ended
 * job is known until it expires or its owner has too many later ones; it is dropped at the next use of the board, because no timers are used. If all
 * ended jobs hold too much, the earliest ended go first, of the owner that holds the most.
 */
export class BackgroundJobs<Result> implements Jobs<Result> {
  readonly #options: Required<BackgroundJobsOptions<Result>>;
  /** By owner, then by handle in starting order. Contains only owners with jobs. */
  readonly #jobs = new Map<string, Map<string, StartedJob<Result>>>();
  /** Ended jobs, and what they hold. */
  readonly #ended: RetentionIndex;
  #isClosed = false;

  constructor(options: BackgroundJobsOptions<Result>) {
    this.#options = {
      onEnd: () => undefined,
      maxPerOwner: 8,
      maxKeptPerOwner: 32,
      maxKeptCharacters: 64 * 1_048_576,
      keptMs: 3_600_000,
      maxPartialCharacters: 200_000,
      ...options,
    };
    const { maxKeptCharacters: maxBytes } = this.#options;
    this.#ended = new RetentionIndex({ maxRecordsOfOwner: Infinity, maxBytesOfOwner: maxBytes, maxBytes });
  }

  get keptMs(): number {
    return this.#options.keptMs;
  }

  /** Starts a job. Null if its owner has reached the limit of running jobs, and after `close`. */
  start({ owner, title, task, startedAtMs, endsWithClient = false }: JobToStart<Result>): JobReport<Result> | null {
    const { clock, createHandle, onError, onEnd, maxPerOwner, maxPartialCharacters } = this.#options;
    const running = this.#jobsOf(owner).filter(({ endedAtMs }) => endedAtMs === null);
    if (this.#isClosed || running.length >= maxPerOwner) {
      return null;
    }
    const handle = createHandle();
    const job = new StartedJob({
      ...{ clock, handle, title, task, endsWithClient, maxPartialCharacters, onError },
      startedAtMs: startedAtMs ?? clock.now(),
    });
    const ofOwner = this.#jobs.get(owner) ?? new Map<string, StartedJob<Result>>();
    this.#jobs.set(owner, ofOwner.set(handle, job));
    const noteEnd = (): void => {
      this.#makeRoom(owner, job);
      onEnd(owner, job.report);
    };
    job.ended.then(noteEnd).catch(onError);
    return job.report;
  }

  /** Null for a handle that is unknown, expired or another owner's; the same holds for all methods below. */
  report(owner: string, handle: string): JobReport<Result> | null {
    return this.#find(owner, handle)?.report ?? null;
  }

  /** The owner's jobs, the most recently started first. */
  list(owner: string): readonly JobReport<Result>[] {
    return this.#jobsOf(owner)
      .map(({ report }) => report)
      .reverse();
  }

  /** Resolves when the job ends, the time is up, or the signal is aborted: to the job at that time. Never rejects. */
  async wait({ owner, handle, timeoutMs }: JobToWaitFor, signal: AbortSignal): Promise<JobReport<Result> | null> {
    const job = this.#find(owner, handle);
    if (job === undefined) {
      return null;
    }
    await raceTimeout({ event: job.ended, durationMs: timeoutMs, clock: this.#options.clock }, signal);
    return job.report;
  }

  /** Asks a job to end, and resolves when it has, however long its task takes. An ended job stays unchanged. */
  async cancel(owner: string, handle: string): Promise<JobReport<Result> | null> {
    const job = this.#find(owner, handle);
    if (job === undefined) {
      return null;
    }
    job.cancel();
    await job.ended;
    return job.report;
  }

  /** The number of running jobs that may go on without their clients. */
  get lasting(): number {
    return this.#all().filter(({ endedAtMs, endsWithClient }) => endedAtMs === null && !endsWithClient).length;
  }

  /**
   * For the end of all clients: refuses new jobs, asks those to end that have to, and resolves when all have ended or the signal is aborted. Never
   * rejects.
   */
  async outliveClients(signal: AbortSignal): Promise<void> {
    this.#isClosed = true;
    const all = this.#all();
    for (const job of all.filter(({ endsWithClient }) => endsWithClient)) {
      job.cancel();
    }
    await raceAbort(Promise.all(all.map(({ ended }) => ended)), signal);
  }

  /** Refuses new jobs, asks all jobs to end, and resolves when they have. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = this.#all();
    for (const job of all) {
      job.cancel();
    }
    await Promise.all(all.map(({ ended }) => ended));
  }

  #all(): readonly StartedJob<Result>[] {
    return [...this.#jobs.values()].flatMap((ofOwner) => [...ofOwner.values()]);
  }

  #find(owner: string, handle: string): StartedJob<Result> | undefined {
    this.#forget();
    return this.#jobs.get(owner)?.get(handle);
  }

  #jobsOf(owner: string): readonly StartedJob<Result>[] {
    this.#forget();
    return [...(this.#jobs.get(owner)?.values() ?? [])];
  }

  /** Drops older ended jobs until this one, which has just ended, fits. */
  #makeRoom(owner: string, { report }: StartedJob<Result>): void {
    const { handle: key, endedAtMs, partialText, result } = report;
    if (!this.#jobs.get(owner)?.has(key)) {
      return;
    }
    const bytes = partialText.length + JSON.stringify([result]).length;
    this.#ended.put({ owner, key, stampMs: endedAtMs ?? 0, bytes });
    for (const surplus of this.#ended.takeSurplus({ owner, key })) {
      this.#drop(surplus.owner, surplus.key);
    }
  }

  #forget(): void {
    for (const [owner, ofOwner] of this.#jobs) {
      for (const handle of this.#handlesToForget(ofOwner)) {
        this.#drop(owner, handle);
      }
    }
  }

  #drop(owner: string, handle: string): void {
    const ofOwner = this.#jobs.get(owner);
    ofOwner?.delete(handle);
    if (ofOwner?.size === 0) {
      this.#jobs.delete(owner);
    }
    this.#ended.drop({ owner, key: handle });
  }

  #handlesToForget(ofOwner: ReadonlyMap<string, StartedJob<Result>>): readonly string[] {
    const { clock, keptMs, maxKeptPerOwner } = this.#options;
    const forgottenBeforeMs = clock.now() - keptMs;
    return [...ofOwner]
      .reverse()
      .flatMap(([handle, { endedAtMs }]) => (endedAtMs === null ? [] : [{ handle, endedAtMs }]))
      .sort((one, other) => other.endedAtMs - one.endedAtMs)
      .filter(({ endedAtMs }, index) => index >= maxKeptPerOwner || endedAtMs <= forgottenBeforeMs)
      .map(({ handle }) => handle);
  }
}

type StartedJobOptions<Result> = {
  readonly clock: Clock;
  readonly handle: string;
  readonly title: string;
  readonly task: JobTask<Result>;
  readonly startedAtMs: number;
  readonly endsWithClient: boolean;
  readonly maxPartialCharacters: number;
  readonly onError: (error: unknown) => void;
};

/** One job, from its start. */
class StartedJob<Result> {
  readonly #options: StartedJobOptions<Result>;
  readonly #cancellation = new AbortController();
  #endedAtMs: number | null = null;
  #updatedAtMs: number;
  #state: JobState = 'running';
  #status = '';
  #partialText = '';
  #isPartialTextFull = false;
  #result: Result | null = null;
  /** Resolves when the task has really ended, for any reason. */
  readonly ended: Promise<void>;

  constructor(options: StartedJobOptions<Result>) {
    this.#options = options;
    this.#updatedAtMs = options.clock.now();
    this.ended = this.#run();
  }

  get endsWithClient(): boolean {
    return this.#options.endsWithClient;
  }

  get endedAtMs(): number | null {
    return this.#endedAtMs;
  }

  get report(): JobReport<Result> {
    const { handle, title, startedAtMs } = this.#options;
    return {
      handle,
      title,
      state: this.#state,
      startedAtMs,
      endedAtMs: this.#endedAtMs,
      updatedAtMs: this.#updatedAtMs,
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
      // A task that rejects with the abort itself was cancelled without a result; any other error is a fault.
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
    this.#updatedAtMs = this.#endedAtMs;
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
      this.#updatedAtMs = this.#options.clock.now();
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
