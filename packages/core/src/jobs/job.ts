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
