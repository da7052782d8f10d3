export type JobToStart<Result> = {
  readonly owner: string;
  /** On one line. */
  readonly title: string;
  readonly task: JobTask<Result>;
};

export type JobToWaitFor = {
  readonly owner: string;
  readonly handle: string;
  readonly timeoutMs: number;
};

/**
 * Runs work that outlives the calls which start it, and shows each owner its own. Another owner's handle is as unknown as one that never
 * existed: `report`, `wait` and `cancel` have null for it. What a board in memory knows at once, another has to ask for.
 */
export interface Jobs<Result> {
  /** Starts a job. Null if its owner has as many running as it may, and after `close`. */
  start(job: JobToStart<Result>): JobReport<Result> | null | Promise<JobReport<Result> | null>;
  report(owner: string, handle: string): JobReport<Result> | null | Promise<JobReport<Result> | null>;
  /** The owner's jobs, the one that was started last first. */
  list(owner: string): readonly JobReport<Result>[] | Promise<readonly JobReport<Result>[]>;
  /** Resolves when the job ends, the time is over, or the signal is aborted: to the job as it is then. Never rejects. */
  wait(job: JobToWaitFor, signal: AbortSignal): Promise<JobReport<Result> | null>;
  /** Asks a job to end, and resolves when it has. A job that has ended stays as it is. */
  cancel(owner: string, handle: string): Promise<JobReport<Result> | null>;
  /** Starts nothing more, asks all jobs of this process to end, and resolves when they have. */
  close(): Promise<void>;
}

/** Work that goes on after the call that began it. */
export type JobState = 'running' | 'succeeded' | 'failed' | 'cancelled';

/** A job as its owner sees it at one moment. */
export type JobReport<Result> = {
  /** By which it is asked for: unpredictable. */
  readonly handle: string;
  /** What was started, on one line. */
  readonly title: string;
  readonly state: JobState;
  readonly startedAtMs: number;
  /** Null while it runs. */
  readonly endedAtMs: number | null;
  /** What it was doing last. */
  readonly status: string;
  /** Text that has come so far, up to a cap. */
  readonly partialText: string;
  /** Null while it runs, and when it was cancelled before it had one. */
  readonly result: Result | null;
};

/** How a job tells what it does while it runs. What comes after its end counts for nothing. */
export type JobNews = {
  /** What it is doing now, on one line. */
  status(text: string): void;
  /** A further piece of its text. */
  text(piece: string): void;
  /** Its text begins again: what came so far is superseded, as the text of an attempt is by the next attempt. */
  restart(): void;
};

export type JobEnd<Result> = {
  readonly state: 'succeeded' | 'failed' | 'cancelled';
  readonly result: Result;
};

/** The work itself. An abort of `signal` asks it to end soon; it says itself how it ended. */
export type JobTask<Result> = (news: JobNews, signal: AbortSignal) => Promise<JobEnd<Result>>;
