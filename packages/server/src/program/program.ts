import type { Setting } from '../settings/setting.ts';

/** One of the binaries, with what its start needs. */
export type Program = {
  /** The command that starts it. Its messages begin with this name. */
  readonly name: string;
  /** All of its settings, in the order in which they are shown. */
  readonly settings: readonly Setting[];
  /** The names that `--print-config` takes. */
  readonly clients: readonly string[];
  /** How it comes to be started by another Node: the end of a sentence that begins with installing one. */
  readonly nodeAdvice: string;
};
