export type JobToStart<Result> = {
  readonly owner: string;
  /** On one line. */
  readonly title: string;
  readonly task: JobTask<Result>;
  /** When the work began, in milliseconds since the epoch, if it began before it became a job; now if missing. */
  readonly startedAtMs?: number | undefined;
  /** Whether the job has to end when its client has gone, because it may change something that the user works on; false if missing. */
  readonly endsWithClient?: boolean | undefined;
};

export type JobToWaitFor = {
  readonly owner: string;
  readonly handle: string;
  readonly timeoutMs: number;
};

/**
 * Runs work that outlives the calls that start it, and shows each owner its own jobs. Another owner's handle is as unknown as one that never existed:
 * `report`, `wait` and `cancel` return null for it. An in-memory implementation may return values where another returns promises.
 */
export interface Jobs<Result> {
  /** How long a job is known after its end, in milliseconds. */
  readonly keptMs: number;
  /** Starts a job. Null if its owner has reached the limit of running jobs, and after `close`. */
  start(job: JobToStart<Result>): JobReport<Result> | null | Promise<JobReport<Result> | null>;
  report(owner: string, handle: string): JobReport<Result> | null | Promise<JobReport<Result> | null>;
  /** The owner's jobs, the most recently started first. */
  list(owner: string): readonly JobSummary[] | Promise<readonly JobSummary[]>;
  /** Resolves when the job ends, the time is up, or the signal is aborted: to the job at that time. Never rejects. */
  wait(job: JobToWaitFor, signal: AbortSignal): Promise<JobReport<Result> | null>;
  /** Asks a job to end, and resolves when it has. An ended job stays unchanged. */
  cancel(owner: string, handle: string): Promise<JobReport<Result> | null>;
  /** Refuses new jobs, asks all jobs of this process to end, and resolves when they have. */
  close(): Promise<void>;
}

/** The state of a job, which is work that outlives the call that began it. */
export type JobState = 'running' | 'succeeded' | 'failed' | 'cancelled';

/** A job as its owner sees it at one moment. */
export type JobReport<Result> = {
  /** The job's unpredictable handle. */
  readonly handle: string;
  /** The subject of the job, on one line. */
  readonly title: string;
  readonly state: JobState;
  readonly startedAtMs: number;
  /** Null while it runs. */
  readonly endedAtMs: number | null;
  /** When its state, its status or its text last changed. */
  readonly updatedAtMs: number;
  /** Its latest status. */
  readonly status: string;
  /** The text so far, up to a cap. */
  readonly partialText: string;
  /** Null while it runs, and if it was cancelled without a result. */
  readonly result: Result | null;
};

/** A job in a list. */
export type JobSummary = Pick<JobReport<unknown>, 'handle' | 'title' | 'state' | 'startedAtMs' | 'endedAtMs'>;

/** Lets a job report its progress. Reports after its end are ignored. */
export type JobNews = {
  /** Its current activity, on one line. */
  status(text: string): void;
  /** The next piece of its text. */
  text(piece: string): void;
  /** Discards the text so far, because a new attempt begins. */
  restart(): void;
};

export type JobEnd<Result> = {
  readonly state: 'succeeded' | 'failed' | 'cancelled';
  readonly result: Result;
};

/** The work itself. An abort of `signal` asks it to end soon; it reports itself how it ended. */
export type JobTask<Result> = (news: JobNews, signal: AbortSignal) => Promise<JobEnd<Result>>;
