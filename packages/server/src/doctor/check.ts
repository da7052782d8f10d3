type CheckStatus = 'ok' | 'warn' | 'fail';

/** One thing that was looked at. */
export type Check = {
  readonly name: string;
  readonly status: CheckStatus;
  /** What is there, or what is wrong. */
  readonly found: string;
  /** What to do about it; null when nothing has to be done. */
  readonly fix: string | null;
};
