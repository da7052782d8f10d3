import type { Setting } from '../settings/setting.ts';

/** One of the binaries, as far as its start has to know it. */
export type Program = {
  /** The command that starts it; what it prints begins with it. */
  readonly name: string;
  /** Everything that can be set for it, in the order in which it is shown. */
  readonly settings: readonly Setting[];
  /** What `--print-config` takes. */
  readonly clients: readonly string[];
  /** How it comes to be started by another Node: the end of a sentence that begins with installing one. */
  readonly nodeAdvice: string;
};
