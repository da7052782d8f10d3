type CheckStatus = 'ok' | 'warn' | 'fail';

/** The result of one check. */
export type Check = {
  readonly name: string;
  readonly status: CheckStatus;
  /** What was found, or what is wrong. */
  readonly found: string;
  /** What to do about it; null when nothing has to be done. */
  readonly fix: string | null;
  /** Where it was looked for, for those who read the JSON. */
  readonly lookedIn?: readonly string[];
};
