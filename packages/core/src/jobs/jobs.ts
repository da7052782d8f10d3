import type { JobReport } from './job.ts';
import type { JobTask } from './job-task.ts';

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
