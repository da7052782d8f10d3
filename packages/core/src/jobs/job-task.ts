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
